#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/baseline.h"
#include "harness/core/clause_table.h"
#include "harness/core/source.h"

namespace assay::wire {

/// Whether the text is YYYY-MM-DD of a day that exists.
[[nodiscard]] bool is_day(std::string_view text);

/// Reads a baseline: `expected_failures:` with {case, clause, seen?, verdict?, reason, reference?,
/// owner?, expires?, when?, sometimes?} each, or says everything that is wrong with it. Never
/// throws for anything that the text contains.
[[nodiscard]] Result<core::Baseline, std::vector<core::Diagnostic>> read_baseline(
    std::string_view text, const std::string& file_name, const core::ClauseTable& clauses);

}  // namespace assay::wire
