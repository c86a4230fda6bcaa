#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay::reports {

/// Parts of the page, each a piece of HTML in which everything from the record is escaped.

/// The outcome as a tag: a sign and a word, never colour alone.
[[nodiscard]] std::string outcome_tag(Outcome outcome);
[[nodiscard]] std::string verdict_tag(const ClauseReport& clause);

/// A clause's id, linked to its row.
[[nodiscard]] std::string clause_link(const Report& report, std::string_view id);
/// Names as clause_names gives them, each linked where it is a clause.
[[nodiscard]] std::string clause_links(const Report& report, const std::vector<std::string>& ids);

/// The cases that a person must look at, each with expected, actual, exchanges and the way back.
[[nodiscard]] std::string troubled_html(const Report& report);
/// The exchanges of a case that were under way together, as bars on a line of time, one lane for
/// each that overlaps; empty where none did.
[[nodiscard]] std::string timeline_html(const CaseReport& each);
/// All cases in one table.
[[nodiscard]] std::string cases_html(const Report& report);
/// The clauses by specification, each with level, verdict and evidence.
[[nodiscard]] std::string clauses_html(const Report& report);
/// Each layer's states and transitions, drawn, with what was exercised.
[[nodiscard]] std::string coverage_html(const Report& report);

}  // namespace assay::reports
