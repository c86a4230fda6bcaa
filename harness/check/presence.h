#pragma once

#include "harness/core/pattern.h"
#include "harness/core/scenario.h"

namespace assay::check {

/// Whether only a value that shows something matches: null, an empty list and whatever is excluded
/// show nothing.
[[nodiscard]] bool demands_presence(const core::Pattern& pattern);

/// Whether anything in the scenario passes only where the target shows something: an answer that is
/// demanded, or a read with a value, an event or a step that has to be there. What expects absences
/// alone is passed by a server that shows nothing.
[[nodiscard]] bool demands_presence(const core::Scenario& scenario);

}  // namespace assay::check
