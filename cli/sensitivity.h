#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/sensitivity_cache.h"
#include "cli/suite.h"
#include "cli/terminal.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::cli {

/// What a run's passes would have noticed: for each clause that the record says holds, the faults
/// of the zoo that break it and that at least one of the cases that passed fails under that clause,
/// when it judges the reference with the fault through the lens of the target's profile. A case
/// counts only where the sound reference passes it so. Works through the faults on all cores and
/// stops for each at the first case that notices it; what is tried is kept in the cache. Nothing
/// where `stop` was requested.
[[nodiscard]] std::optional<std::vector<core::Sensitivity>> measure_sensitivity(
    const core::RunRecord& record, std::span<const core::Case> cases, const core::Profile& target,
    const SensitivityCache& cache, const std::stop_token& stop, Terminal& terminal);

/// Of one clause, had all of these cases passed on a target with that profile: the most that they
/// could show of it.
[[nodiscard]] core::Sensitivity possible_sensitivity(const std::string& clause,
                                                     std::span<const core::Case> cases,
                                                     const core::Profile& target,
                                                     const SensitivityCache& cache,
                                                     Terminal& terminal);

}  // namespace assay::cli
