#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/record.h"

namespace assay::check {

/// One clause in one case, and how it fails in either run.
struct Difference {
  std::string case_id;
  std::string clause;
  /// The signatures (core/failure.h), sorted; empty where it does not fail.
  std::vector<std::string> before;
  std::vector<std::string> after;
};

/// What tells one run from another. Each list has the order of the newer record, then that of the
/// older one.
struct Comparison {
  /// What they were made of, where that differs: "target: engine 4.1 -> engine 4.2".
  std::vector<std::string> facts;
  /// Passed, or was not there, and fails now.
  std::vector<Difference> newly_failing;
  /// Fails in both, with something in the newer run that the older one did not show.
  std::vector<Difference> failing_otherwise;
  /// Fails in the older run alone, and the newer one judged it.
  std::vector<Difference> fixed;
  /// Ids of clauses that held and that the newer run neither shows to hold nor breaks.
  std::vector<std::string> no_longer_shown;
  /// Ids of cases.
  std::vector<std::string> new_cases;
  std::vector<std::string> removed_cases;

  /// Whether the newer run shows a failure that the older one did not.
  [[nodiscard]] bool is_worse() const {
    return !newly_failing.empty() || !failing_otherwise.empty();
  }
};

/// Compares two runs, case by case and clause by clause. Rows that the older record calls by their
/// index are matched by their place among the newer one's.
[[nodiscard]] Comparison compare(const core::RunRecord& before, const core::RunRecord& after);

/// Lets a record of before the rows of a matrix had names call its cases by them. `ids` are those
/// of the whole suite.
void use_row_names(core::RunRecord& record, std::span<const std::string> ids);

/// Marks each failing case of `record` that fails exactly as it did in `before` (expected_fail), so
/// that what the run ends with is about what is new alone. `name` is what the reason calls it.
void excuse_as_before(core::CaseResult& result, const core::RunRecord& before,
                      const std::string& name);

}  // namespace assay::check
