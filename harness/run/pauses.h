#pragma once

namespace assay::run {

/// Between two looks at a target: short at first, twice as long each time, up to the longest.
inline constexpr double first_pause_ms = 5;
inline constexpr double longest_pause_ms = 250;

}  // namespace assay::run
