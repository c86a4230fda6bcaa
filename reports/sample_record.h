#pragma once

#include "harness/core/clause_table.h"
#include "harness/core/record.h"

namespace assay::reports {

/// A few clauses of each level, enough for every row of a report.
[[nodiscard]] core::ClauseTable sample_clauses();

/// A run in which every outcome occurs once or more, against a target that sends what it shouldn't:
/// markup, escape sequences, invalid UTF-8, bidirectional overrides and an echo of the secret.
[[nodiscard]] core::RunRecord sample_record();

/// The secret of sample_record's requests: no report may have it.
inline constexpr const char* sample_secret = "s3cret-token-value";

}  // namespace assay::reports
