#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/core/record.h"

namespace assay::check {

/// A case that passed in some runs and failed, or was not decided, in others.
struct FlakyCase {
  std::string id;
  std::size_t failed = 0;
  std::size_t played = 0;
  /// The 95 % interval (Wilson's) of how often it does not pass, 0 to 1.
  double lowest = 0;
  double highest = 1;
};

/// The flaky cases of all records together, the flakiest first. What was not applicable, or an
/// error of the harness or the network, count for nothing.
[[nodiscard]] std::vector<FlakyCase> flaky_cases(std::span<const core::RunRecord> records);

}  // namespace assay::check
