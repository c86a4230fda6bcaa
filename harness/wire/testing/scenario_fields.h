#pragma once

#include <string>
#include <vector>

#include "harness/core/scenario.h"

namespace assay::wire {

/// Every field of a scenario but the places in its text, as lines to compare in tests. Written
/// without the writer and its words, so that what both forget shows.
[[nodiscard]] std::vector<std::string> scenario_fields(const core::Scenario& scenario);

}  // namespace assay::wire
