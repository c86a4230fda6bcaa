#include "reports/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "reports/sample_record.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

core::CaseResult failing(std::string id, std::string clause, const std::string& due,
                         std::string came) {
  core::CaseResult result;
  result.id = std::move(id);
  result.verdict = Verdict::fail;
  result.checks.resize(1);
  result.checks.front().verdict = Verdict::fail;
  result.checks.front().clauses = {std::move(clause)};
  result.checks.front().expected = "executions.status /state: " + due;
  result.checks.front().actual = std::move(came);
  result.exchanges.resize(3);
  return result;
}

std::vector<CauseReport> causes_of(std::vector<core::CaseResult> cases) {
  core::RunRecord record;
  record.cases = std::move(cases);
  return make_report(record, sample_clauses()).causes;
}

TEST(Causes, GatherTheCasesThatFailAlikeUnderTheOneThatShowsItBest) {
  std::vector<core::CaseResult> cases = {
      failing("properties/walks-3", "STM-CORE-1", "\"FAILED\"", "\"RUNNING\""),
      failing("status/long[0]", "STM-CORE-1", "\"COMPLETED\"", "\"RUNNING\""),
      failing("status/short[1]", "STM-CORE-1", "\"COMPLETED\"", "\"RUNNING\"")};
  cases.front().exchanges.resize(1);
  cases.back().exchanges.resize(2);
  const auto causes = causes_of(std::move(cases));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes.front().text, "executions.status /state is \"RUNNING\"");
  EXPECT_EQ(causes.front().anchor, "cause-STM-CORE-1-executions.status-state-is-RUNNING");
  EXPECT_THAT(causes.front().cases, ElementsAre(2, 1, 0));
}

TEST(Causes, OfOtherClausesOrValuesAreOthersAndAMustComesFirst) {
  const auto causes =
      causes_of({failing("a/a", "EVT-ALIAS-1", "1", "2"), failing("a/b", "STM-CORE-1", "1", "2"),
                 failing("a/c", "STM-CORE-1", "1", "3"), failing("a/d", "STM-CORE-1", "1", "3")});
  ASSERT_EQ(causes.size(), 3U);
  EXPECT_THAT(causes[0].cases, ElementsAre(2, 3));
  EXPECT_THAT(causes[1].cases, ElementsAre(1));
  EXPECT_THAT(causes[2].clauses, ElementsAre("EVT-ALIAS-1"));
}

TEST(Causes, NameWhatElseDidNotPassInTheSameCases) {
  core::CaseResult result = failing("a/a", "STM-CORE-1", "1", "2");
  result.checks.push_back(result.checks.front());
  result.checks.back().clauses = {"STM-STATE-1"};
  result.checks.back().actual = "3";
  result.checks.push_back(result.checks.front());
  result.checks.back().clauses = {"API-PROBLEM"};
  result.checks.back().verdict = Verdict::pass;
  const auto causes = causes_of({result});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes.front().clauses, ElementsAre("STM-CORE-1"));
  EXPECT_THAT(causes.front().following, IsEmpty());
  EXPECT_THAT(causes.front().other_clauses, ElementsAre("STM-STATE-1"));
}

TEST(Causes, KeepWhatABaselineExpectsApartFromWhatItDoesNot) {
  std::vector<core::CaseResult> cases = {failing("a/a", "STM-CORE-1", "1", "2"),
                                         failing("a/b", "STM-CORE-1", "1", "2")};
  cases.front().expected_fail = true;
  const auto causes = causes_of(std::move(cases));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].outcome, Outcome::fail);
  EXPECT_THAT(causes[0].cases, ElementsAre(1));
  EXPECT_EQ(causes[1].outcome, Outcome::expected_fail);
  EXPECT_NE(causes[0].anchor, causes[1].anchor);
}

TEST(Causes, HaveATitleThatIsCutWhereATargetSentMuch) {
  const auto causes = causes_of({failing("a/a", "STM-CORE-1", "1", std::string(390, 'W'))});
  ASSERT_EQ(causes.size(), 1U);
  const std::string title = title_of(causes.front());
  EXPECT_THAT(title, StartsWith("STM-CORE-1: executions.status /state is WWW"));
  EXPECT_THAT(title, EndsWith("bytes more)"));
  EXPECT_LT(title.size(), 240U);
  CauseReport none;
  none.text = "nothing was asked";
  EXPECT_EQ(title_of(none), "nothing was asked");
}

TEST(Causes, AreNoneWhereEverythingPassed) {
  core::CaseResult passed = failing("a/a", "STM-CORE-1", "1", "2");
  passed.verdict = Verdict::pass;
  EXPECT_THAT(causes_of({passed}), IsEmpty());
}

}  // namespace
}  // namespace assay::reports
