// The net's tokens: fan-in, admission, scheduling and loops (specification 003 section 3).

#include <algorithm>
#include <utility>

#include "reference_impl/model/routing/net.h"

namespace assay::routing {
namespace {

/// What admission decided, and what decided it: the number of a rule as the playbook has them,
/// "else", or null where nothing did.
struct Decision {
  bool allow = true;
  Value rule = {};
};

Result<Decision, EvaluationError> decide(const std::optional<Admission>& admission,
                                         const Scope& scope, const NetPolicy& policy) {
  if (!admission) return Decision{};
  for (std::size_t index = 0; index < admission->rules.size(); ++index) {
    const AdmitRule& rule = admission->rules[index];
    auto held = holds(rule.when, scope);
    if (!held.has_value()) {
      if (policy.failing_guard == FailingGuard::fails_execution) return unexpected(held.error());
      held = false;
    }
    // An else before this rule takes one place among the rules as written.
    const bool after_else = admission->otherwise && index >= admission->otherwise_index;
    if (*held) {
      return Decision{rule.allow, count_value(index + (after_else ? 1U : 0U))};
    }
  }
  if (!admission->otherwise) {
    return Decision{.allow = policy.unmatched_admission == UnmatchedAdmission::allows};
  }
  return Decision{*admission->otherwise, "else"};
}

}  // namespace

bool Net::settle_next() {
  if (!arrivals_.empty()) {
    Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    place(std::move(arrival));
    return true;
  }
  auto group = fan_in_.take_ready();
  if (!group) return false;
  arrivals_.push_back({.step = group->step, .args = std::move(group->args), .joined = true});
  return true;
}

void Net::settle() {
  while (outcome_ == Outcome::none && started_ && !paused_) {
    if (!settle_next() && !complete_if_quiescent()) break;
  }
  if (outcome_ != Outcome::none || !started_) return;
  if (paused_) return settle_in_pause();
  note_closed_gates();
}

/// What a server may do during a pause: ask for admission, and end what has nothing left to do.
void Net::settle_in_pause() {
  while (policy_.paused_admission == PausedAdmission::at_once && outcome_ == Outcome::none) {
    if (!settle_next()) break;
  }
  if (policy_.paused_end == PausedEnd::at_once && outcome_ == Outcome::none &&
      admitted_in_pause_.empty() && !is_final_step_due()) {
    static_cast<void>(complete_if_quiescent());
  }
}

/// Says once, where the policy wants it, that every token there waits for admission.
void Net::note_closed_gates() {
  const bool are_closed = runs_.pending() > 0 && runs_.in_flight() == 0;
  const bool is_new = are_closed && !gates_are_closed_;
  gates_are_closed_ = are_closed;
  if (is_new && policy_.closed_gates == ClosedGates::are_paused) {
    emit_playbook("playbook.paused", "paused");
  }
}

void Net::place(Arrival arrival) {
  if (!arrival.joined && !arrival.is_final && fan_in_.gathers_at(arrival.step)) {
    return fan_in_.arrive(arrival.step, arrival.args);
  }
  if (runs_.size() >= limits_.step_runs ||
      runs_.size() - runs_before_input_ >= limits_.step_runs_per_input) {
    return fail_at_once("the execution made " + std::to_string(runs_.size()) +
                        " step runs, more than it may");
  }
  StepRun& run = runs_.create(arrival.step, playbook_->steps[arrival.step].name,
                              std::move(arrival.args), arrival.is_final);
  if (is_live(run)) fan_in_.enter(run.step);
  admit(run.index);
}

void Net::admit(std::size_t run_index) {
  StepRun& run = runs_.at(run_index);
  const Value args(run.args);
  Scope scope = variables();
  scope.bind("args", args);
  const auto decided = decide(step_of(run).admission, scope, policy_);
  if (!decided) {
    const std::string& error = decided.error().message;
    emit_for_run(run, "policy.admit.evaluated", "policy", "error", {{"error", error}});
    return fail_at_once("admission of step " + step_of(run).name + " can't be evaluated: " + error);
  }
  emit_for_run(run, "policy.admit.evaluated", "policy", "success",
               {{"allow", decided->allow}, {"rule", decided->rule}});
  if (decided->allow && paused_) {
    admitted_in_pause_.push_back(run_index);
  } else if (decided->allow) {
    schedule(run_index);
  } else if (playbook_->executor.denied_token == DeniedToken::discard) {
    set_state(run, RunState::dropped);
    end_branch(run, false);
  }
}

/// Tokens that wait for admission are evaluated again, during a pause with the resume.
void Net::readmit_pending() {
  const bool is_asked_now = !paused_ || policy_.paused_admission == PausedAdmission::at_once;
  readmission_is_due_ = !is_asked_now;
  if (is_asked_now) admit_pending_again();
}

void Net::admit_pending_again() {
  auto pending = runs_.pending_runs();
  if (policy_.token_order == TokenOrder::newest_first) std::reverse(pending.begin(), pending.end());
  for (const std::size_t index : pending) {
    if (outcome_ != Outcome::none) return;
    const bool is_admitted = std::find(admitted_in_pause_.begin(), admitted_in_pause_.end(),
                                       index) != admitted_in_pause_.end();
    if (runs_.at(index).state == RunState::pending && !is_admitted) admit(index);
  }
}

void Net::schedule(std::size_t run_index) {
  StepRun& run = runs_.at(run_index);
  set_state(run, RunState::scheduled);
  if (!run.is_final && run.step == playbook_->executor.final_step) flow_ran_final_step_ = true;
  emit_for_run(run, "step.scheduled", "step", "in_progress", {{"args", run.args}});
  if (step_of(run).loop) begin_loop(run_index);
}

void Net::begin_loop(std::size_t run_index) {
  StepRun& run = runs_.at(run_index);
  const Step& step = step_of(run);
  const Value args(run.args);
  Scope scope = variables();
  scope.bind("args", args);
  auto rendered = step.loop->in.render(scope);
  if (!rendered) {
    return fail_at_once("the loop of step " + step.name +
                        " can't be evaluated: " + rendered.error().message);
  }
  Value& items = *rendered;
  if (!items.is_list()) {
    return fail_at_once("the loop of step " + step.name + " goes over a list, not over " +
                        std::string(items.kind_name()));
  }
  if (items.as_list().size() > limits_.loop_iterations) {
    return fail_at_once("the loop of step " + step.name + " has more iterations than it may");
  }
  run.loop.emplace(std::move(items.as_list()), step.loop->in_flight_at_most());
  const bool parallel = step.loop->mode == LoopMode::parallel;
  emit_for_run(run, "loop.started", "loop", "in_progress",
               {{"mode", parallel ? "parallel" : "sequential"},
                {"iterations", count_value(run.loop->size())}});
  if (run.loop->size() > 0) {
    schedule_iterations(run_index);
  } else {
    end_loop(run_index);
  }
}

void Net::schedule_iterations(std::size_t run_index) {
  StepRun& run = runs_.at(run_index);
  for (const std::size_t iteration : run.loop->schedule()) {
    const Object iter{{step_of(run).loop->iterator, run.loop->item(iteration)}};
    emit_for_run(run, "loop.iteration.scheduled", "loop", "in_progress", {{"iter", iter}},
                 static_cast<std::int64_t>(iteration));
  }
}

void Net::end_loop(std::size_t run_index) {
  StepRun& run = runs_.at(run_index);
  LoopRun& loop = *run.loop;
  // Cut short by fail_fast, it is no success either.
  const bool failed = loop.failed() > 0 || !loop.complete();
  const Value outcome(Object{{"status", failed ? "error" : "success"},
                             {"iterations", count_value(loop.size())},
                             {"done", count_value(loop.done())},
                             {"failed", count_value(loop.failed())}});
  loop.release_items();
  emit_for_run(run, "loop.done", "loop", failed ? "error" : "success", {{"outcome", outcome}});
  end_run(run_index, {.event_type = "loop.done", .failed = failed, .outcome = &outcome});
}

bool Net::is_live(const StepRun& run) const {
  return run.in_flight() || (run.state == RunState::pending && playbook_->executor.gates_hold);
}

void Net::set_state(StepRun& run, RunState state) {
  const bool was_live = is_live(run);
  runs_.set_state(run, state);
  if (outcome_ != Outcome::none) return;
  if (is_live(run) && !was_live) fan_in_.enter(run.step);
  if (!is_live(run) && was_live) fan_in_.leave(run.step);
}

}  // namespace assay::routing
