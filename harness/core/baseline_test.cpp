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

BaselineEntry entry_of(std::string glob, std::string clause, std::string expires = "") {
  return {.at = {"b.yaml", 3, 5},
          .case_glob = std::move(glob),
          .clause = std::move(clause),
          .reason = "known",
          .reference = "",
          .expires = std::move(expires)};
}

BaselineFindings apply(RunRecord& record, std::vector<BaselineEntry> entries) {
  return apply_baseline(record, {std::move(entries)}, {}, "2026-06-15");
}

TEST(Baseline, ExcusesAnExpectedFailureAndSaysWhy) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A"}), case_of("s/b", Verdict::pass)};
  BaselineEntry entry = entry_of("s/a", "A");
  entry.reference = "https://example.org/1";
  EXPECT_TRUE(apply(record, {entry}).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
  EXPECT_EQ(record.cases[0].baseline_reasons,
            std::vector<std::string>{"known (https://example.org/1)"});
  EXPECT_FALSE(record.cases[1].expected_fail);
  EXPECT_FALSE(record.cases[1].unexpected_pass);
}

TEST(Baseline, DoesNotExcuseAnotherClause) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A", "B"})};
  EXPECT_TRUE(apply(record, {entry_of("s/a", "A")}).empty());
  EXPECT_FALSE(record.cases[0].expected_fail);
  EXPECT_TRUE(record.cases[0].baseline_reasons.empty());
  EXPECT_TRUE(apply(record, {entry_of("s/a", "A"), entry_of("s/a", "B")}).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
}

TEST(Baseline, DoesNotExcuseTheSameClauseInAnotherCase) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A"}), case_of("s/b", Verdict::fail, {"A"})};
  EXPECT_TRUE(apply(record, {entry_of("s/a", "A")}).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
  EXPECT_FALSE(record.cases[1].expected_fail);
}

TEST(Baseline, ExcusesACheckOfTwoClausesOnlyUnderBoth) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A"})};
  record.cases[0].checks[0].clauses = {"A", "B"};
  EXPECT_TRUE(apply(record, {entry_of("s/a", "A")}).empty());
  EXPECT_FALSE(record.cases[0].expected_fail);
}

TEST(Baseline, NeverExcusesAnError) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::error, {"A"})};
  EXPECT_TRUE(apply(record, {entry_of("*", "A")}).empty());
  EXPECT_FALSE(record.cases[0].expected_fail);
}

TEST(Baseline, ExcusesWhatCouldNotBeDecided) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::inconclusive, {"A"})};
  EXPECT_TRUE(apply(record, {entry_of("s/a", "A")}).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
}

TEST(Baseline, CallsAnEntryStaleWhenItsCasesPass) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass)};
  const auto findings = apply(record, {entry_of("s/a", "A")});
  ASSERT_EQ(findings.stale.size(), 1U);
  EXPECT_EQ(diagnostic_text(findings.stale[0]),
            "b.yaml:3:5: s/a (A) does not fail under this clause any more");
  EXPECT_TRUE(record.cases[0].unexpected_pass);
}

TEST(Baseline, CallsAnEntryStaleWhenItsCaseFailsOtherwise) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"B"})};
  EXPECT_EQ(apply(record, {entry_of("s/a", "A")}).stale.size(), 1U);
  EXPECT_FALSE(record.cases[0].expected_fail);
  EXPECT_FALSE(record.cases[0].unexpected_pass);
}

TEST(Baseline, ExpectsEveryCaseOfAGlobToFail) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass), case_of("s/b", Verdict::fail, {"A"})};
  const auto findings = apply(record, {entry_of("s/*", "A")});
  ASSERT_EQ(findings.stale.size(), 1U);
  EXPECT_EQ(findings.stale[0].message, "s/* (A) does not fail under this clause any more in s/a");
  EXPECT_TRUE(record.cases[0].unexpected_pass);
  EXPECT_TRUE(record.cases[1].expected_fail);
}

TEST(Baseline, TakesEitherEndOfARaceThatAnEntryCallsOne) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass), case_of("s/b", Verdict::fail, {"A"})};
  BaselineEntry entry = entry_of("s/*", "A");
  entry.sometimes = true;
  EXPECT_TRUE(apply(record, {entry}).empty());
  EXPECT_FALSE(record.cases[0].unexpected_pass);
  EXPECT_TRUE(record.cases[1].expected_fail);
}

TEST(Baseline, SaysNothingOfCasesThatDoNotApply) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::not_applicable)};
  EXPECT_TRUE(apply(record, {entry_of("s/a", "A")}).empty());
}

TEST(Baseline, ReportsEntriesThatMatchNoCaseOfTheSuite) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::pass)};
  const auto findings = apply(record, {entry_of("s/b", "A")});
  ASSERT_EQ(findings.unmatched.size(), 1U);
  EXPECT_EQ(findings.unmatched[0].message, "s/b (A) matches no case");
  const std::vector<std::string> suite = {"s/a", "s/b"};
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/b", "A")}}, suite, "2026-06-15").empty());
}

TEST(Baseline, HoldsOnItsLastDayAndNotAfter) {
  RunRecord on_the_day;
  on_the_day.cases = {case_of("s/a", Verdict::fail, {"A"})};
  EXPECT_TRUE(apply(on_the_day, {entry_of("s/a", "A", "2026-06-15")}).empty());
  EXPECT_TRUE(on_the_day.cases[0].expected_fail);
  RunRecord after;
  after.cases = {case_of("s/a", Verdict::fail, {"A"})};
  EXPECT_EQ(apply(after, {entry_of("s/a", "A", "2026-06-14")}).expired.size(), 1U);
  EXPECT_FALSE(after.cases[0].expected_fail);
}

}  // namespace
}  // namespace assay::core
