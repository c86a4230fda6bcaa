// The net's routing and completion (specification 003 sections 4 to 7).

#include <algorithm>
#include <string_view>
#include <utility>

#include "reference_impl/model/events/envelope.h"
#include "reference_impl/model/routing/net.h"

namespace assay::routing {
namespace {

std::string_view outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::success:
      return "success";
    case Outcome::partial:
      return "partial";
    case Outcome::cancelled:
      return "cancelled";
    case Outcome::none:
    case Outcome::failed:
      break;
  }
  return "failed";
}

/// An error small enough for a summary: texts and numbers, no containers (specification 003, 7.2).
Value summarized(const Value& error) {
  if (!error.is_object()) return error.is_list() ? Value() : error;
  Object summary;
  for (const auto& [key, member] : error.as_object()) {
    if (!member.is_object() && !member.is_list()) summary.emplace(key, member);
  }
  return summary;
}

const Value* find_in(const Value* parent, std::string_view key) {
  return parent == nullptr ? nullptr : parent->find(key);
}

}  // namespace

void Net::end_run(std::size_t run_index, const Boundary& boundary) {
  StepRun& run = runs_.at(run_index);
  set_state(run, boundary.failed ? RunState::failed : RunState::done);
  if (outcome_ != Outcome::none) return;
  ++(boundary.failed ? steps_failed_ : steps_done_);
  if (policy_.summary_counts == SummaryCounts::steps) {
    (boundary.failed ? kinds_failed_ : kinds_done_).insert(run.step);
  }
  if (boundary.failed) record_failure(run, boundary);
  record_result(boundary);
  if (run.is_final) {
    // Section 7.1: once it has an outcome the execution completes; its arcs lead nowhere.
    final_failed_ = final_failed_ || boundary.failed;
  } else {
    route(run, boundary);
  }
  run.args.clear();
}

void Net::route(const StepRun& run, const Boundary& boundary) {
  const Step& step = step_of(run);
  if (step.arcs.empty()) return end_branch(run, boundary.failed);
  auto evaluated = evaluate_next(run, boundary);
  const std::string mode = step.mode == RouterMode::exclusive ? "exclusive" : "inclusive";
  if (!evaluated) {
    const std::string& error = evaluated.error().message;
    emit_for_run(run, "next.evaluated", "next", "error",
                 {{"mode", mode}, {"matched", List{}}, {"selected", List{}}, {"error", error}});
    return fail_at_once("the arcs of step " + step.name + " can't be evaluated: " + error);
  }
  Route& route = *evaluated;
  const bool matched = !route.matched.empty();
  emit_for_run(run, "next.evaluated", "next", "success",
               {{"mode", mode},
                {"matched", std::move(route.matched)},
                {"selected", std::move(route.selected)}});
  if (!matched && playbook_->executor.no_next_is_error) {
    return fail_at_once("no arc of step " + step.name + " matches");
  }
  if (route.arrivals.empty()) return end_branch(run, boundary.failed);
  if (policy_.token_order == TokenOrder::newest_first) {
    std::reverse(route.arrivals.begin(), route.arrivals.end());
  }
  for (Arrival& arrival : route.arrivals) arrivals_.push_back(std::move(arrival));
}

Result<Net::Route, EvaluationError> Net::evaluate_next(const StepRun& run,
                                                       const Boundary& boundary) const {
  const Step& step = step_of(run);
  Object event{{"name", boundary.event_type},
               {"entity_id", step.name},
               {"step_run_id", run.id},
               {"status", boundary.failed ? "error" : "success"}};
  if (boundary.outcome != nullptr) event.emplace("payload", *boundary.outcome);
  const Value event_value(std::move(event));
  const Value args(run.args);
  Scope scope = variables();
  scope.bind("event", event_value);
  scope.bind("args", args);
  if (boundary.outcome != nullptr) scope.bind("output", *boundary.outcome);

  const bool exclusive = step.mode == RouterMode::exclusive;
  std::vector<const Arc*> matched;
  for (const Arc& arc : step.arcs) {
    auto held = arc.when ? holds(*arc.when, scope) : Result<bool, EvaluationError>(true);
    if (!held.has_value()) {
      if (policy_.failing_guard == FailingGuard::fails_execution) return unexpected(held.error());
      held = false;
    }
    if (*held) matched.push_back(&arc);
    // Section 4.3: the first match wins, and CONTRACT has no guard evaluated after it.
    if (exclusive && !matched.empty()) break;
  }

  Route route;
  for (const Arc* arc : matched) {
    Object shown{{"step", playbook_->steps[arc->target].name}};
    if (arc->when) shown.emplace("when", arc->when->text());
    route.matched.emplace_back(std::move(shown));
    if (draining_) continue;
    Arrival arrival{.step = arc->target, .args = {}};
    Object selected{{"step", playbook_->steps[arc->target].name}};
    if (arc->args) {
      auto rendered = arc->args->render(scope);
      if (!rendered) return unexpected(rendered.error());
      const bool too_large = is_too_large(*rendered);
      if (too_large && policy_.oversized_args == OversizedArgs::fail) {
        return unexpected(EvaluationError{
            EvaluationFault::too_large,
            "the args of the arc to " + playbook_->steps[arc->target].name + " are larger than " +
                std::to_string(limits_.args_bytes) + " bytes: pass a reference"});
      }
      if (too_large && policy_.oversized_args == OversizedArgs::are_dropped) *rendered = Object{};
      arrival.args = rendered->as_object();
      selected.emplace("args", *std::move(rendered));
    }
    route.selected.emplace_back(std::move(selected));
    route.arrivals.push_back(std::move(arrival));
  }
  return route;
}

