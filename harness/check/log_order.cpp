#include <fmt/format.h>

#include <array>
#include <map>
#include <string>

#include "base/short_text.h"
#include "harness/check/log_auditor.h"

namespace assay::check {
namespace {

/// What must have come before: specification 001 3.1, 3.2 and 5.1.
struct Due {
  EventName name;
  EventName before;
};

constexpr std::array<Due, 6> due_events = {
    {{EventName::playbook_request_evaluated, EventName::playbook_execution_requested},
     {EventName::playbook_started, EventName::playbook_request_evaluated},
     {EventName::workflow_started, EventName::playbook_started},
     {EventName::step_scheduled, EventName::workflow_started},
     {EventName::workflow_finished, EventName::workflow_started},
     {EventName::playbook_processed, EventName::playbook_finished}}};

/// What is due before each name; `other` where nothing is.
constexpr EventNameTable<EventName> make_due_before() {
  EventNameTable<EventName> before;
  for (const Due& due : due_events) before[due.name] = due.before;
  return before;
}

/// What check_opening looks for later.
constexpr EventNameTable<bool> make_openings() {
  EventNameTable<bool> openings;
  for (const Due& due : due_events) openings[due.name] = openings[due.before] = true;
  return openings;
}

constexpr EventNameTable<EventName> due_before = make_due_before();
constexpr EventNameTable<bool> is_opening = make_openings();

std::string_view step_of(const Value& arc) {
  const Value* step = arc.find("step");
  return step != nullptr && step->is_string() ? std::string_view(step->as_string()) : "";
}

}  // namespace

void LogAuditor::check_order(std::string_view type) {
  check_closing();
  check_opening();
  if (name_ == EventName::next_evaluated) check_routing();
  if (has_prefix(type, "step.")) check_step();
  if (has_prefix(type, "task.")) check_task(type);
  if (has_prefix(type, "loop.")) check_loop();
}

/// Specifications 000 and 003 6.1: one completion, of a quiet net, and no routing behind it.
void LogAuditor::check_closing() {
  const bool schedules =
      name_ == EventName::step_scheduled || name_ == EventName::loop_iteration_scheduled;
  // A foreign server may still evaluate what comes to nothing.
  const bool routes = schedules || (!is_foreign() && (name_ == EventName::next_evaluated ||
                                                      name_ == EventName::policy_admit_evaluated));
  if (closed_by_) ++tally_[LogRule::nothing_after_end];
  if (closed_by_ && routes) {
    report(LogRule::nothing_after_end,
           fmt::format("comes after event {} closed the execution", *closed_by_ + 1));
  }
  if (!closes()) return;
  ++tally_[LogRule::one_end];
  if (closed_by_) {
    report(LogRule::one_end,
           fmt::format("closes an execution that event {} closed", *closed_by_ + 1));
    return;
  }
  closed_by_ = index_;
  check_success_is_quiet();
}

bool LogAuditor::closes() const {
  if (name_ == EventName::playbook_finished) {
    const auto status = event_->string(EventField::status);
    return status == "success" || status == "error";
  }
  return name_ == EventName::playbook_completed || name_ == EventName::playbook_failed ||
         name_ == EventName::execution_cancelled;
}

void LogAuditor::check_success_is_quiet() {
  const auto status = event_->string(EventField::status);
  const bool is_success = name_ == EventName::playbook_completed ||
                          (name_ == EventName::playbook_finished && status == "success");
  // An outcome that names no step run may have ended any of them, and one in a gap too.
  const bool is_known = !is_foreign() || (!has_nameless_outcome_ && (!has_gap_ || open_runs_ == 0));
  if (!is_success || runs_.empty() || !is_known) return;
  ++tally_[LogRule::quiet_at_success];
  if (open_runs_ > 0) {
    report(LogRule::quiet_at_success, fmt::format("comes while {} step runs are open", open_runs_));
  }
}

/// The server's lifecycle events in the order of the taxonomy. Of a foreign log it is asked at the
/// end whether they are there: specification 001 names them and gives no order.
void LogAuditor::check_opening() {
  if (!is_opening[name_]) return;
  if (!is_foreign()) {
    const EventName before = due_before[name_];
    if (before != EventName::other) {
      ++tally_[LogRule::opening];
      if (first_[before] == 0) {
        report(LogRule::opening, fmt::format("comes with no {} before it", text_of(before)));
      }
    }
    if (name_ == EventName::workflow_started || name_ == EventName::playbook_started) {
      ++tally_[LogRule::one_start];
      if (first_[name_] != 0) report(LogRule::one_start, "comes a second time");
    }
  }
  if (first_[name_] == 0) first_[name_] = index_ + 1;
}

void LogAuditor::finish() {
  if (!is_foreign() || !closed_by_ || !is_whole()) return;
  for (const Due& due : due_events) {
    const std::size_t shown = first_[due.name];
    if (shown == 0) continue;
    ++tally_[LogRule::opening];
    if (first_[due.before] != 0) continue;
    report_at(shown - 1, fmt::format("event {} ({})", shown, text_of(due.name)), LogRule::opening,
              fmt::format("is there, and no {} is", text_of(due.before)));
  }
}

/// Specification 003 4: routing follows an outcome; what fires has matched; exclusive: at most one.
void LogAuditor::check_routing() {
  const Value* payload = event_->payload;
  const auto list_of = [payload](std::string_view member) -> const List* {
    const Value* value = payload == nullptr ? nullptr : payload->find(member);
    return value != nullptr && value->is_list() ? &value->as_list() : nullptr;
  };
  const Value* reference = payload == nullptr ? nullptr : payload->find("result_ref");
  const List* matched = list_of("matched");
  const List* selected = list_of("selected");
  // Specification 001 2, reference-first: what was externalised is not in the log.
  if (is_foreign() && reference != nullptr && (matched == nullptr || selected == nullptr)) return;
  ++tally_[LogRule::routing_lists];
  if (matched == nullptr || selected == nullptr) {
    report(LogRule::routing_lists, "has no lists of matched and selected arcs");
    return;
  }
  const auto step = event_->string(EventField::entity_id);
  if (!is_foreign() && step) {
    ++tally_[LogRule::route_after_outcome];
    if (++routed_[*step] > ended_[*step]) {
      report(LogRule::route_after_outcome, "comes with no outcome of the step to follow");
    }
  }
  const Value* mode = payload->find("mode");
  const bool is_exclusive = is_foreign() ? mode != nullptr && *mode == Value("exclusive")
                                         : mode == nullptr || *mode != Value("inclusive");
  if (is_exclusive) {
    ++tally_[LogRule::exclusive_fires_one];
    if (selected->size() > 1) {
      report(LogRule::exclusive_fires_one, fmt::format("fires {} arcs", selected->size()));
    }
  }
  check_fired(*matched, *selected);
}

void LogAuditor::check_fired(const List& matched, const List& selected) {
  if (!selected.empty()) ++tally_[LogRule::fired_matched];
  std::map<std::string_view, int> open;
  for (const Value& arc : matched) ++open[step_of(arc)];
  for (const Value& arc : selected) {
    const std::string_view target = step_of(arc);
    // Specification 001 7.4 shows arcs by their step; foreign ones may have another form.
    if (is_foreign() && target.empty()) continue;
    if (--open[target] < 0) {
      report(LogRule::fired_matched, fmt::format("fires {} unmatched", target));
    }
  }
}

/// Specification 001 3.3, 5.2: a step run exists only once the server scheduled it, and once.
void LogAuditor::check_step() {
  const bool is_outcome = name_ == EventName::step_done || name_ == EventName::step_failed;
  const bool is_standard =
      name_ == EventName::step_scheduled || name_ == EventName::step_started || is_outcome;
  if (is_foreign() && !is_standard) {
    // Specification 000's step.exit knows no step runs; it may have ended one.
    has_nameless_outcome_ |= name_ == EventName::step_exit;
    return;
  }
  const auto id = event_->string(EventField::step_run_id);
  if (!is_foreign() && name_ != EventName::step_scheduled) ++tally_[LogRule::step_run_named];
  if (!id) {
    has_nameless_schedule_ |= name_ == EventName::step_scheduled;
    has_nameless_outcome_ |= is_outcome;
    if (!is_foreign() && name_ != EventName::step_scheduled) {
      report(LogRule::step_run_named, "names no step run");
    }
    return;
  }
  StepRun& run = runs_[*id];
  if (name_ == EventName::step_scheduled) {
    ++tally_[LogRule::step_run_once];
    if (run.scheduled) report(LogRule::step_run_once, "schedules a step run twice");
    if (!run.scheduled || run.ended || !is_foreign()) ++open_runs_;
    run = {event_->string(EventField::entity_id).value_or(""), true, false};
    return;
  }
  if (is_whole() && !has_nameless_schedule_) {
    ++tally_[LogRule::step_run_scheduled];
    if (!run.scheduled) {
      report(LogRule::step_run_scheduled, "is of a step run that was never scheduled");
    }
  }
  if (is_outcome) end_run(run);
}

void LogAuditor::end_run(StepRun& run) {
  if (!run.scheduled || run.ended) return;
  run.ended = true;
  --open_runs_;
  ++ended_[run.step];
}

}  // namespace assay::check
