#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"
#include "reports/wording.h"

namespace assay::reports {

/// Parts of the page, each a piece of HTML in which everything from the record is escaped.

/// The outcome as a tag: a sign and a word, never colour alone.
[[nodiscard]] std::string outcome_tag(Outcome outcome);
[[nodiscard]] std::string standing_tag(Standing standing);

/// The class of what shows a conclusion: "not-proven".
[[nodiscard]] std::string_view conclusion_style(Conclusion conclusion);

/// Names for links, the same in each run: "clause-STM-CORE-1", "case-status_sample_4".
[[nodiscard]] std::string clause_anchor(std::string_view id);
[[nodiscard]] std::string case_anchor(std::string_view id);
/// The link of a heading to itself, to be copied.
[[nodiscard]] std::string self_link(std::string_view anchor, std::string_view what);

/// A clause's id, linked to its place.
[[nodiscard]] std::string clause_link(const Report& report, std::string_view id);
/// Names as clause_names gives them, each linked where it is a clause.
[[nodiscard]] std::string clause_links(const Report& report, const std::vector<std::string>& ids);

/// The clauses by level and what the run says of them.
[[nodiscard]] std::string counts_html(const Report& report);
/// Why cases came out as they did, each cause with the case that shows it best. `expected` chooses
/// what a baseline expects, or all else.
[[nodiscard]] std::string causes_html(const Report& report, bool expected);
/// The exchanges of a case that were under way together, as bars on a line of time, one lane for
/// each that overlaps; empty where none did.
[[nodiscard]] std::string timeline_html(const CaseReport& each);
/// The clauses by specification, each with level, standing and how it was judged.
[[nodiscard]] std::string clauses_html(const Report& report);
/// Each layer's states and transitions, drawn, with what was exercised.
[[nodiscard]] std::string coverage_html(const Report& report);
/// What the page's script shows when asked: every case with its steps and checks, as JSON that is
/// safe inside a script element.
[[nodiscard]] std::string page_data(const Report& report);

}  // namespace assay::reports
