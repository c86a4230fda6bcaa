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
  /// As far as requests and answers show it: "the target answers differently now".
  std::string why = {};
};

/// What tells one run from another. Each list has the order of the newer record, then that of the
/// older one.
struct Comparison {
  /// Whether another version of assay, or another suite, judged the newer run: what differs may be
  /// what is asked, not what is answered.
  bool is_upgrade = false;
  /// What they were made of, where that differs: "target: engine 4.1 -> engine 4.2".
  std::vector<std::string> facts;
  /// Passed, or was not there, and fails now.
  std::vector<Difference> newly_failing;
  /// Fails in both, with something in the newer run that the older one did not show.
  std::vector<Difference> failing_otherwise;
  /// Fails in the older run alone, and the newer one judged it.
  std::vector<Difference> fixed;
  /// Failed, or was not decided, and passed when it was run again, in the newer run or in the older
  /// one; such a case is news only where it is so in the newer one. "a/b: does not pass in 50 % …".
  std::vector<std::string> flaky;
  /// Ids of clauses that held and that the newer run neither shows to hold nor breaks.
  std::vector<std::string> no_longer_shown;
  /// Ids of clauses that the newer run judged and the older one did not.
  std::vector<std::string> new_clauses;
  /// Ids of cases.
  std::vector<std::string> new_cases;
  std::vector<std::string> removed_cases;

  /// What a baseline has to change for the newer run, as a unified diff; whoever compares fills it
  /// in.
  std::string baseline_patch;

  /// Whether the newer run shows a failure that the older one did not.
  [[nodiscard]] bool is_worse() const {
    return !newly_failing.empty() || !failing_otherwise.empty();
  }
};

/// Compares two runs, case by case and clause by clause. Rows that the older record calls by their
/// index are matched by their place among the newer one's. A flaky case of a run that lets those
/// through does not count as failing there.
[[nodiscard]] Comparison compare(const core::RunRecord& before, const core::RunRecord& after);

/// Lets a record of before the rows of a matrix had names call its cases by them. `ids` are those
/// of the whole suite.
void use_row_names(core::RunRecord& record, std::span<const std::string> ids);

/// Marks each failing case of `record` that fails exactly as it did in `before` (expected_fail), so
/// that what the run ends with is about what is new alone. `name` is what the reason calls it.
void excuse_as_before(core::CaseResult& result, const core::RunRecord& before,
                      const std::string& name);

}  // namespace assay::check
