#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/record.h"

namespace assay::check {

/// What to say of a run in which the target took every request of one operation for malformed (400,
/// 415 or 422), and cases did not pass with it: a note for each such operation, with the first
/// answer. The verdicts stand, but what they judge may be the profile.
[[nodiscard]] std::vector<std::string> notes_on_refused_requests(
    std::span<const core::CaseResult> cases);

}  // namespace assay::check
