#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/record.h"
#include "harness/core/verdict.h"

namespace assay::check {

/// The verdict of a case that ran: the worst of its checks. A case without a check proved nothing,
/// and is inconclusive.
[[nodiscard]] core::Verdict case_verdict(std::span<const core::Check> checks);

/// What a run came to for one clause.
struct ClauseVerdict {
  std::string clause;
  core::Verdict verdict = core::Verdict::not_applicable;
  std::size_t checks = 0;
  /// Ids of the cases that have it among their clauses, in the order of the record.
  std::vector<std::string> cases;
  /// Whether every case that brings it below pass was expected to by a baseline.
  bool expected_fail = false;
};

/// One entry for each clause that a case of the record names, sorted by clause. A clause's verdict
/// is the worst of its checks; a case that is not applicable counts for its clauses as such.
[[nodiscard]] std::vector<ClauseVerdict> clause_verdicts(const core::RunRecord& record);

/// Whether nothing of a case reached the target: it sent something, and each request failed before
/// it was sent.
[[nodiscard]] bool is_unreachable(const core::CaseResult& result);

/// What a run ends with (docs/verdicts.md), by the first of these that holds:
///
///   1  a fail that no baseline expects
///   3  nothing of the target was ever reached, or it could no longer be judged (footer.stopped)
///   6  an error, the harness's or the network's
///   1  an inconclusive case that no baseline expects
///   4  no case ran, or none applied, or the record has no footer
///   1  less of the model was exercised, or fewer clauses were shown, than the run requires
///   5  a case passes that a baseline expects to fail, or an entry of it is stale, unmatched or
///      expired
///   0  otherwise
///
/// A case that passed only when it was run again counts as what it was the first time, or not at
/// all where the run tolerates flaky cases.
///
/// With a clause table, a fail counts only where it is about a clause that is a MUST: SHOULD warns
/// and MAY informs. A clause that the table does not have counts as a MUST.
[[nodiscard]] core::ExitCode exit_code_of(const core::RunRecord& record,
                                          const core::ClauseTable* clauses = nullptr);

}  // namespace assay::check
