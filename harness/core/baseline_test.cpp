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
          .last_line = 6,
          .case_glob = std::move(glob),
          .clause = std::move(clause),
          .reason = "known",
          .expires = std::move(expires)};
}

BaselineFindings apply(RunRecord& record, std::vector<BaselineEntry> entries) {
  return apply_baseline(record, {std::move(entries)}, {}, {.today = "2026-06-15"});
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
            "b.yaml:3:5: s/a (A) does not fail as it says any more; delete lines 3 to 6");
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
  record.cases = {case_of("s[a]", Verdict::pass), case_of("s[b]", Verdict::fail, {"A"})};
  const auto findings = apply(record, {entry_of("s*", "A")});
  ASSERT_EQ(findings.stale.size(), 1U);
  EXPECT_EQ(findings.stale[0].message,
            "s* (A) does not fail as it says any more in s[a]; write entries for those that still "
            "fail instead of lines 3 to 6");
  EXPECT_TRUE(record.cases[0].unexpected_pass);
  EXPECT_TRUE(record.cases[1].expected_fail);
}

TEST(Baseline, TakesEitherEndOfARaceThatAnEntryCallsOne) {
  RunRecord record;
  record.cases = {case_of("s[a]", Verdict::pass), case_of("s[b]", Verdict::fail, {"A"})};
  BaselineEntry entry = entry_of("s*", "A");
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
  EXPECT_EQ(findings.unmatched[0].message, "s/b (A) matches no case; delete lines 3 to 6");
  const std::vector<std::string> suite = {"s/a", "s/b"};
  EXPECT_TRUE(
      apply_baseline(record, {{entry_of("s/b", "A")}}, suite, {.today = "2026-06-15"}).empty());
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

CaseResult failing(std::string id, std::string actual) {
  CaseResult result = case_of(std::move(id), Verdict::fail, {"A"});
  result.checks[0].expected = "/state: \"X\"";
  result.checks[0].actual = std::move(actual);
  return result;
}

TEST(Baseline, DoesNotExcuseAnotherWayToFail) {
  BaselineEntry entry = entry_of("s/a", "A");
  entry.seen = {"/state: \"X\" -> \"Y\""};
  RunRecord record;
  record.cases = {failing("s/a", "\"Y\"")};
  EXPECT_TRUE(apply(record, {entry}).empty());
  EXPECT_TRUE(record.cases[0].expected_fail);
  record.cases = {failing("s/a", "\"Z\"")};
  const auto findings = apply(record, {entry});
  EXPECT_FALSE(record.cases[0].expected_fail);
  ASSERT_EQ(findings.stale.size(), 1U);
  EXPECT_EQ(findings.stale[0].message,
            "s/a (A) does not fail as it says any more; seen now: /state: \"X\" -> \"Z\"");
}

TEST(Baseline, DoesNotExcuseAnotherVerdict) {
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::inconclusive, {"A"})};
  BaselineEntry entry = entry_of("s/a", "A");
  entry.verdict = Verdict::fail;
  EXPECT_TRUE(apply(record, {entry}).empty());
  EXPECT_FALSE(record.cases[0].expected_fail);
}

TEST(Baseline, HoldsOnlyForTheProfileAndTheVersionThatItNames) {
  BaselineEntry entry = entry_of("s/a", "A");
  entry.profile = "mine";
  entry.target = "engine 4.*";
  const auto is_excused = [&entry](std::string profile, std::string identity) {
    RunRecord record;
    record.header.profile = std::move(profile);
    record.header.target_identity = std::move(identity);
    record.cases = {case_of("s/a", Verdict::fail, {"A"})};
    EXPECT_TRUE(apply(record, {entry}).empty());
    return record.cases[0].expected_fail;
  };
  EXPECT_TRUE(is_excused("mine", "engine 4.2"));
  EXPECT_FALSE(is_excused("other", "engine 4.2"));
  EXPECT_FALSE(is_excused("mine", "engine 5.0"));
  EXPECT_FALSE(is_excused("mine", ""));
}

TEST(Baseline, LetsAMustClauseBeBrokenForATimeOnly) {
  const ClauseTable table("A\tMUST\t000\tText.\nB\tSHOULD\t000\tText.\n");
  RunRecord record;
  record.cases = {case_of("s/a", Verdict::fail, {"A", "B"})};
  const auto findings = apply_baseline(record, {{entry_of("s/a", "A"), entry_of("s/a", "B")}}, {},
                                       {.today = "2026-06-15", .clauses = &table});
  ASSERT_EQ(findings.too_wide.size(), 1U);
  EXPECT_EQ(findings.too_wide[0].message,
            "s/a (A) needs an \"expires\": A is a MUST, which may be broken only for a time");
  EXPECT_TRUE(apply_baseline(record, {{entry_of("s/a", "A", "2026-06-15"), entry_of("s/a", "B")}},
                             {}, {.today = "2026-06-15", .clauses = &table})
                  .empty());
}

TEST(Baseline, ExcusesOneScenarioOrFamilyWithAnEntry) {
  const std::vector<std::string> suite = {
      "s/a", "s/b[x]", "s/b[y]", "properties/f-0", "properties/f-1", "properties/g-0"};
  const auto width = [&suite](const std::string& glob, std::vector<std::string> seen) {
    BaselineEntry entry = entry_of(glob, "A");
    entry.seen = std::move(seen);
    return review_baseline({{entry}}, suite, {.today = "2026-06-15"}).too_wide.size();
  };
  EXPECT_EQ(width("s/b*", {}), 0U);
  EXPECT_EQ(width("s/*", {}), 1U);
  EXPECT_EQ(width("s/*", {"x"}), 1U);
  EXPECT_EQ(width("properties/f-*", {"x -> y"}), 0U);
  EXPECT_EQ(width("properties/f-*", {}), 1U);
  EXPECT_EQ(width("properties/f-1", {"**"}), 1U);
  EXPECT_EQ(width("properties/*", {"x -> y"}), 1U);
}

TEST(Baseline, NamesAnEntryThatAnotherOneCovers) {
  RunRecord record;
  record.cases = {case_of("s[a]", Verdict::fail, {"A"}), case_of("s[b]", Verdict::fail, {"A"})};
  const auto findings = apply(record, {entry_of("s*", "A"), entry_of("s[a]", "A")});
  ASSERT_EQ(findings.overlapping.size(), 1U);
  EXPECT_EQ(findings.overlapping[0].message,
            "s[a] (A) excuses only what entries before it excuse; delete lines 3 to 6");
  EXPECT_TRUE(apply(record, {entry_of("s[a]", "A"), entry_of("s*", "A")}).empty());
}

TEST(Baseline, UnderstandsTheIndexesOfRowsWithoutNames) {
  Baseline baseline{{entry_of("s/b[1]", "A"), entry_of("s/b*", "A")}};
  const std::vector<std::string> suite = {"s/b[x]", "s/b[y]"};
  const auto hints = use_row_names(baseline, suite);
  ASSERT_EQ(hints.size(), 1U);
  EXPECT_EQ(diagnostic_text(hints[0]), "b.yaml:3:5: s/b[1] is now called s/b[y]");
  EXPECT_EQ(baseline.entries[0].case_glob, "s/b[y]");
}

}  // namespace
}  // namespace assay::core
