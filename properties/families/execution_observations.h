#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/family.h"

namespace assay::properties {

/// Specification 000: what is looked at after a step of a replay execution, under the clause that
/// says what that very step does.

[[nodiscard]] bool is_terminal(std::string_view state);

/// The state of the main execution: Family::state.
[[nodiscard]] std::string execution_state(const View& view);

/// The status answer: state, times, the closing event, current_step.
[[nodiscard]] std::vector<Observation> observe_status(const TakenStep& taken);

/// The status answer, and the layer that the step may have moved.
[[nodiscard]] std::vector<Observation> observe_layers(const TakenStep& taken);

}  // namespace assay::properties
