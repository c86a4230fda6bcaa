#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::check {

/// By clause, the indices into `cases` of those by which the record says that it holds: a check of
/// it passed there, and none came to anything worse. A case that ends at its first failing check
/// counts only where it did not, because of what it would have asked afterwards nothing is known.
/// Only clauses that hold in the whole record are there.
[[nodiscard]] std::map<std::string, std::vector<std::size_t>> holding_cases(
    const core::RunRecord& record, std::span<const core::Case> cases);

/// What of a profile's limits keeps these cases from seeing a clause broken: members that they
/// expect and the target does not show ("`commands` is unobserved in executions.detail"), and
/// states that it has no word for ("the target has no word for `denied`"). Each once, in that
/// order.
[[nodiscard]] std::vector<std::string> hidden_by(std::string_view clause,
                                                 std::span<const core::Case* const> cases,
                                                 const core::Profile& profile);

/// Whether a clause whose checks all pass is shown to hold: where sensitivity was measured, only
/// with a fault that would have been noticed. In a record without it every pass counts, as it did
/// when that was made.
[[nodiscard]] bool is_shown(const core::RunRecord& record, std::string_view clause);

/// The MUST clauses that a run reached (a case that names one sent something), and those of them
/// that it showed to hold or to be broken.
struct ShownTotal {
  std::size_t shown = 0;
  std::size_t reached = 0;

  /// 0 to 100; 0 where none was reached.
  [[nodiscard]] double percent() const;
};

/// A clause that the table does not have counts as a MUST.
[[nodiscard]] ShownTotal shown_total(const core::RunRecord& record,
                                     const core::ClauseTable* clauses);

/// Whether the run showed fewer of the clauses that it reached than it had to.
[[nodiscard]] bool shows_too_few(const core::RunRecord& record, const core::ClauseTable* clauses);

}  // namespace assay::check
