#pragma once

#include <string>

#include "cli/terminal.h"

namespace assay::cli {

/// Prints which clauses the suite can judge through a profile, which not, and what would bring
/// them. Throws UsageError where there is no such profile.
void explain_reach(const std::string& profile, bool json, Terminal& terminal);

}  // namespace assay::cli
