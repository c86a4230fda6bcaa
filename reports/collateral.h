#pragma once

#include <map>
#include <string>

#include "harness/core/clause_table.h"
#include "harness/core/record.h"

namespace assay::reports {

/// Whether a failed check of a case follows from the one that decided it: it read the same resource
/// with nothing sent in between, or found the same wrong value in the same member again. What was
/// read after a later request is a failure of its own.
[[nodiscard]] bool follows_from_deciding(const core::CaseResult& result, const core::Check& check);

/// The clauses that fail only along with another: each with the clause that the cause is about,
/// which no other failure names second. A clause never follows from one of a lower level, which
/// would take it out of the count of broken ones.
[[nodiscard]] std::map<std::string, std::string> following_clauses(const core::RunRecord& record,
                                                                   const core::ClauseTable& table);

}  // namespace assay::reports
