#include "reference_impl/liberties/layer_reading.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/answers.h"
#include "reference_impl/model/status/fold.h"

namespace assay::liberties {
namespace {

using events::EventKind;
using events::EventView;
using status::Reason;
using status::State;

constexpr const char* own_reason = "this event is out of place";

/// The step that an event names.
std::string step_of(const EventView& event) {
  const bool by_entity =
      event.kind() == EventKind::step_scheduled || event.kind() == EventKind::step_started;
  const std::string_view name = event.text(by_entity ? "entity_id" : "node_name");
  return std::string(!name.empty() ? name : event.text(by_entity ? "node_name" : "entity_id"));
}

/// The loop and the iteration that an event names, in one text.
std::string iteration_of(const EventView& event) {
  std::string name;
  for (const char* field : {"step_run_id", "entity_id", "node_name"}) {
    if (!name.empty()) break;
    name = event.text(field);
  }
  const auto number = event.integer("iteration");
  return name + "\n" + (number ? std::to_string(*number) : std::string(event.text("iteration_id")));
}

class Reader {
 public:
  Reader(const LayerReading& reading, bool is_replay)
      : reading_(reading), is_replay_(is_replay), plain_(""), fold_("") {}

  void take(const Value& event, std::int64_t seq) {
    const EventView view(event);
    const std::size_t before = plain_.anomalies().size();
    plain_.apply(event, seq);
    if (is_odd(view)) odd_.insert(seq);
    note(view);
    if (reading_.ended_steps_stay && reenters(view)) {
      odd_.insert(seq);
      return;
    }
    if (is_replay_ && view.kind() == EventKind::loop_done) {
      const bool too_early = plain_.anomalies().size() > before &&
                             plain_.anomalies().back().reason == Reason::loop_done_too_early;
      if (too_early) odd_.insert(seq);
      if (reading_.loop_done_moves_nothing) return;
    }
    const std::size_t known = fold_.anomalies().size();
    fold_.apply(as_read(event, view), seq);
    if (!reading_.loop_done_may_be_late || !is_replay_ || view.kind() != EventKind::loop_done)
      return;
    if (fold_.anomalies().size() == known) return;
    const Reason reason = fold_.anomalies().back().reason;
    if (reason == Reason::step_move || reason == Reason::step_run_ended) late_loops_.insert(seq);
  }

  void show(Value& detail) const {
    if (List* steps = faults::list_at(detail, "steps")) {
      // What the detail has besides, such as steps that have not begun, stays.
      for (Value& item : *steps) {
        if (const auto state = state_of(item.string_at("step").value_or(""))) {
          item.as_object()["state"] = status::word_of(*state);
        }
      }
    }
    List* anomalies = faults::list_at(detail, "anomalies");
    if (anomalies == nullptr) return;
    std::map<std::int64_t, Value> listed;
    for (Value& item : *anomalies) {
      if (const Value* seq = item.find("seq"); seq != nullptr && seq->to_int64()) {
        listed.emplace(*seq->to_int64(), std::move(item));
      }
    }
    for (const status::Anomaly& anomaly : plain_.anomalies()) listed.erase(anomaly.seq);
    const auto add = [&listed](std::int64_t seq) {
      listed.emplace(seq, Object{{"seq", seq}, {"reason", own_reason}});
    };
    for (const status::Anomaly& anomaly : fold_.anomalies()) {
      if (!late_loops_.contains(anomaly.seq)) add(anomaly.seq);
    }
    for (const std::int64_t seq : odd_) add(seq);
    anomalies->clear();
    for (auto& [seq, item] : listed) anomalies->push_back(std::move(item));
  }

