#pragma once

#include <string>

#include "cli/terminal.h"

namespace assay::cli {

struct ReachStyle {
  bool json = false;
  /// Also what it would take for specifications that the profile declares nothing of.
  bool whole = false;
};

/// Prints which clauses the suite can judge through a profile, which not, and what would bring
/// them. Throws UsageError where there is no such profile.
void explain_reach(const std::string& profile, ReachStyle style, Terminal& terminal);

}  // namespace assay::cli
