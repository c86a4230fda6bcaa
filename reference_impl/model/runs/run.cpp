#include "reference_impl/model/runs/run.h"

#include <utility>

#include "base/words.h"

namespace assay::runs {
namespace {

std::optional<DiagnosticProblem> problem_of(const TransitionRequest& request,
                                            const Policy& policy) {
  if (request.diagnostic) {
    return diagnostic_problem(*request.diagnostic, policy.takes_any_severity);
  }
  if (!is_failure(request.to)) return std::nullopt;
  return DiagnosticProblem{"", std::string(to_string(request.to)) + " needs a diagnostic"};
}

/// The run in its new status, with what came with the request.
void enter(Run& run, const TransitionRequest& request, Instant now, KeptCodes codes) {
  std::optional<std::string> error_code = request.error_code;
  std::optional<bool> retryable = request.retryable;
  if (request.diagnostic) {
    if (!error_code) error_code = request.diagnostic->string_at("error_code");
    if (!retryable) retryable = request.diagnostic->find("retryable")->as_bool();
  }
  const bool keeps = codes == KeptCodes::until_replaced;
  run.status = request.to;
  run.diagnostic = request.diagnostic;
  if (error_code || !keeps) run.error_code = error_code;
  if (retryable || !keeps) run.retryable = retryable;
  if (run.status == Status::running && !run.started_at) run.started_at = now;
  run.ended_at = is_terminal(run.status) ? std::optional(now) : std::nullopt;
}

void append(Run& run, AuditEvent event) {
  event.sequence = run.audit.size() + 1;
  run.audit.push_back(std::move(event));
}

/// Enters the status and records that.
void change(Run& run, const TransitionRequest& request, Instant now, const IdSource& next_event_id,
            const Policy& policy) {
  const Status before = run.status;
  enter(run, request, now, policy.codes);
  append(run, {.event_id = next_event_id(),
               .outcome = AuditOutcome::success,
               .before = before,
               .after = run.status,
               .attempted = request.to,
               .error_code = run.error_code,
               .at = now});
}

TransitionRequest forced_failure(Status from, Status attempted) {
  return {.to = Status::failed,
          .diagnostic = forced_failure_diagnostic(to_string(from), to_string(attempted))};
}

void refuse(Run& run, Status attempted, Instant now, const IdSource& next_event_id,
            const Policy& policy) {
  append(run, {.event_id = next_event_id(),
               .outcome = AuditOutcome::deny,
               .before = run.status,
               .after = run.status,
               .attempted = attempted,
               .error_code = std::string(invalid_state_transition),
               .at = now});
  const InvalidAttempt effect = is_terminal(run.status) ? policy.on_terminal : policy.on_open;
  if (effect == InvalidAttempt::keeps_run) return;
  change(run, forced_failure(run.status, attempted), now, next_event_id, policy);
}

}  // namespace

Run create(std::string run_id, std::optional<std::string> run_kind, Instant now) {
  Run run;
  run.root_run_id = run_id;
  run.run_id = std::move(run_id);
  run.run_kind = std::move(run_kind);
  run.created_at = now;
  return run;
}

TransitionResult transition(Run& run, const TransitionRequest& request, Instant now,
                            const IdSource& next_event_id, const Policy& policy) {
  std::optional<DiagnosticProblem> problem = problem_of(request, policy);
  const bool is_for_diagnostic =
      policy.diagnostic_comes_first && problem.has_value() && is_failure(request.to);
  if (!policy.allows(run.status, request.to) && !is_for_diagnostic) {
    refuse(run, request.to, now, next_event_id, policy);
    return {TransitionOutcome::refused};
  }
  if (problem) {
    return {TransitionOutcome::diagnostic_incomplete, std::move(problem)};
  }
  change(run, request, now, next_event_id, policy);
  return {TransitionOutcome::accepted};
}

std::optional<Run> retry(const Run& original, std::string new_run_id, Instant now,
                         const Policy& policy) {
  if (!policy.may_be_retried(original.status)) return std::nullopt;
  Run run = create(std::move(new_run_id), original.run_kind, now);
  run.parent_run_id = original.run_id;
  run.root_run_id = original.root_run_id;
  return run;
}

std::string_view to_string(Action action) {
  constexpr Words<Action::escalate> words = {"wait", "stop", "retry", "escalate"};
  return words[action];
}

std::string_view to_string(AuditOutcome outcome) {
  return outcome == AuditOutcome::success ? "success" : "deny";
}

Action next_action(const Run& run, const Policy& policy) {
  switch (run.status) {
    case Status::created:
    case Status::running:
    case Status::waiting:
      return Action::wait;
    case Status::success:
    case Status::canceled:
      return Action::stop;
    case Status::denied:
      if (!policy.retries_denied) return Action::escalate;
      break;
    case Status::failed:
    case Status::timeout:
      break;
  }
  return run.retryable.value_or(false) ? Action::retry : Action::escalate;
}

}  // namespace assay::runs
