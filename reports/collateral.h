#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/record.h"
#include "reports/report.h"

namespace assay::reports {

/// The failed checks of a case that follow from the one that decided it, by their place: they read
/// the same resource with nothing sent in between, or found the same wrong value in the same member
/// again. What was read after a later request is a failure of its own.
[[nodiscard]] std::vector<std::size_t> following_checks(const core::CaseResult& result);

/// The clauses that fail only along with another: each with the clause that the cause is about,
/// which no other failure names second. A clause never follows from one of a lower level, which
/// would take it out of the count of broken ones. `cases` are those of the report, in the record's
/// order.
[[nodiscard]] std::map<std::string, std::string> following_clauses(
    const core::RunRecord& record, const std::vector<CaseReport>& cases,
    const core::ClauseTable& table);

}  // namespace assay::reports
