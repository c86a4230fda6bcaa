#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "reference_impl/model/lifecycle/lock_table.h"

namespace assay::lifecycle {

/// How an execution came to its end.
enum class Ending : std::uint8_t { completion, failure, abort };

/// What discovery waits for before it is over (WFX-DISC-DONE).
enum class Discovery : std::uint8_t { all_results, first_result };

/// Whose impurity makes an execution impure: that of the steps that were executed, or also that of
/// steps that were passed over by their condition (WFX-ERR-SAFE).
enum class Taint : std::uint8_t { executed_steps, reached_steps };

/// How an abort ends an execution: by the purity of what was executed, or as unsafe in any case
/// (interpretation abort_outcome).
enum class AbortOutcome : std::uint8_t { by_purity, always_unsafe };

/// What becomes of a submission that cannot be executed: an execution that ends at once, or a
/// refusal (invalid_submission).
enum class InvalidSubmission : std::uint8_t { is_made, is_refused };

/// By which way a failed ACQUIRE job ends an execution (failed_acquire).
enum class FailedAcquire : std::uint8_t { directly, by_error };

/// Which of the steps that a rollback undoes comes first (WFX-ERR-ROLLBACK).
enum class UndoOrder : std::uint8_t { newest_first, oldest_first };

// What the specification leaves open: either side is sound.

/// Which entities an ACQUIRE job whose result names some has found: those besides the declared
/// ones, or those alone.
enum class FoundEntities : std::uint8_t { besides_declared, instead_of_declared };

/// Which PENDING job a worker gets.
enum class JobOrder : std::uint8_t { oldest_first, newest_first };

/// What a result that comes after its execution's end does to the job: it is kept, the job is
/// PUSHED without showing it, or the job stays POLLED.
enum class LateResult : std::uint8_t { is_kept, is_hidden, is_ignored };

/// How an execution ends whose impure steps can't all be undone: by way of ROLLBACK, or not.
enum class UndoMissing : std::uint8_t { ends_at_once, passes_rollback };

/// What becomes of the entities of an execution in LOCKING while the lock service hangs.
enum class HangingLocks : std::uint8_t { are_kept, are_freed };

/// What becomes of executions that are held, once the hold moves to another state.
enum class MovedHold : std::uint8_t { keeps_them, lets_them_go };

/// Who may hold an entity, and until when (WFX-LOCK-EXCL, WFX-DONE-RELEASE).
struct LockPolicy {
  LockTable::Sharing sharing = LockTable::Sharing::exclusive;
  /// Whether an execution that ends so after this many executed steps gives its locks back.
  bool (*releases)(Ending ending, std::size_t executed_steps) = [](Ending, std::size_t) {
    return true;
  };
};

/// What the specification leaves to the operator, and the rules that executions share.
struct Policy {
  /// How long a job may be POLLED before it fails.
  std::chrono::milliseconds stuck_after = std::chrono::minutes(12);
  Discovery discovery = Discovery::all_results;
  Taint taint = Taint::executed_steps;
  LockPolicy locks = {};
  UndoOrder undo_order = UndoOrder::newest_first;
  FoundEntities found_entities = FoundEntities::besides_declared;
  JobOrder job_order = JobOrder::oldest_first;
  LateResult late_result = LateResult::is_kept;
  UndoMissing undo_missing = UndoMissing::ends_at_once;
  HangingLocks hanging_locks = HangingLocks::are_kept;
  MovedHold moved_hold = MovedHold::keeps_them;
  AbortOutcome abort_outcome = AbortOutcome::by_purity;
  InvalidSubmission invalid_submission = InvalidSubmission::is_made;
  FailedAcquire failed_acquire = FailedAcquire::directly;
};

}  // namespace assay::lifecycle
