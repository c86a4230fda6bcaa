// A check that passes speaks only for the clauses that are about what it asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using testing::json;
using testing::scenario_of;
using testing::TestRunner;

constexpr const char* status_of_credit_path = "/executions/assay-7-test-case-8c6c8202-main/status";

core::CaseResult run_with_clauses(TestRunner& runner, const std::vector<std::string>& clauses,
                                  const std::string& steps) {
  core::Scenario scenario = scenario_of(steps);
  scenario.clauses = clauses;
  return runner.run(scenario);
}

/// STM-EXEC-T2 is about anything that its cases ask, STM-CMD-T2 about commands.
TEST(Credit, IsGivenOnlyToClausesThatAreAboutWhatWasAsked) {
  TestRunner runner;
  runner.target.on("GET", status_of_credit_path,
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  const auto result = run_with_clauses(runner, {"STM-EXEC-T2", "STM-CMD-T2"},
                                       "  - start: {}\n"
                                       "  - expect: {status: {state: RUNNING}}\n");
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_THAT(result.checks[0].clauses, ElementsAre("STM-EXEC-T2"));
  EXPECT_EQ(result.checks[0].verdict, Verdict::pass);
  EXPECT_THAT(result.checks[1].clauses, ElementsAre("STM-CMD-T2"));
  EXPECT_EQ(result.checks[1].verdict, Verdict::not_applicable);
}

TEST(Credit, ACheckThatNoClauseIsAboutIsNone) {
  TestRunner runner;
  runner.target.on("GET", status_of_credit_path,
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  const auto result = run_with_clauses(runner, {"STM-CMD-T2"},
                                       "  - start: {}\n"
                                       "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].verdict, Verdict::not_applicable);
}

/// What a clause's other check showed stands, and nothing is said of the one that showed nothing.
TEST(Credit, OneCheckThatIsAboutTheClauseIsEnough) {
  TestRunner runner;
  runner.target.on("GET", status_of_credit_path, [](const auto&) {
    return json(200, Object{{"state", "RUNNING"}, {"ended_at", Value()}});
  });
  const auto result = run_with_clauses(runner, {"STM-API-ENDED"},
                                       "  - start: {}\n"
                                       "  - expect: {status: {state: RUNNING}}\n"
                                       "  - expect: {status: {ended_at: null}}\n");
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_THAT(result.checks[0].clauses, ElementsAre("STM-API-ENDED"));
  EXPECT_EQ(result.checks[0].verdict, Verdict::pass);
}

/// A fail is the target's, whichever clause it is held against.
TEST(Credit, AFailKeepsItsClauses) {
  TestRunner runner;
  runner.target.on("GET", status_of_credit_path,
                   [](const auto&) { return json(200, Object{{"state", "FAILED"}}); });
  const auto result = run_with_clauses(runner, {"STM-CMD-T2"},
                                       "  - start: {}\n"
                                       "  - expect: {status: {state: RUNNING}}\n");
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].verdict, Verdict::fail);
  EXPECT_THAT(result.checks[0].clauses, ElementsAre("STM-CMD-T2"));
}

/// The member that the clause is about is not shown: what is left of the expectation is not enough.
TEST(Credit, WhatIsNotShownEarnsNothing) {
  TestRunner runner;
  runner.profile.operations.at("executions.status").unobserved = {"ended_at"};
  runner.target.on("GET", status_of_credit_path,
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  const auto result = run_with_clauses(runner, {"STM-API-ENDED", "STM-EXEC-R1"},
                                       "  - start: {}\n"
                                       "  - expect: {status: {state: RUNNING, ended_at: null}}\n");
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_THAT(result.checks[0].clauses, ElementsAre("STM-EXEC-R1"));
  EXPECT_THAT(result.checks[1].clauses, ElementsAre("STM-API-ENDED"));
  EXPECT_EQ(result.checks[1].verdict, Verdict::not_applicable);
}

TEST(Credit, ADemandedAnswerOfWhichNothingIsShownIsNoCheck) {
  TestRunner runner;
  runner.profile.operations.at("executions.start").unobserved = {"state"};
  const auto result = run_with_clauses(runner, {"STM-EXEC-R1"},
                                       "  - start: {}\n"
                                       "    response: {body: {state: PENDING}}\n"
                                       "  - expect: {status: {response: {is: unknown}}}\n");
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[0].verdict, Verdict::not_applicable);
  EXPECT_EQ(result.checks[1].verdict, Verdict::pass);
}

/// A target whose list takes no state: its status decides, of the list nothing is said.
TEST(Credit, AReadThatTheTargetCannotBeAskedForLeavesTheOthers) {
  TestRunner runner;
  runner.profile.operations.at("executions.list").lacks = {"state"};
  runner.target.on("GET", status_of_credit_path,
                   [](const auto&) { return json(200, Object{{"state", "FAILED"}}); });
  const auto with_state = [](const std::string& action, const std::string& state) {
    return "  - start: {}\n  - " + action + ":\n      status: {state: " + state +
           "}\n      list: {filter: {state: RUNNING}, items: [{execution_id: \"${id}\"}]}\n";
  };
  const auto verdict_of = [&](const std::string& steps) {
    return run_with_clauses(runner, {"STM-EXEC-R1"}, steps).verdict;
  };
  EXPECT_EQ(verdict_of(with_state("expect", "FAILED")), Verdict::pass);
  EXPECT_EQ(verdict_of(with_state("expect", "RUNNING")), Verdict::fail);
  // Nothing is left of it; less of a never would forbid more.
  EXPECT_EQ(verdict_of("  - start: {}\n"
                       "  - expect: {list: {filter: {state: FAILED}, items: []}}\n"),
            Verdict::not_applicable);
  EXPECT_EQ(verdict_of(with_state("never", "RUNNING")), Verdict::not_applicable);
}

/// A target whose runs run from their start is not told that created runs only run (RUN-NO-OTHER).
TEST(Credit, WhatOnlyACreatedRunMayNotDoIsNotAskedOfATargetWithoutCreated) {
  const std::string ends_at_once =
      "  - run: {}\n  - transition: {to: success}\n    response: {is: refused}\n";
  TestRunner sound;
  EXPECT_EQ(sound.run(ends_at_once).verdict, Verdict::fail);
  TestRunner without;
  without.profile.missing_states = {"created"};
  EXPECT_EQ(without.run(ends_at_once).verdict, Verdict::not_applicable);
  const std::string ends_twice =
      "  - run: {}\n  - transition: {to: running}\n  - transition: {to: success}\n"
      "  - transition: {to: canceled}\n    response: {is: refused}\n";
  EXPECT_EQ(without.run(ends_twice).verdict, Verdict::fail);
}

/// Whatever a target without created answers, no run of it went from created to running (RUN-T1).
TEST(Credit, ATransitionFromAStateThatTheTargetDoesNotHaveShowsNoClause) {
  const std::string starts =
      "  - run: {}\n  - transition: {to: running}\n    response: {is: accepted}\n";
  TestRunner without;
  without.profile.missing_states = {"created"};
  EXPECT_EQ(run_with_clauses(without, {"RUN-T1"}, starts).verdict, Verdict::not_applicable);
  const core::CaseResult other = run_with_clauses(without, {"RUN-T1", "RUN-STATUSES"}, starts);
  EXPECT_EQ(other.verdict, Verdict::pass);
  EXPECT_EQ(other.checks.back().clauses, std::vector<std::string>{"RUN-STATUSES"});
  EXPECT_EQ(other.clauses, std::vector<std::string>{"RUN-STATUSES"});
  TestRunner with;
  EXPECT_EQ(run_with_clauses(with, {"RUN-T1"}, starts).verdict, Verdict::pass);
}

}  // namespace
}  // namespace assay::run
