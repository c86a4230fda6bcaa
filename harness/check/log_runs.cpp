#include <fmt/format.h>

#include <algorithm>

#include "base/short_text.h"
#include "harness/check/log_auditor.h"

namespace assay::check {

/// Specification 001 3.4: attempts of one task run count 1, 2, 3 …, and one outcome ends them.
void LogAuditor::check_task(std::string_view type) {
  const auto id = event_->string(EventField::task_run_id);
  if (!id) return;
  TaskRun& run = tasks_[*id];
  ++tally_[LogRule::task_outcome_last];
  if (run.ended) {
    report(LogRule::task_outcome_last, "comes after its task run's outcome");
    return;
  }
  if (name_ == EventName::task_done || name_ == EventName::task_failed) run.ended = true;
  if (has_prefix(type, "task.attempt.")) check_attempt(run);
}

void LogAuditor::check_attempt(TaskRun& run) {
  const auto number = event_->integer(EventField::attempt);
  if (!number) return;
  ++tally_[LogRule::attempts_rise];
  if (is_foreign()) return check_foreign_attempt(*number, run);
  const std::int64_t due =
      name_ == EventName::task_attempt_started ? run.attempts + 1 : run.attempts;
  if (*number != due) {
    report(LogRule::attempts_rise, fmt::format("is attempt {} where {} is due", *number, due));
  }
  run.attempts = std::max(run.attempts, *number);
}

/// Specification 001 5.2 asks for attempt events where retries occur: the first attempt, and any
/// one's start, may have none.
void LogAuditor::check_foreign_attempt(std::int64_t number, TaskRun& run) {
  if (name_ == EventName::task_attempt_started) {
    if (number <= std::max(run.attempts, run.ended_attempts)) {
      report(LogRule::attempts_rise, fmt::format("starts attempt {} again", number));
    }
    run.attempts = std::max(run.attempts, number);
    return;
  }
  if (number <= run.ended_attempts) {
    report(LogRule::attempts_rise, fmt::format("ends attempt {} again", number));
  }
  run.ended_attempts = std::max(run.ended_attempts, number);
}

/// Specification 001 3.5: loop.started, each iteration scheduled, started and ended, loop.done.
void LogAuditor::check_loop() {
  const auto id = event_->string(EventField::step_run_id);
  if (!id) {
    has_nameless_outcome_ |= name_ == EventName::loop_done;
    return;
  }
  Loop& loop = loops_[*id];
  if (name_ == EventName::loop_started) {
    loop.started = true;
  } else if (name_ == EventName::loop_done) {
    check_loop_end(loop, *id);
  } else {
    check_iteration(loop);
  }
}

void LogAuditor::check_loop_end(Loop& loop, std::string_view id) {
  ++tally_[LogRule::loop_ends_once];
  if (loop.done) report(LogRule::loop_ends_once, "ends a loop twice");
  loop.done = true;
  if (is_whole()) {
    ++tally_[LogRule::loop_waits];
    for (const auto& [number, iteration] : loop.iterations) {
      if (!iteration.scheduled || iteration.ended) continue;
      report(LogRule::loop_waits, fmt::format("comes while iteration {} is open", number));
      break;
    }
  }
  end_run(runs_[id]);
}

void LogAuditor::check_iteration(Loop& loop) {
  const auto index = event_->integer(EventField::iteration);
  if (!index) return;
  Iteration& iteration = loop.iterations[*index];
  if (name_ == EventName::loop_iteration_scheduled) {
    ++tally_[LogRule::loop_begins];
    ++tally_[LogRule::iteration_scheduled_once];
    if (!loop.started && is_whole()) report(LogRule::loop_begins, "comes before loop.started");
    if (loop.done) report(LogRule::loop_begins, "comes after loop.done");
    if (iteration.scheduled) {
      report(LogRule::iteration_scheduled_once, "schedules an iteration twice");
    }
    iteration.scheduled = true;
  } else if (name_ == EventName::loop_iteration_started) {
    if (is_whole()) {
      ++tally_[LogRule::iteration_starts];
      if (!iteration.scheduled) {
        report(LogRule::iteration_starts, "starts an iteration not scheduled");
      }
    }
    iteration.started = true;
  } else {
    check_iteration_end(iteration);
  }
}

void LogAuditor::check_iteration_end(Iteration& iteration) {
  if (is_whole()) {
    ++tally_[LogRule::iteration_ends];
    if (!iteration.started) report(LogRule::iteration_ends, "ends an iteration not started");
  }
  ++tally_[LogRule::iteration_ends_once];
  if (iteration.ended) report(LogRule::iteration_ends_once, "ends an iteration twice");
  iteration.ended = true;
}

}  // namespace assay::check