void Net::end_branch(const StepRun& run, bool failed) {
  ++branches_;
  if (!failed) return;
  if (first_failed_branch_.empty()) {
    first_failed_branch_ = "step " + step_of(run).name + " failed and no arc took it up";
  }
  if (playbook_->executor.status_policy == StatusPolicy::fail_fast) start_draining();
}

void Net::record_failure(const StepRun& run, const Boundary& boundary) {
  Object failure{{"step", step_of(run).name}, {"step_run_id", run.id}};
  const Value* error = find_in(boundary.payload, "error");
  if (error == nullptr) error = find_in(boundary.outcome, "error");
  if (error != nullptr) failure.emplace("error", summarized(*error));
  failures_.emplace_back(std::move(failure));
}

void Net::record_result(const Boundary& boundary) {
  const Value* reference = find_in(boundary.payload, "result_ref");
  if (reference == nullptr) reference = find_in(boundary.outcome, "result_ref");
  if (reference != nullptr) result_refs_.push_back(*reference);
}

void Net::start_draining() {
  draining_ = true;
  arrivals_.clear();
  fan_in_.drop_groups();
  withdraw_pending();
}

void Net::withdraw_pending() {
  for (const std::size_t index : runs_.pending_runs()) {
    set_state(runs_.at(index), RunState::dropped);
  }
}

/// Section 6.1: no token that can run, nothing in flight, no incomplete fan-in group.
bool Net::is_quiescent() const {
  const bool tokens_hold = playbook_->executor.gates_hold && runs_.pending() > 0;
  return arrivals_.empty() && !tokens_hold && runs_.in_flight() == 0 && fan_in_.empty();
}

bool Net::is_final_step_due() const {
  // Section 7.1: "and not yet executed", by the flow neither.
  const bool is_skipped = policy_.final_step_after_failure == FinalStepAfterFailure::is_skipped &&
                          !first_failed_branch_.empty();
  return playbook_->executor.final_step && !final_step_ran_ && !flow_ran_final_step_ && !is_skipped;
}

bool Net::complete_if_quiescent() {
  const bool final_step_due = is_final_step_due();
  const bool early =
      final_step_due && branches_ > 0 && policy_.final_step == FinalStepStart::after_first_branch;
  if (!is_quiescent() && !early) return false;
  if (final_step_due) {
    if (!early) withdraw_pending();
    final_step_ran_ = true;
    Object args = final_args();
    if (policy_.long_summary == LongSummary::fails && is_too_large(args)) {
      fail_at_once("the summary for the final step is larger than args may be");
      return true;
    }
    arrivals_.push_back(
        {.step = *playbook_->executor.final_step, .args = std::move(args), .is_final = true});
    return true;
  }
  const Outcome outcome = outcome_by_policy();
  std::string reason;
  if (outcome != Outcome::success) {
    reason = first_failed_branch_.empty() ? "the final step failed" : first_failed_branch_;
  }
  finish(outcome, std::move(reason));
  return true;
}

/// Section 4.4: large payloads are passed as references.
bool Net::is_too_large(const Value& args) const {
  return events::compact_json_size(args, limits_.args_bytes) > limits_.args_bytes;
}

/// Section 7.2: counts, failures and references, never payloads. The lists are cut where they are
/// too long for args.
Object Net::final_args() const {
  const bool of_steps = policy_.summary_counts == SummaryCounts::steps;
  const std::size_t done = of_steps ? kinds_done_.size() : steps_done_;
  const std::size_t failed = of_steps ? kinds_failed_.size() : steps_failed_;
  List failures = failures_;
  List result_refs = result_refs_;
  while (true) {
    Object args{{"execution_id", execution_id_},
                {"counts", Object{{"steps_done", count_value(done)},
                                  {"steps_failed", count_value(failed)},
                                  {"branches", count_value(branches_)}}},
                {"failures", failures},
                {"result_refs", result_refs}};
    const bool is_shortest = failures.empty() && result_refs.empty();
    if (is_shortest || policy_.long_summary == LongSummary::fails || !is_too_large(args))
      return args;
    List& longer = failures.size() > result_refs.size() ? failures : result_refs;
    longer.resize(longer.size() / 2);
  }
}

/// Sections 6.2 and 7.3.
Outcome Net::outcome_by_policy() const {
  const ExecutorSpec& executor = playbook_->executor;
  Outcome outcome = Outcome::success;
  if (!first_failed_branch_.empty()) {
    outcome =
        executor.status_policy == StatusPolicy::allow_partial ? Outcome::partial : Outcome::failed;
  }
  if (!final_failed_ || outcome == Outcome::failed) return outcome;
  return executor.final_failure == FinalFailure::fail ? Outcome::failed : Outcome::partial;
}

void Net::fail_at_once(std::string reason) { finish(Outcome::failed, std::move(reason)); }

void Net::finish(Outcome outcome, std::string reason) {
  outcome_ = outcome;
  reason_ = std::move(reason);
  arrivals_.clear();
  fan_in_.drop_groups();
  withdraw_pending();
  if (outcome == Outcome::cancelled) return;
  const bool is_error = outcome == Outcome::failed || (outcome == Outcome::partial &&
                                                       policy_.partial_end == PartialEnd::is_error);
  const std::string status = is_error ? "error" : "success";
  Object payload{{"outcome", outcome_word(outcome)}};
  if (!reason_.empty()) payload.emplace("reason", reason_);
  emit_workflow("workflow.finished", status, payload);
  emit_playbook("playbook.finished", status, payload);
  emit_playbook("playbook.processed", "success");
}

}  // namespace assay::routing
