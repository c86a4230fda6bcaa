#include "harness/check/log_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "harness/check/text.h"
#include "reference_impl/model/events/taxonomy.h"

namespace assay::check {
namespace {

using events::EventKind;
using status::Layer;
using status::State;

constexpr std::size_t command_name_bytes = 160;

std::optional<LogRule> command_rule(EventKind kind) {
  switch (kind) {
    case EventKind::command_issued:
      return LogRule::command_issued;
    case EventKind::command_claimed:
      return LogRule::command_claimed;
    case EventKind::command_started:
      return LogRule::command_started;
    case EventKind::command_completed:
      return LogRule::command_completed;
    case EventKind::command_failed:
      return LogRule::command_failed;
    case EventKind::command_cancelled:
      return LogRule::command_cancelled;
    default:
      return std::nullopt;
  }
}

/// Specification 000's workflow events; those of specification 001 are judged by its taxonomy.
std::optional<LogRule> workflow_rule(EventKind kind) {
  switch (kind) {
    case EventKind::workflow_initialized:
      return LogRule::workflow_initialized;
    case EventKind::workflow_completed:
      return LogRule::workflow_completed;
    case EventKind::workflow_failed:
      return LogRule::workflow_failed;
    default:
      return std::nullopt;
  }
}

/// The layers that are judged here, and the events that end the execution.
bool is_folded(EventKind kind) {
  if (command_rule(kind) || workflow_rule(kind)) return true;
  switch (kind) {
    case EventKind::playbook_initialized:
    case EventKind::playbook_started:
    case EventKind::playbook_completed:
    case EventKind::playbook_failed:
    case EventKind::playbook_finished:
    case EventKind::execution_cancelled:
    case EventKind::workflow_started:
    case EventKind::workflow_finished:
      return true;
    default:
      return false;
  }
}

/// An event's body with the members that the model reads of these events, made once for all of
/// them. What an event has not is null, which the model takes for a member that is not there.
class FoldedBody {
 public:
  FoldedBody() {
    for (std::size_t at = 0; at < folded.size(); ++at) {
      members_.at(at) = &body_.as_object()[std::string(event_field_names[folded.at(at)])];
    }
  }
  FoldedBody(const FoldedBody&) = delete;
  FoldedBody& operator=(const FoldedBody&) = delete;

  [[nodiscard]] const Value& of(const LogEvent& event) {
    for (std::size_t at = 0; at < folded.size(); ++at) {
      const auto text = event.string(folded.at(at));
      *members_.at(at) = text ? Value(*text) : Value();
    }
    return body_;
  }

 private:
  static constexpr std::array<EventField, 5> folded = {
      EventField::event_type, EventField::timestamp, EventField::status, EventField::command_id,
      EventField::node_name};

  Value body_ = Object();
  std::array<Value*, folded.size()> members_ = {};
};

EventKind kind_of(const LogEvent& event) {
  return events::kind_of(event.string(EventField::event_type).value_or(""));
}

}  // namespace

void LogLayers::add(const LogEvent& event, bool is_whole) {
  constexpr std::string_view beginnings = "cwpe";
  const std::string_view type = event.string(EventField::event_type).value_or("");
  // commands, workflows, playbooks and executions; most of a log is something else.
  const bool may_be = !type.empty() && beginnings.find(type.front()) != std::string_view::npos;
  const EventKind kind = may_be ? kind_of(event) : EventKind::other;
  if (is_folded(kind)) {
    if (command_rule(kind)) {
      judge_command(event, is_whole);
    } else if (workflow_rule(kind)) {
      judge_workflow(event, is_whole);
    } else {
      static_cast<void>(fold(event));
    }
  }
  ++index_;
}

bool LogLayers::fold(const LogEvent& event) {
  // From one event to the next, of any log: a log has millions.
  thread_local FoldedBody body;
  const std::size_t before = fold_.anomalies().size();
  fold_.apply(body.of(event), static_cast<std::int64_t>(index_) + 1);
  return fold_.anomalies().size() == before;
}

State LogLayers::state_of(const std::string& command) const {
  const auto found = commands_.find(command);
  return found == commands_.end() ? State::pending : fold_.commands()[found->second].state;
}

void LogLayers::judge_command(const LogEvent& event, bool is_whole) {
  const LogRule rule = *command_rule(kind_of(event));
  if (rule == LogRule::command_issued) {
    ++tally_[LogRule::no_command_after_success];
    // Behind a failure or a cancel a command may have been on its way.
    if (fold_.state() == State::completed) {
      report(event, LogRule::no_command_after_success, "comes after the execution completed");
    }
  }
  const std::string id(event.string(EventField::command_id).value_or(""));
  if (id.empty()) return;
  const State from = state_of(id);
  const std::size_t known = fold_.commands().size();
  const bool is_allowed = fold(event);
  if (fold_.commands().size() > known) commands_.emplace(id, known);
  // A worker that was not told of the cancel in time reports what it did: that is stored, and moves
  // nothing.
  if (from == State::cancelled) return;
  const bool has_ended = from == State::completed || from == State::failed;
  // Which event is missing is not known where some are, but nothing missing explains these.
  const bool is_certain = has_ended || (from != State::pending && rule == LogRule::command_issued);
  if (!is_whole && !is_certain) return;
  const LogRule judged = has_ended ? LogRule::command_ends_once : rule;
  ++tally_[judged];
  if (is_allowed || told_.contains(id)) return;
  told_.emplace(id);
  report(event, judged, fmt::format("finds its command {}", status::word_of(from)));
}

void LogLayers::judge_workflow(const LogEvent& event, bool is_whole) {
  const State from = fold_.workflow_state();
  const bool is_allowed = fold(event);
  if (!is_whole && from == State::pending) return;
  const LogRule rule = *workflow_rule(kind_of(event));
  ++tally_[rule];
  if (!is_allowed) {
    report(event, rule, fmt::format("finds the workflow {}", status::word_of(from)));
  }
}

void LogLayers::report(const LogEvent& event, LogRule rule, std::string what) {
  const std::string type(event.string(EventField::event_type).value_or(""));
  std::string subject = fmt::format("event {} ({}", index_ + 1, type);
  auto name = event.string(EventField::command_id);
  if (!name) name = event.string(EventField::node_name);
  if (name) subject += fmt::format(" of {}", cut_text(std::string(*name), command_name_bytes));
  violations_.push_back({.clause = std::string(text_of(rule).clause),
                         .message = fmt::format("{}) {}", subject, what),
                         .index = index_,
                         .rule = rule,
                         .what = std::move(what)});
}

}  // namespace assay::check
