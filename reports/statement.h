#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/report.h"

namespace assay::reports {

/// A row of the statement's facts: a name and what the record says.
using Fact = std::pair<std::string, std::string>;

/// A clause that is broken, and what accepts every case that shows it: "by the baseline" or
/// "flaky"; "no" if one is not accepted.
struct BrokenClause {
  const ClauseReport* report = nullptr;
  std::string_view accepted = "no";
};

/// A reason and its clauses, with the number of its cases if it is a deviation.
struct Account {
  std::string why;
  std::vector<std::string> clauses;
  std::size_t cases = 0;
};

/// The contents of the compliance statement, whatever its format.
struct Statement {
  std::vector<Fact> facts;
  /// Those that nothing accepts come first.
  std::vector<BrokenClause> broken;
  /// Failures that the baseline accepts, grouped by its reason (with reference and expiry).
  std::vector<Account> deviations;
  /// Clauses neither shown to hold nor broken, grouped by reason.
  std::vector<Account> open;
  /// Shell commands that repeat the run.
  std::vector<std::string> commands;
};

[[nodiscard]] Statement statement_of(const Report& report);

}  // namespace assay::reports
