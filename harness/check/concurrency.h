#pragma once

#include <vector>

#include "harness/core/history.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"

namespace assay::check {

/// Which objects' histories are judged: one without calls that overlap shows nothing that single
/// steps do not, but is all that there is where a case has no other check.
enum class Histories { overlapping, all };

/// Whether one order explains the answers of a case's calls: a check for each execution and run
/// whose calls overlap, without clauses and place. The sequential specifications are those of the
/// reference binding, and there is a check only where the profile declares to speak it; where reads
/// may lag behind, only what writes is judged. The evidence points into the history.
[[nodiscard]] std::vector<core::Check> judge_concurrent_calls(
    const core::History& history, const core::Profile& profile,
    Histories which = Histories::overlapping);

}  // namespace assay::check
