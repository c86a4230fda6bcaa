#include "harness/check/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/judge.h"

namespace assay::check {
namespace {

using core::RunRecord;
using core::Verdict;
using ::testing::ElementsAre;

core::Check check_of(std::vector<std::string> clauses, Verdict verdict) {
  core::Check check;
  check.clauses = std::move(clauses);
  check.verdict = verdict;
  return check;
}

core::CaseResult result_of(std::string id, std::vector<core::Check> checks) {
  core::CaseResult result;
  result.id = std::move(id);
  result.verdict = case_verdict(checks);
  for (const core::Check& check : checks) {
    result.clauses.insert(result.clauses.end(), check.clauses.begin(), check.clauses.end());
  }
  result.checks = std::move(checks);
  result.exchanges.emplace_back();
  return result;
}

RunRecord record_of(std::vector<core::CaseResult> cases) {
  RunRecord record;
  record.cases = std::move(cases);
  record.footer.emplace();
  return record;
}

const core::ClauseTable& table() {
  static const core::ClauseTable clauses("A\tMUST\tx\ty\nB\tMUST\tx\ty\nC\tSHOULD\tx\ty\n");
  return clauses;
}

struct Sensitivity : ::testing::Test {
  std::vector<core::Case> cases_of_ids(const std::vector<std::string>& ids) {
    scenarios.reserve(ids.size());
    std::vector<core::Case> cases;
    for (const std::string& id : ids) {
      scenarios.emplace_back().id = id;
      scenarios.back().clauses = {"A", "B"};
      cases.push_back({id, &scenarios.back(), {}});
    }
    return cases;
  }

  std::vector<core::Scenario> scenarios;
};

TEST_F(Sensitivity, OnlyWhatPassedSpeaksForAClause) {
  const auto cases = cases_of_ids({"one", "two", "three"});
  const RunRecord record = record_of({
      result_of("one", {check_of({"A"}, Verdict::pass)}),
      result_of("two", {check_of({"B"}, Verdict::fail), check_of({"A"}, Verdict::pass)}),
      result_of("three", {check_of({"A"}, Verdict::not_applicable)}),
  });
  const auto holding = holding_cases(record, cases);
  ASSERT_EQ(holding.size(), 1U) << "B is broken";
  EXPECT_THAT(holding.at("A"), ElementsAre(0, 1));
}

TEST_F(Sensitivity, ACaseThatEndedAtItsFirstFailDoesNot) {
  auto cases = cases_of_ids({"one", "two"});
  scenarios[1].tags = {"first-fail"};
  const RunRecord record = record_of({
      result_of("one", {check_of({"A"}, Verdict::pass)}),
      result_of("two", {check_of({"A"}, Verdict::pass), check_of({"B"}, Verdict::fail)}),
  });
  EXPECT_THAT(holding_cases(record, cases).at("A"), ElementsAre(0));
}

TEST_F(Sensitivity, SaysWhichMembersAndWordsAreMissing) {
  auto cases = cases_of_ids({"one"});
  core::Profile profile;
  profile.operations["executions.detail"].unobserved = {"commands"};
  profile.missing_states = {"denied"};
  const core::Pattern state{core::OperandPattern{core::Pattern::By::literal, "${to}"}};
  const core::Pattern pattern{
      core::ObjectPattern{{{"commands", core::Pattern()}, {"state", state}}}};
  core::Expect expect;
  expect.clauses = {"A"};
  expect.reads.emplace_back().operation = "executions.detail";
  expect.reads.back().shows = pattern;
  core::Step step;
  step.action = expect;
  scenarios[0].steps = {step};
  cases[0].variables = {{"to", "denied"}};
  const std::vector<const core::Case*> all = {&cases[0]};
  EXPECT_THAT(hidden_by("A", all, profile),
              ElementsAre("`commands` is unobserved in executions.detail",
                          "the target has no word for `denied`"));
  EXPECT_TRUE(hidden_by("B", all, profile).empty()) << "no check of it asks for them";
}

TEST_F(Sensitivity, APassIsShownByAFaultThatWouldHaveBeenNoticed) {
  RunRecord record = record_of({result_of("one", {check_of({"A"}, Verdict::pass)})});
  EXPECT_TRUE(is_shown(record, "A")) << "of before it was measured";
  record.footer->sensitivity.emplace().push_back({"A", 3, {}, {}});
  EXPECT_FALSE(is_shown(record, "A"));
  record.footer->sensitivity->front().caught = {"some-fault"};
  EXPECT_TRUE(is_shown(record, "A"));
  EXPECT_FALSE(is_shown(record, "B")) << "it was measured, and B is not there";
}

TEST_F(Sensitivity, TooFewShownIsAFinding) {
  RunRecord record = record_of({
      result_of("one", {check_of({"A"}, Verdict::pass)}),
      result_of("two", {check_of({"B", "C"}, Verdict::pass)}),
  });
  record.footer->sensitivity = {{"A", 2, {"a-fault"}, {}}, {"B", 2, {}, {}}, {"C", 1, {}, {}}};
  const ShownTotal total = shown_total(record, &table());
  EXPECT_EQ(total.reached, 2U) << "C is not a MUST";
  EXPECT_EQ(total.shown, 1U);
  EXPECT_EQ(exit_code_of(record, &table()), core::ExitCode::conforms)
      << "not shown alone fails nothing";
  record.footer->required_shown = 50;
  EXPECT_EQ(exit_code_of(record, &table()), core::ExitCode::conforms);
  record.footer->required_shown = 51;
  EXPECT_EQ(exit_code_of(record, &table()), core::ExitCode::unexpected_findings);
}

TEST_F(Sensitivity, AClauseThatNoCaseCouldReachDoesNotCount) {
  RunRecord record = record_of({result_of("one", {check_of({"A"}, Verdict::pass)})});
  core::CaseResult beyond;
  beyond.id = "two";
  beyond.clauses = {"B"};
  beyond.verdict = Verdict::not_applicable;
  record.cases.push_back(beyond);
  EXPECT_EQ(shown_total(record, &table()).reached, 1U);
}

}  // namespace
}  // namespace assay::check
