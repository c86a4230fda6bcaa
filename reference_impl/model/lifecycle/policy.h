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

/// Who may hold an entity, and until when (WFX-LOCK-EXCL, WFX-DONE-RELEASE).
struct LockPolicy {
  LockTable::Sharing sharing = LockTable::Sharing::exclusive;
  /// Whether an execution that ends so after this many executed steps gives its locks back.
  bool (*releases)(Ending ending, std::size_t executed_steps) = [](Ending, std::size_t) {
    return true;
  };
};

/// What the specification leaves to the operator, the paths that it reserves or plans, and the
/// rules that executions share.
struct Policy {
  /// VALID goes to BLOCKED_WAITING until Engine::conditions_met (reserved for future use).
  bool await_conditions = false;
  /// A failure after side effects goes to ROLLBACK, with jobs in reverse step order (planned).
  bool rollback = false;
  /// How long a job may be POLLED before it fails.
  std::chrono::milliseconds stuck_after = std::chrono::minutes(12);
  Discovery discovery = Discovery::all_results;
  Taint taint = Taint::executed_steps;
  LockPolicy locks = {};
};

}  // namespace assay::lifecycle
