#pragma once

#include <string>

#include "harness/core/scenario.h"

namespace assay::cli {

/// The script of one case in the scenario language, with the values of its row in place of their
/// names: a scenario of its own, which `assay run --scenarios` plays.
[[nodiscard]] std::string case_script(const core::Case& one);

}  // namespace assay::cli
