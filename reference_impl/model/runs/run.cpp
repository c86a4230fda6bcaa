#include "reference_impl/model/runs/run.h"

#include <utility>

namespace assay::runs {
namespace {

bool is_permitted(Status from, Status to, const Deviations& deviations) {
  const std::optional<ForbiddenFamily> family = forbidden_family(from, to);
  if (family) return family == deviations.accepted_family;
  const std::optional<Transition>& refused = deviations.refused_transition;
  return !(refused && refused->from == from && refused->to == to);
}

std::optional<DiagnosticProblem> problem_of(const TransitionRequest& request,
                                            const Deviations& deviations) {
  if (request.diagnostic) return diagnostic_problem(*request.diagnostic);
  if (!is_failure(request.to) || deviations.diagnostic_not_required) return std::nullopt;
  return DiagnosticProblem{"", std::string(to_string(request.to)) + " needs a diagnostic"};
}

/// The run in its new status, with what came with the request.
void enter(Run& run, const TransitionRequest& request, Instant now) {
  run.status = request.to;
  run.diagnostic = request.diagnostic;
  run.error_code = request.error_code;
  run.retryable = request.retryable;
  if (run.diagnostic) {
    if (!run.error_code) run.error_code = run.diagnostic->string_at("error_code");
    if (!run.retryable) run.retryable = run.diagnostic->find("retryable")->as_bool();
  }
  if (run.status == Status::running && !run.started_at) run.started_at = now;
  run.ended_at = is_terminal(run.status) ? std::optional(now) : std::nullopt;
}

void append(Run& run, AuditEvent event) {
  event.sequence = run.audit.size() + 1;
  run.audit.push_back(std::move(event));
}

/// Enters the status and records that.
void change(Run& run, const TransitionRequest& request, Instant now,
            const IdSource& next_event_id) {
  const Status before = run.status;
  enter(run, request, now);
  append(run, {.event_id = next_event_id(),
               .outcome = AuditOutcome::success,
               .before = before,
               .after = run.status,
               .attempted = request.to,
               .error_code = run.error_code,
               .at = now});
}

TransitionRequest forced_failure(Status from, Status attempted, const Deviations& deviations) {
  const std::string_view code =
      deviations.refusal_records_other_code ? "INTERNAL_ERROR" : invalid_state_transition;
  return {.to = Status::failed,
          .diagnostic = forced_failure_diagnostic(to_string(from), to_string(attempted), code)};
}

void refuse(Run& run, Status attempted, Instant now, const IdSource& next_event_id,
            const Rules& rules) {
  if (!rules.deviations.no_audit_on_refusal) {
    append(run, {.event_id = next_event_id(),
                 .outcome = AuditOutcome::deny,
                 .before = run.status,
                 .after = run.status,
                 .attempted = attempted,
                 .error_code = std::string(invalid_state_transition),
                 .at = now});
  }
  const bool fails = is_terminal(run.status)
                         ? rules.policy.terminal_attempt == Policy::TerminalAttempt::mark_failed
                         : !rules.deviations.refusal_leaves_the_run;
  if (!fails) return;
  change(run, forced_failure(run.status, attempted, rules.deviations), now, next_event_id);
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
                            const IdSource& next_event_id, const Rules& rules) {
  if (!is_permitted(run.status, request.to, rules.deviations)) {
    refuse(run, request.to, now, next_event_id, rules);
    return {TransitionOutcome::refused};
  }
  if (std::optional<DiagnosticProblem> problem = problem_of(request, rules.deviations)) {
    return {TransitionOutcome::diagnostic_incomplete, std::move(problem)};
  }
  change(run, request, now, next_event_id);
  if (rules.deviations.no_audit_on_transition) run.audit.pop_back();
  return {TransitionOutcome::accepted};
}

std::optional<Run> retry(const Run& original, std::string new_run_id, Instant now,
                         const Rules& rules) {
  if (!is_failure(original.status)) return std::nullopt;
  if (rules.deviations.retry_reuses_id) new_run_id = original.run_id;
  Run run = create(std::move(new_run_id), original.run_kind, now);
  run.parent_run_id = original.run_id;
  run.root_run_id = original.root_run_id;
  return run;
}

std::string_view to_string(Action action) {
  switch (action) {
    case Action::wait:
      return "wait";
    case Action::stop:
      return "stop";
    case Action::retry:
      return "retry";
    case Action::escalate:
      break;
  }
  return "escalate";
}

std::string_view to_string(AuditOutcome outcome) {
  return outcome == AuditOutcome::success ? "success" : "deny";
}

Action next_action(const Run& run, const Rules& rules) {
  switch (run.status) {
    case Status::created:
    case Status::running:
    case Status::waiting:
      return Action::wait;
    case Status::success:
    case Status::canceled:
      return Action::stop;
    case Status::denied:
      return Action::escalate;
    case Status::failed:
    case Status::timeout:
      break;
  }
  const bool retryable = run.retryable.value_or(false);
  return retryable || rules.deviations.orchestrator_ignores_retryable ? Action::retry
                                                                      : Action::escalate;
}

}  // namespace assay::runs
