#include "harness/core/baseline.h"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

CaseResult case_of(std::string id, Verdict verdict, std::vector<std::string> broken = {}) {
  CaseResult result;
  result.id = std::move(id);
  result.clauses = {"A", "B"};
  result.verdict = verdict;
  for (std::string& clause : broken) {
    Check check;
    check.clauses = {std::move(clause)};
    check.verdict = verdict;
    result.checks.push_back(std::move(check));
  }
  return result;
}

BaselineEntry entry_of(std::string glob, std::string clause = "", std::string expires = "") {
  return {{"b.yaml", 3, 5}, std::move(glob), std::move(clause), "known", "", std::move(expires)};
}

constexpr std::string_view today = "2026-06-15";

TEST(Baseline, ExcusesAnExpectedFailure) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A"}), case_of("s/b", Verdict::pass)};
  const auto findings = apply_baseline(record, {{entry_of("s/a", "A")}}, today);
  EXPECT_TRUE(findings.empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
  EXPECT_FALSE(record.cases[1].expected_fail);
  EXPECT_FALSE(record.cases[1].unexpected_pass);
}

TEST(Baseline, DoesNotExcuseAnotherClause) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A", "B"})};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/a", "A")}}, today).empty());
  EXPECT_FALSE(record.cases[0].expected_fail);
  EXPECT_TRUE(
      apply_baseline(record, {{entry_of("s/a", "A"), entry_of("s/a", "B")}}, today).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
}

TEST(Baseline, NeverExcusesAnError) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::error, {"A"})};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("*")}}, today).empty());
  EXPECT_FALSE(record.cases[0].expected_fail);
}

TEST(Baseline, ExcusesWhatCouldNotBeDecided) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::inconclusive, {"A"})};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/a")}}, today).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
}

TEST(Baseline, CallsAnEntryStaleWhenItsCasesPass) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass)};
  const auto findings = apply_baseline(record, {{entry_of("s/*", "A")}}, today);
  ASSERT_EQ(findings.stale.size(), 1U);
  EXPECT_EQ(diagnostic_text(findings.stale[0]),
            "b.yaml:3:5: s/* (A) does not fail any more; delete the entry");
  EXPECT_TRUE(record.cases[0].unexpected_pass);
}

TEST(Baseline, CallsAnEntryStaleWhenItsCaseFailsOtherwise) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"B"})};
  EXPECT_EQ(apply_baseline(record, {{entry_of("s/a", "A")}}, today).stale.size(), 1U);
  EXPECT_FALSE(record.cases[0].expected_fail);
  EXPECT_FALSE(record.cases[0].unexpected_pass);
}

TEST(Baseline, KeepsAGlobThatIsRightForSomeCases) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass), case_of("s/b", Verdict::fail, {"A"})};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/*", "A")}}, today).empty());
  EXPECT_FALSE(record.cases[0].unexpected_pass);
  EXPECT_TRUE(record.cases[1].expected_fail);
}

TEST(Baseline, SaysNothingOfCasesThatDoNotApply) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::not_applicable)};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/a")}}, today).empty());
}

TEST(Baseline, ReportsEntriesThatMatchNothing) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass)};
  const auto findings = apply_baseline(record, {{entry_of("s/b")}}, today);
  ASSERT_EQ(findings.unmatched.size(), 1U);
  EXPECT_EQ(findings.unmatched[0].message, "s/b matches no case of the run");
}

TEST(Baseline, HoldsOnItsLastDayAndNotAfter) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A"})};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/a", "", "2026-06-15")}}, today).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
  const auto findings = apply_baseline(record, {{entry_of("s/a", "", "2026-06-14")}}, today);
  EXPECT_EQ(findings.expired.size(), 1U);
  EXPECT_FALSE(record.cases[0].expected_fail);
}

}  // namespace
}  // namespace assay::core
