#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/core/record.h"

namespace assay::check {

/// States and transitions of the model, all layers together.
struct CoverageTotal {
  std::size_t seen = 0;
  std::size_t defined = 0;

  /// 0 to 100; 0 where nothing is defined: nothing shows nothing.
  [[nodiscard]] double percent() const;
};

[[nodiscard]] CoverageTotal coverage_total(std::span<const core::LayerCoverage> layers);

/// The states and transitions that were never exercised: "execution: CANCELLED",
/// "run: running -> timeout: RUN-T7".
[[nodiscard]] std::vector<std::string> never_exercised(std::span<const core::LayerCoverage> layers);

/// Whether the run exercised less of the model than it had to.
[[nodiscard]] bool falls_short(const core::RecordFooter& footer);

}  // namespace assay::check
