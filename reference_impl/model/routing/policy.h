#pragma once

#include <cstdint>

namespace assay::routing {

/// When the final step is scheduled: once the flow is quiescent (RTE-FINAL-ONCE), or as soon as one
/// branch has ended.
enum class FinalStepStart : std::uint8_t { at_quiescence, after_first_branch };

/// When a loop is done: once every iteration has ended (EVT-LOOP-ORDER), or once one has failed, in
/// sequential loops only or in all.
enum class LoopEnd : std::uint8_t {
  after_all_iterations,
  at_first_failure_in_sequence,
  at_first_failure
};

/// What a second outcome of one step run is: kept as an anomaly (RTE-ROUTE-WHEN), or routed again.
enum class RepeatedOutcome : std::uint8_t { is_anomaly, is_routed };

/// What becomes of rendered args that are larger than a token may carry: they fail the execution
/// (RTE-ARGS-REF), or the token carries them all the same, or none.
enum class OversizedArgs : std::uint8_t { fail, are_bound, are_dropped };

// What the specifications leave open: either side is sound.

/// Which of several tokens is admitted first: in the order of the arcs and of waiting, or the last
/// arc's and the newest.
enum class TokenOrder : std::uint8_t { oldest_first, newest_first };

/// When waiting tokens are asked again: where ctx has changed, or at every patch of it.
enum class Readmission : std::uint8_t { on_change, on_every_patch };

/// Whether payload.ctx of an iteration's outcome is merged, as that of a step's is.
enum class IterationCtx : std::uint8_t { is_merged, stays_out };

/// Whose args stand where arrivals that meet at a join bring one name.
enum class JoinedArgs : std::uint8_t { last_arrival, first_arrival };

/// What the counts of the final summary are of: step runs, or steps, each once.
enum class SummaryCounts : std::uint8_t { step_runs, steps };

/// What becomes of a final summary that is larger than args may be.
enum class LongSummary : std::uint8_t { is_shortened, fails };

/// Whether playbook.paused is appended when every token waits for admission.
enum class ClosedGates : std::uint8_t { are_silent, are_paused };

/// Whether an execution with nothing left to schedule ends during a pause.
enum class PausedEnd : std::uint8_t { at_resume, at_once };

/// When tokens that arrive during a pause are asked for admission; they are scheduled at the
/// resume.
enum class PausedAdmission : std::uint8_t { at_resume, at_once };

/// What a guard is that cannot be evaluated: it fails the execution at once, or counts as false
/// (interpretation guard_error).
enum class FailingGuard : std::uint8_t { fails_execution, is_false };

/// What admission rules come to of which none holds, without an else (admit_without_match).
enum class UnmatchedAdmission : std::uint8_t { denies, allows };

/// Whether the final step runs after branches that failed (final_step_after_failure).
enum class FinalStepAfterFailure : std::uint8_t { runs, is_skipped };

/// What playbook.finished says of an outcome that is partial (partial_state).
enum class PartialEnd : std::uint8_t { is_success, is_error };

/// Who may emit loop.iteration.scheduled (iteration_scheduled_by_worker).
enum class IterationScheduling : std::uint8_t { by_server, by_worker_too };

/// How the net settles what playbooks can't: the defaults are the specification's.
struct NetPolicy {
  FinalStepStart final_step = FinalStepStart::at_quiescence;
  LoopEnd loop_end = LoopEnd::after_all_iterations;
  RepeatedOutcome repeated_outcome = RepeatedOutcome::is_anomaly;
  OversizedArgs oversized_args = OversizedArgs::fail;
  TokenOrder token_order = TokenOrder::oldest_first;
  Readmission readmission = Readmission::on_change;
  IterationCtx iteration_ctx = IterationCtx::is_merged;
  JoinedArgs joined_args = JoinedArgs::last_arrival;
  SummaryCounts summary_counts = SummaryCounts::step_runs;
  LongSummary long_summary = LongSummary::is_shortened;
  ClosedGates closed_gates = ClosedGates::are_silent;
  PausedEnd paused_end = PausedEnd::at_resume;
  PausedAdmission paused_admission = PausedAdmission::at_resume;
  FailingGuard failing_guard = FailingGuard::fails_execution;
  UnmatchedAdmission unmatched_admission = UnmatchedAdmission::denies;
  FinalStepAfterFailure final_step_after_failure = FinalStepAfterFailure::runs;
  PartialEnd partial_end = PartialEnd::is_success;
  IterationScheduling iteration_scheduling = IterationScheduling::by_server;
};

}  // namespace assay::routing
