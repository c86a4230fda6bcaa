#pragma once

#include <span>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/scenario.h"
#include "harness/core/source.h"

namespace assay::cli {

/// Pure. What `lacks` costs a profile: for each parameter that an operation is said not to take,
/// how many cases that would apply otherwise give it, where any does. That may be meant, or more
/// than was meant: a parameter that no request names is not sent, and no case is lost by that.
[[nodiscard]] std::vector<core::Diagnostic> notes_on_lacks(
    const core::Profile& profile, std::span<const core::Scenario> scenarios);

}  // namespace assay::cli
