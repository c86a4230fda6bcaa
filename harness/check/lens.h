#pragma once

#include "harness/core/profile.h"

namespace assay::check {

/// The reference as it would be seen through another target's profile: its own requests, with what
/// that profile cannot ask or does not see left out. Capabilities and operations that the target
/// does not have, parameters that it lacks, event types and states that it has no word for, members
/// that it does not show or that its profile sets to a constant, statuses that its profile does not
/// tell apart. What the suite notices of a broken reference seen so, it would notice of the target.
[[nodiscard]] core::Profile lens(const core::Profile& reference, const core::Profile& target);

}  // namespace assay::check
