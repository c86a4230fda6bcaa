#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/check/linearizability.h"
#include "harness/check/sequential_execution.h"
#include "harness/check/sequential_run.h"
#include "harness/core/history.h"

namespace assay::check {

/// The calls of one object, for check_linearizability.
template <typename Call>
struct ObjectHistory {
  /// The execution's or run's identifier.
  std::string id;
  /// Whether it was there before the first of these calls (none of them makes it).
  bool existed = false;
  std::vector<ObservedCall<Call>> calls;
  /// For each of them its position among the calls of the history.
  std::vector<std::size_t> positions;
};

using ExecutionHistory = ObjectHistory<ExecutionCall>;
using RunHistory = ObjectHistory<RunCall>;

/// The history of each replay execution and of each run that the calls are about, sorted by id.
/// Give all calls that may have changed an object, from its beginning: with a request outside the
/// operations ("request") among them there are no histories. What a call says nothing by is left
/// out: one that was never sent, a read without an answer, a refusal for what the request itself
/// holds, operations that neither change nor show what the sequential specifications know. A call
/// whose answer was lost or is not understood stays open. Driven executions have no history, nor
/// has an execution that took a post which is no event with an id and a type.
/// Where reads may lag behind (core::Consistency), leave them out.
[[nodiscard]] std::vector<ExecutionHistory> execution_histories(const core::History& history);
[[nodiscard]] std::vector<RunHistory> run_histories(const core::History& history);

}  // namespace assay::check
