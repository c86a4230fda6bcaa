#pragma once

#include <vector>

#include "cli/specification.h"
#include "harness/core/clause_table.h"
#include "harness/core/scenario.h"
#include "harness/core/source.h"

namespace assay::cli {

/// What breaks the rule that each clause is checked by a scenario, or says why it cannot be
/// observed from outside, or is listed as not yet covered, and is never two of these. A list that
/// names what is checked by now is wrong too: else it would grow stale.
[[nodiscard]] std::vector<core::Diagnostic> check_coverage(
    const core::ClauseTable& clauses, const std::vector<core::Scenario>& scenarios,
    const Specification& specification);

}  // namespace assay::cli
