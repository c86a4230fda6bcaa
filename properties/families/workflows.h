#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/draft.h"
#include "properties/family.h"

namespace assay::properties {

/// What families of workflow executions (specification 002) share.

/// Registers the blocks of a case: "${unique}-pure", "${unique}-impure" and "${unique}-locking",
/// which is pure and acquires an entity of its own.
[[nodiscard]] std::vector<core::Step> register_blocks();

/// Starts a workflow of these steps.
[[nodiscard]] core::Step start_workflow(List steps, const std::string& as);

/// Entities of the case by the bits of an operand, three at most.
[[nodiscard]] List entities_of(std::uint8_t bits);

/// The status of an execution; empty where there is none.
[[nodiscard]] std::string workflow_status(const View& view, std::string_view on);

/// Jobs of an execution in a state.
[[nodiscard]] List jobs_in(const View& view, std::string_view on, std::string_view state);

/// A worker takes the next job of an execution and pushes its result; nothing where it has none.
[[nodiscard]] std::optional<core::Step> work_on(const Move& move, const View& view, std::string on,
                                                bool succeeds);

/// Whether a status is an outcome or its acknowledgement.
[[nodiscard]] bool is_outcome(std::string_view status);

}  // namespace assay::properties
