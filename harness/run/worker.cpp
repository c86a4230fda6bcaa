#include "harness/run/worker.h"

#include <fmt/format.h>

#include <utility>

#include "harness/check/substitute.h"

namespace assay::run {
namespace {

std::string status_of(const std::string& outcome) {
  return outcome == "failed" ? "error" : "success";
}

Object worker_event(std::string type, const core::Play& play, const check::StepRun& run,
                    const char* entity_type) {
  return {{"event_type", std::move(type)},
          {"source", "worker"},
          {"entity_type", entity_type},
          {"entity_id", play.step},
          {"step_run_id", run.id}};
}

Object task_event(const char* verb, const core::Play& play, const check::StepRun& run) {
  Object event = worker_event(fmt::format("task.{}", verb), play, run, "task");
  event.insert_or_assign("task_run_id", run.id + ":task");
  event.insert_or_assign("parent_id", run.id);
  return event;
}

Object attempt_event(const char* verb, const core::Play& play, const check::StepRun& run,
                     std::int64_t attempt) {
  Object event = task_event(fmt::format("attempt.{}", verb).c_str(), play, run);
  event.insert_or_assign("attempt", attempt);
  return event;
}

Object with_status(Object event, const std::string& outcome) {
  event.insert_or_assign("status", status_of(outcome));
  return event;
}

/// Specification 001 3.4: a task that was retried shows every attempt, the last of them too.
void add_attempts(const core::Play& play, const check::StepRun& run, std::vector<Value>& events) {
  if (play.failed_attempts == 0) return;
  for (std::int64_t attempt = 1; attempt <= play.failed_attempts; ++attempt) {
    events.emplace_back(attempt_event("started", play, run, attempt));
    events.emplace_back(with_status(attempt_event("failed", play, run, attempt), "failed"));
  }
  const std::int64_t last = play.failed_attempts + 1;
  events.emplace_back(attempt_event("started", play, run, last));
  if (play.outcome == "none") return;
  events.emplace_back(
      with_status(attempt_event(play.outcome.c_str(), play, run, last), play.outcome));
}

Object payload_of(const core::Play& play) {
  Object payload;
  if (!play.result.is_null()) payload.emplace("outcome", play.result);
  if (!play.ctx.is_null()) payload.emplace("ctx", play.ctx);
  return payload;
}

std::string iteration_outcome(const core::Play& play, std::int64_t iteration) {
  if (play.iterations.empty()) return "done";
  return play.iterations.at(static_cast<std::size_t>(iteration));
}

}  // namespace

std::vector<Value> begin_of_play(const core::Play& play, const check::StepRun& run) {
  std::vector<Value> events;
  if (play.only_end) return events;
  Object started = worker_event("step.started", play, run, "step");
  started.emplace("status", "in_progress");
  events.emplace_back(std::move(started));
  if (run.is_loop) return events;
  events.emplace_back(task_event("started", play, run));
  add_attempts(play, run, events);
  if (play.outcome == "none") return events;
  events.emplace_back(with_status(task_event(play.outcome.c_str(), play, run), play.outcome));
  return events;
}

std::vector<Value> end_of_play(const core::Play& play, const check::StepRun& run) {
  std::vector<Value> events;
  if (play.outcome == "none" || run.is_loop) return events;
  Object end = with_status(worker_event("step." + play.outcome, play, run, "step"), play.outcome);
  if (Object payload = payload_of(play); !payload.empty()) {
    end.insert_or_assign("payload", std::move(payload));
  }
  events.assign(static_cast<std::size_t>(play.times), Value(std::move(end)));
  return events;
}

bool plays_iteration(const core::Play& play, std::int64_t iteration) {
  if (play.outcome == "none") return false;
  return play.iterations.empty() ||
         (iteration >= 0 && std::cmp_less(iteration, play.iterations.size()));
}

std::vector<Value> iteration_of_play(const core::Play& play, const check::StepRun& run,
                                     std::int64_t iteration) {
  std::vector<Value> events;
  const std::string outcome = iteration_outcome(play, iteration);
  const auto event_of = [&](const std::string& verb) {
    Object event = worker_event("loop.iteration." + verb, play, run, "loop");
    event.insert_or_assign("iteration", iteration);
    return event;
  };
  if (!play.only_end) events.emplace_back(event_of("started"));
  if (outcome == "none") return events;
  for (std::int64_t time = 0; time < play.times; ++time) {
    Object end = with_status(event_of(outcome), outcome);
    if (Object payload = payload_of(play); !payload.empty()) {
      end.insert_or_assign("payload", std::move(payload));
    }
    events.emplace_back(std::move(end));
  }
  return events;
}

std::vector<Value> profile_play(const core::Profile& profile, const core::Play& play,
                                const check::StepRun& run, const std::string& execution_id) {
  const check::Variables variables = {
      {"step", play.step},       {"step_run_id", run.id},
      {"outcome", play.outcome}, {"status", status_of(play.outcome)},
      {"result", play.result},   {"ctx", play.ctx},
      {"worker", play.worker},   {"execution_id", execution_id},
  };
  std::vector<Value> events;
  for (const Value& event : profile.worker) {
    Value body = check::substitute(event, variables);
    const auto when = body.is_object() ? body.string_at("when") : std::nullopt;
    if (when ? *when != play.outcome : play.only_end) continue;
    if (when) body.as_object().erase("when");
    events.insert(events.end(), when ? static_cast<std::size_t>(play.times) : 1, body);
  }
  return events;
}

}  // namespace assay::run
