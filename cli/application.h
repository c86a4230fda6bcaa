#pragma once

#include <string>
#include <vector>

#include "cli/terminal.h"
#include "harness/core/verdict.h"

namespace assay::cli {

/// Runs one command line (without the program's name). Answers go to the terminal's `out`, what
/// went wrong to its `err`; usage and configuration give 2, a fault of the harness itself 6. Never
/// throws.
[[nodiscard]] core::ExitCode run_application(const std::vector<std::string>& arguments,
                                             Terminal& terminal);

}  // namespace assay::cli
