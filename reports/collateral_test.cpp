#include "reports/collateral.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "reports/render.h"
#include "reports/sample_record.h"

namespace assay::reports {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

core::Check failed(std::vector<std::string> clauses, std::size_t evidence,
                   const std::string& member, std::string actual) {
  core::Check check;
  check.clauses = std::move(clauses);
  check.verdict = Verdict::fail;
  check.expected = "executions.status " + member + ": due";
  check.actual = std::move(actual);
  check.evidence = {evidence};
  return check;
}

core::Exchange asked(std::string method, std::string target) {
  core::Exchange exchange;
  exchange.request = {std::move(method), std::move(target), {}, {}};
  return exchange;
}

/// Two reads of one status, then a post and a third read.
core::CaseResult failing_case(std::vector<core::Check> checks) {
  core::CaseResult result;
  result.id = "status/ended";
  result.verdict = Verdict::fail;
  result.exchanges = {asked("GET", "/executions/1/status"), asked("GET", "/executions/1/status"),
                      asked("POST", "/executions/1/events"), asked("GET", "/executions/1/status")};
  result.checks = std::move(checks);
  return result;
}

core::RunRecord record_with(std::vector<core::CaseResult> cases) {
  core::RunRecord record;
  record.cases = std::move(cases);
  record.footer = core::RecordFooter{};
  return record;
}

std::map<std::string, std::string> following(std::vector<core::CaseResult> cases) {
  std::map<std::string, std::string> following;
  const Report report = make_report(record_with(std::move(cases)), sample_clauses());
  for (const ClauseReport& each : report.clauses) {
    if (!each.follows.empty()) following.emplace(each.clause.id, each.follows);
  }
  return following;
}

TEST(Collateral, AnotherMemberOfTheSameLookFollows) {
  EXPECT_THAT(following({failing_case({failed({"STM-CORE-1"}, 0, "/state", "1"),
                                       failed({"STM-STATE-1"}, 1, "/ended_at", "2")})}),
              ElementsAre(Pair("STM-STATE-1", "STM-CORE-1")));
}

TEST(Collateral, ASecondClauseOfOneCheckFollows) {
  EXPECT_THAT(following({failing_case({failed({"STM-CORE-1", "STM-STATE-1"}, 0, "/state", "1")})}),
              ElementsAre(Pair("STM-STATE-1", "STM-CORE-1")));
}

TEST(Collateral, WhatFailsAfterAnotherRequestIsAFailureOfItsOwn) {
  EXPECT_THAT(following({failing_case({failed({"STM-CORE-1"}, 0, "/state", "1"),
                                       failed({"STM-STATE-1"}, 3, "/ended_at", "2")})}),
              IsEmpty());
}

TEST(Collateral, TheSameWrongValueOfTheSameMemberFollowsWhereverItIsSeen) {
  EXPECT_THAT(following({failing_case({failed({"STM-CORE-1"}, 0, "/state", "1"),
                                       failed({"STM-STATE-1"}, 3, "/state", "1")})}),
              ElementsAre(Pair("STM-STATE-1", "STM-CORE-1")));
}

TEST(Collateral, AClauseThatAnyCaseIsAboutFollowsNone) {
  EXPECT_THAT(following({failing_case({failed({"STM-CORE-1"}, 0, "/state", "1"),
                                       failed({"STM-STATE-1"}, 0, "/ended_at", "2")}),
                         failing_case({failed({"STM-STATE-1"}, 0, "/ended_at", "2")})}),
              IsEmpty());
}

TEST(Collateral, AMustNeverFollowsFromALowerLevel) {
  EXPECT_THAT(following({failing_case({failed({"STM-API-VIEW"}, 0, "/state", "1"),
                                       failed({"STM-STATE-1"}, 0, "/ended_at", "2")})}),
              IsEmpty());
}

TEST(Collateral, TheHeadlineCountsWhatIsBrokenOnItsOwn) {
  core::CaseResult passed;
  passed.id = "status/passed";
  passed.clauses = {"WFX-INIT"};
  passed.verdict = Verdict::pass;
  passed.checks.resize(1);
  passed.checks.front().clauses = passed.clauses;
  passed.checks.front().verdict = Verdict::pass;
  const Report report = make_report(
      record_with({failing_case({failed({"STM-CORE-1"}, 0, "/state", "1"),
                                 failed({"STM-STATE-1", "WFX-TERMINAL"}, 1, "/ended_at", "2")}),
                   passed}),
      sample_clauses());
  EXPECT_EQ(report.explanation,
            "1 of 2 cases fails. 1 of 4 tested MUST clauses is broken; 2 more follow from it.");
  EXPECT_EQ(report.exit_code, core::ExitCode::unexpected_findings);
  EXPECT_THAT(report.causes.front().clauses, ElementsAre("STM-CORE-1"));
  EXPECT_THAT(report.causes.front().following, ElementsAre("STM-STATE-1", "WFX-TERMINAL"));
}

TEST(Collateral, EveryReportForPeopleNamesTheCauseFirstAndSaysWhatFollows) {
  const Report report =
      make_report(record_with({failing_case({failed({"WFX-TERMINAL"}, 0, "/state", "1"),
                                             failed({"STM-STATE-1"}, 1, "/ended_at", "2")})}),
                  sample_clauses());
  for (const char* name : {"text", "markdown", "statement", "html"}) {
    const Format* format = find_format(name);
    ASSERT_NE(format, nullptr) << name;
    const std::string text = format->render(report, {});
    EXPECT_THAT(text, HasSubstr("The status API exposes exactly one state.")) << name;
    EXPECT_THAT(text, HasSubstr("follow")) << name;
    const std::size_t findings = text.find("id=\"findings\"");
    const std::size_t from = findings == std::string::npos ? 0 : findings;
    EXPECT_LT(text.find("WFX-TERMINAL", from), text.find("STM-STATE-1", from)) << name;
  }
  const std::string text = find_format("text")->render(report, {});
  EXPECT_EQ(text.find(report.explanation), text.rfind(report.explanation));
}

TEST(Collateral, ARepeatedStepSaysThatItsAnswerStayedTheSame) {
  core::CaseResult result = failing_case({failed({"STM-CORE-1"}, 1, "/state", "1")});
  const Report report = make_report(record_with({result}), sample_clauses());
  EXPECT_THAT(find_format("text")->render(report, {}), HasSubstr("(asked 2 times, same answer)"));
}

}  // namespace
}  // namespace assay::reports