 private:
  [[nodiscard]] std::optional<State> state_of(const std::string& step) const {
    for (const status::Step& each : fold_.steps()) {
      if (each.id == step) return each.state;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_odd(const EventView& event) const {
    switch (event.kind()) {
      case EventKind::other:
        return reading_.unknown_name_is_odd;
      case EventKind::step_enter:
        return reading_.second_enter_is_odd && state_of(step_of(event)) == State::running;
      case EventKind::step_scheduled:
        return reading_.second_schedule_is_odd &&
               scheduled_.contains(std::string(event.text("step_run_id")));
      case EventKind::loop_iteration_scheduled:
        return reading_.second_schedule_is_odd && open_.contains(iteration_of(event));
      case EventKind::loop_iteration_started:
        return reading_.odd_iteration_start && !open_.contains(iteration_of(event));
      default:
        return reading_.command_needs_id && event.type().starts_with("command.") &&
               event.text("command_id").empty();
    }
  }

  void note(const EventView& event) {
    if (event.kind() == EventKind::step_scheduled && !event.text("step_run_id").empty()) {
      scheduled_.insert(std::string(event.text("step_run_id")));
    }
    if (event.kind() == EventKind::loop_iteration_scheduled) open_.insert(iteration_of(event));
    if (event.kind() == EventKind::loop_iteration_done ||
        event.kind() == EventKind::loop_iteration_failed) {
      open_.erase(iteration_of(event));
    }
    if (event.kind() == EventKind::command_issued) {
      step_of_command_[std::string(event.text("command_id"))] = event.text("node_name");
    }
    if (event.kind() == EventKind::call_done || event.kind() == EventKind::call_error) {
      std::string step(event.text("node_name"));
      if (step.empty()) step = step_of_command_[std::string(event.text("command_id"))];
      last_call_[step] = event.kind() == EventKind::call_done ? "COMPLETED" : "FAILED";
    }
  }

  [[nodiscard]] bool reenters(const EventView& event) const {
    const bool begins = event.kind() == EventKind::step_enter ||
                        event.kind() == EventKind::step_scheduled ||
                        event.kind() == EventKind::step_started;
    if (!begins) return false;
    const auto state = state_of(step_of(event));
    return state && status::is_terminal(status::Layer::step, *state);
  }

  /// The event as this reading's steps follow it.
  [[nodiscard]] Value as_read(const Value& event, const EventView& view) const {
    if (reading_.ended_steps_stay && view.kind() == EventKind::command_issued) {
      // The command is issued; its step, where that has ended, is not begun again.
      const auto state = state_of(step_of(view));
      if (!state || !status::is_terminal(status::Layer::step, *state)) return event;
      Value without = event;
      without.as_object().erase("node_name");
      return without;
    }
    if (view.kind() != EventKind::step_exit) return event;
    const std::string_view status = view.text("status");
    Value changed = event;
    if (reading_.step_words_only && (status == "success" || status == "error")) {
      changed.as_object().erase("status");
    } else if (reading_.calls_end_steps && status.empty()) {
      const auto call = last_call_.find(step_of(view));
      if (call != last_call_.end()) changed.as_object()["status"] = call->second;
    }
    return changed;
  }

  const LayerReading& reading_;
  const bool is_replay_;
  /// As the reference reads the log, and as this reading does.
  status::ExecutionFold plain_;
  status::ExecutionFold fold_;
  std::set<std::int64_t> odd_;
  std::set<std::int64_t> late_loops_;
  std::set<std::string> scheduled_;
  std::set<std::string> open_;
  std::map<std::string, std::string> step_of_command_;
  std::map<std::string, std::string> last_call_;
};

}  // namespace

bool LayerReading::is_plain() const {
  return !(ended_steps_stay || step_words_only || calls_end_steps || loop_done_moves_nothing ||
           loop_done_may_be_late || second_enter_is_odd || second_schedule_is_odd ||
           odd_iteration_start || command_needs_id || unknown_name_is_odd);
}

void read_again(const LayerReading& reading, const List& log, Value& detail) {
  Reader reader(reading, !is_driven(log));
  for (const Value& event : log) {
    const Value* seq = event.find("seq");
    if (seq != nullptr && seq->to_int64()) reader.take(event, *seq->to_int64());
  }
  reader.show(detail);
}

}  // namespace assay::liberties
