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

/// Which of the steps that a rollback undoes comes first (WFX-ERR-ROLLBACK).
enum class UndoOrder : std::uint8_t { newest_first, oldest_first };

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
};

}  // namespace assay::lifecycle
