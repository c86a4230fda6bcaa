#include "reference_impl/faults/misreadings.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/model/events/timestamp.h"

namespace assay::faults {
namespace {

constexpr std::array<std::string_view, 4> work_types = {"step.enter", "step.scheduled",
                                                        "step.started", "command.issued"};
/// The events of a command that must come before those further on.
constexpr std::array<std::string_view, 3> command_path = {"command.issued", "command.claimed",
                                                          "command.started"};

bool is_work(const Value& event) {
  return std::any_of(work_types.begin(), work_types.end(),
                     [&](std::string_view type) { return is_type(event, type); });
}

bool is_tool_outcome(const Value& event) {
  return is_type(event, "call.done") || is_type(event, "call.error");
}

/// Erases what stands before `limit` and is `unwanted`.
void erase_before(List& events, List::iterator limit, bool (*unwanted)(const Value&)) {
  events.erase(std::remove_if(events.begin(), limit, unwanted), limit);
}

List::iterator last_of(List& events, bool (*holds)(const Value&)) {
  const auto found = std::find_if(events.rbegin(), events.rend(), holds);
  return found == events.rend() ? events.begin() : std::prev(found.base());
}

/// The event under another type.
Value retyped(const Value& event, std::string_view type) {
  Value changed = event;
  changed.as_object()["event_type"] = type;
  return changed;
}

}  // namespace

void forget_ends_before_work(List& events) {
  erase_before(events, last_of(events, is_work), is_end);
}

void keep_last_end(List& events) { erase_before(events, last_of(events, is_end), is_end); }

void keep_earliest_end(List& events) {
  const auto time_of = [](const Value& event) {
    return events::parse_timestamp(text_of(event, "timestamp"));
  };
  const Value* earliest = nullptr;
  for (const Value& event : events) {
    if (is_end(event) && (earliest == nullptr || time_of(event) < time_of(*earliest))) {
      earliest = &event;
    }
  }
  if (earliest == nullptr) return;
  const Value kept = *earliest;
  std::erase_if(events, [&](const Value& event) { return is_end(event) && event != kept; });
}

void lose_ends_before_start(List& events) {
  const auto start = std::find_if(events.begin(), events.end(), is_start);
  erase_before(events, start, is_end);
}

void keep_last_start(List& events) { erase_before(events, last_of(events, is_start), is_start); }

void take_each_finish_for_success(List& events) {
  for (Value& event : events) {
    if (is_type(event, "playbook.finished") && !is_end(event)) {
      event.as_object()["status"] = "success";
    }
  }
}

void put_ends_last(List& events) {
  std::stable_partition(events.begin(), events.end(),
                        [](const Value& event) { return !is_end(event); });
}

void lose_lower_case_exits(List& events) {
  std::erase_if(events, [](const Value& event) {
    const std::string status = text_of(event, "status");
    return is_type(event, "step.exit") &&
           std::any_of(status.begin(), status.end(),
                       [](char letter) { return letter >= 'a' && letter <= 'z'; });
  });
}

void take_iterations_for_steps(List& events) {
  for (Value& event : events) {
    if (!is_type(event, "step.exit")) continue;
    event.as_object().erase("iteration");
    event.as_object().erase("iteration_id");
  }
}

void issue_unissued_commands(List& events) {
  List retold;
  std::set<std::string> known;
  for (const Value& event : events) {
    const std::string id = text_of(event, "command_id");
    if (text_of(event, "event_type").starts_with("command.") && !id.empty() &&
        known.insert(id).second) {
      // A cancel finds the command where it was issued, an outcome where it runs.
      const bool is_cancel = is_type(event, "command.cancelled");
      for (const std::string_view type : command_path) {
        if (is_type(event, type) || (is_cancel && type != command_path.front())) break;
        retold.push_back(retyped(event, type));
      }
    }
    retold.push_back(event);
  }
  events = std::move(retold);
}

void claim_before_start(List& events) {
  List retold;
  for (const Value& event : events) {
    if (is_type(event, "command.started")) retold.push_back(retyped(event, "command.claimed"));
    retold.push_back(event);
  }
  events = std::move(retold);
}

void keep_last_tool_outcomes(List& events) {
  List retold;
  std::set<std::string> known;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    if (is_tool_outcome(*event) && !known.insert(text_of(*event, "command_id")).second) continue;
    retold.push_back(*event);
  }
  std::reverse(retold.begin(), retold.end());
  events = std::move(retold);
}

}  // namespace assay::faults
