#pragma once

#include <chrono>
#include <optional>

#include "reference_impl/model/lifecycle/state.h"

namespace assay::lifecycle {

/// What the seed leaves to the operator, and the paths that it reserves or plans.
struct Policy {
  /// VALID goes to BLOCKED_WAITING until Engine::conditions_met (reserved for future use).
  bool await_conditions = false;
  /// A failure after side effects goes to ROLLBACK, with jobs in reverse step order (planned).
  bool rollback = false;
  /// How long a job may be POLLED before it fails.
  std::chrono::milliseconds stuck_after = std::chrono::minutes(12);
};

/// Named faults, for reference_impl/faults only; each is asked in exactly one place.
struct Deviations {
  std::optional<State> omitted_state = {};  ///< passed through without ever being shown
  bool unknown_block_accepted = false;
  bool acquire_jobs_missing = false;
  bool discovery_ends_with_first_result = false;
  bool failed_acquire_ignored = false;
  bool lock_given_to_two = false;
  bool lock_failure_ignored = false;
  bool lock_kept_after_completion = false;
  bool lock_kept_after_several_steps = false;  ///< of a completed execution
  bool lock_kept_after_failure = false;
  bool lock_kept_after_abort = false;
  bool step_failure_ignored = false;
  bool completes_after_first_step = false;
  bool impure_failure_called_safe = false;
  bool pure_failure_called_unsafe = false;
  bool skipped_impure_step_taints = false;
  bool abort_leaves_jobs = false;  ///< PENDING jobs of an aborted execution are still handed out
  bool abort_reopens_outcome =
      false;  ///< an ended execution can still be aborted, to FAILED_UNSAFE
  bool late_result_changes_outcome = false;
  bool acknowledgement_crosses_outcomes = false;
  bool job_handed_to_two_workers = false;
  bool stuck_job_never_fails = false;
  bool ended_executions_listed_active = false;
};

}  // namespace assay::lifecycle
