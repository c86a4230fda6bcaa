#include "harness/run/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "harness/check/flakiness.h"
#include "harness/check/judge.h"
#include "harness/check/text.h"
#include "harness/run/control.h"
#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using testing::fault;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::json;
using testing::scenario_of;
using ::testing::StartsWith;
using testing::TestRunner;

core::Scenario named(const std::string& id, const std::string& steps) {
  core::Scenario scenario = scenario_of(steps);
  scenario.id = id;
  return scenario;
}

constexpr const char* healthy =
    "  - request: {method: GET, path: /healthz}\n"
    "    response: {status: 200}\n";
constexpr const char* failing =
    "  - request: {method: GET, path: /healthz}\n"
    "    response: {status: 500}\n";

class SchedulerTest : public ::testing::Test {
 protected:
  SchedulerTest() {
    runner.target.on("GET", "/healthz", [](const auto&) { return json(200, Object{}); });
  }

  RunOutcome run(const std::vector<core::Scenario>& scenarios) {
    std::vector<core::Case> cases;
    for (const core::Scenario& scenario : scenarios) {
      cases.push_back(core::cases_of(scenario).front());
    }
    boost::asio::io_context io;
    return run_cases(io, runner.context, cases, options);
  }

  static std::vector<std::string> ids(const RunOutcome& outcome) {
    std::vector<std::string> all;
    for (const core::CaseResult& result : outcome.record.cases) all.push_back(result.id);
    return all;
  }

  TestRunner runner;
  RunOptions options;
};

TEST_F(SchedulerTest, ResultsAreInTheOrderOfThePlan) {
  // The first case waits; the others end before it.
  std::vector<std::string> ended;
  options.on_case = [&ended](const core::CaseResult& result) { ended.push_back(result.id); };
  const std::string slow = std::string(healthy) + healthy + healthy;
  const RunOutcome outcome =
      run({named("a/slow", slow), named("b/quick", healthy), named("c/quick", healthy)});
  EXPECT_THAT(ids(outcome), ElementsAre("a/slow", "b/quick", "c/quick"));
  EXPECT_THAT(ended, ElementsAre("b/quick", "c/quick", "a/slow"));
  ASSERT_TRUE(outcome.record.footer);
  EXPECT_EQ(outcome.record.footer->cases, 3U);
}

TEST_F(SchedulerTest, NoMoreCasesRunAtOnceThanTheProfileBears) {
  options.jobs = 8;
  runner.profile.limits.jobs = 1;
  std::vector<std::string> ended;
  options.on_case = [&ended](const core::CaseResult& result) { ended.push_back(result.id); };
  run({named("a/slow", std::string(healthy) + healthy + healthy), named("b/quick", healthy)});
  EXPECT_THAT(ended, ElementsAre("a/slow", "b/quick"));
}

TEST_F(SchedulerTest, CasesThatUseWhatAServerHasOnceRunLastAndAlone) {
  options.jobs = 8;
  std::vector<std::string> ended;
  options.on_case = [&ended](const core::CaseResult& result) { ended.push_back(result.id); };
  runner.profile.operations["control.clock"] = runner.profile.operations["server.health"];
  const std::string clock = "  - advance_ms: 5\n" + std::string(healthy);
  run({named("a/clock", clock), named("b/plain", std::string(healthy) + healthy + healthy)});
  EXPECT_THAT(ended, ElementsAre("b/plain", "a/clock"));
  EXPECT_TRUE(runs_alone(named("x/y", clock)));
  EXPECT_FALSE(runs_alone(named("x/y", healthy)));
}

TEST_F(SchedulerTest, ACaseThatAsksForItRunsAlone) {
  core::Scenario scenario = named("x/y", healthy);
  EXPECT_FALSE(runs_alone(scenario));
  scenario.tags = {"heavy", "alone"};
  EXPECT_TRUE(runs_alone(scenario));
}

TEST_F(SchedulerTest, LongAnswersAreKeptWholeWhileThereIsRoomForThem) {
  const std::string text(20'000, 'x');
  runner.target.on("GET", "/healthz", [&text](const auto&) { return json(200, {{"text", text}}); });
  options.asks_first = false;
  options.jobs = 1;
  options.long_answer_bytes = 50'000;
  const RunOutcome outcome =
      run({named("a/two", std::string(healthy) + healthy), named("b/one-more", healthy)});
  const auto& two = outcome.record.cases.at(0).exchanges;
  EXPECT_FALSE(check::is_cut_body(two.at(0).response->body));
  EXPECT_FALSE(check::is_cut_body(two.at(1).response->body));
  const std::string& third = outcome.record.cases.at(1).exchanges.at(0).response->body;
  EXPECT_TRUE(check::is_cut_body(third));
  EXPECT_LT(third.size(), check::kept_body_bytes + 100);
}

TEST_F(SchedulerTest, OnlyWhatDidNotPassIsRunAgainAndTheFirstTimeIsKept) {
  options.asks_first = false;
  options.retries = 2;
  options.header.flaky = core::flaky_policy::fail;
  int answered = 0;
  runner.target.on("GET", "/healthz", [&answered](const auto&) {
    return json(++answered == 1 ? 500 : 200, Object{});
  });
  const RunOutcome outcome = run({named("a/flaky", healthy)});
  ASSERT_EQ(outcome.record.cases.size(), 1U);
  const core::CaseResult& result = outcome.record.cases[0];
  EXPECT_EQ(result.verdict, Verdict::fail);
  ASSERT_EQ(result.retries.size(), 2U);
  for (const core::Retry& retry : result.retries) {
    EXPECT_EQ(retry.verdict, Verdict::pass);
    EXPECT_FALSE(retry.checks.empty());
    EXPECT_FALSE(retry.exchanges.empty());
  }
  EXPECT_TRUE(check::is_flaky(result));
  EXPECT_EQ(check::exit_code_of(outcome.record), core::ExitCode::unexpected_findings);
  core::RunRecord tolerant = outcome.record;
  tolerant.header.flaky = core::flaky_policy::warn;
  EXPECT_EQ(check::exit_code_of(tolerant), core::ExitCode::conforms);
  EXPECT_THAT(run({named("a/sound", healthy)}).record.cases[0].retries, IsEmpty());
  options.amend = [](core::CaseResult& excused) { excused.expected_fail = true; };
  EXPECT_THAT(run({named("a/known", failing)}).record.cases[0].retries, IsEmpty());
}

TEST_F(SchedulerTest, WhatFailsEachTimeIsNotFlaky) {
  options.retries = 2;
  options.header.flaky = core::flaky_policy::warn;
  const RunOutcome broken = run({named("a/broken", failing)});
  ASSERT_EQ(broken.record.cases[0].retries.size(), 2U);
  EXPECT_FALSE(check::is_flaky(broken.record.cases[0]));
  EXPECT_EQ(check::exit_code_of(broken.record), core::ExitCode::unexpected_findings);
}

TEST_F(SchedulerTest, ATargetThatIsNotThereYetIsWaitedFor) {
  int asked = 0;
  runner.target.on("GET", "/healthz", [&asked](const auto&) -> core::HttpResult {
    if (++asked < 3) return fault(core::TransportFault::refused);
    return json(200, Object{});
  });
  EXPECT_NE(run({named("a/b", healthy)}).unreachable, "");
  asked = 0;
  options.wait_ms = 10'000;
  EXPECT_EQ(run({named("a/b", healthy)}).unreachable, "");
  EXPECT_EQ(asked, 4);
}

TEST(ImmediateRuns, TakeOneCaseAfterTheOther) {
  TestRunner runner(true);
  runner.target.on("GET", "/healthz", [](const auto&) { return json(200, Object{}); });
  RunOptions options;
  std::vector<std::string> ended;
  options.on_case = [&ended](const core::CaseResult& result) { ended.push_back(result.id); };
  const std::vector<core::Scenario> scenarios = {
      named("a/long", std::string(healthy) + healthy + healthy), named("b/short", healthy)};
  const std::vector<core::Case> cases = {core::cases_of(scenarios[0]).front(),
                                         core::cases_of(scenarios[1]).front()};
  boost::asio::io_context io;
  run_cases(io, runner.context, cases, options);
  EXPECT_THAT(ended, ElementsAre("a/long", "b/short"));
}

TEST_F(SchedulerTest, FailFastStartsNothingMore) {
  options.jobs = 1;
  options.fail_fast = true;
  const RunOutcome outcome =
      run({named("a/a", healthy), named("b/b", failing), named("c/c", healthy)});
  EXPECT_THAT(ids(outcome), ElementsAre("a/a", "b/b"));
  EXPECT_EQ(check::exit_code_of(outcome.record), core::ExitCode::unexpected_findings);
}

TEST_F(SchedulerTest, ADeadTargetIsSaidOnce) {
  runner.target.on("GET", "/healthz",
                   [](const auto&) { return fault(core::TransportFault::refused); });
  const RunOutcome outcome = run({named("a/a", healthy)});
  EXPECT_EQ(outcome.unreachable, "http://scripted: the connection was refused");
  EXPECT_THAT(outcome.record.cases, IsEmpty());
  ASSERT_TRUE(outcome.record.footer);
  EXPECT_EQ(outcome.record.footer->stopped, outcome.unreachable);
  EXPECT_EQ(check::exit_code_of(outcome.record), core::ExitCode::target_unreachable);
}

TEST_F(SchedulerTest, ATargetThatStopsAnsweringEndsTheRunWithWhatWasLearned) {
  int answers = 0;
  const auto dies = [&answers](const auto&) {
    return ++answers <= 4 ? json(200, Object{}) : fault(core::TransportFault::refused);
  };
  runner.target.on("GET", "/healthz", dies);
  runner.target.on("GET", "/", dies);
  std::vector<core::Scenario> scenarios;
  for (int index = 0; index < 40; ++index) {
    scenarios.push_back(named("a/" + std::to_string(index), healthy));
  }
  options.jobs = 1;
  const RunOutcome outcome = run(scenarios);
  EXPECT_EQ(outcome.unreachable, "http://scripted: stopped answering after 11 cases");
  EXPECT_EQ(outcome.record.cases.size(), 11U);
  EXPECT_EQ(outcome.record.cases.front().verdict, Verdict::pass);
  EXPECT_EQ(check::exit_code_of(outcome.record), core::ExitCode::target_unreachable);
}

TEST_F(SchedulerTest, ATargetThatIsThereAllTheSameIsJudgedToTheEnd) {
  int answers = 0;
  runner.target.on("GET", "/healthz", [&answers](const auto&) {
    return ++answers <= 1 ? json(200, Object{}) : fault(core::TransportFault::closed);
  });
  runner.target.on("GET", "/", [](const auto&) { return json(200, Object{}); });
  std::vector<core::Scenario> scenarios;
  for (int index = 0; index < 20; ++index) {
    scenarios.push_back(named("a/" + std::to_string(index), healthy));
  }
  const RunOutcome outcome = run(scenarios);
  EXPECT_EQ(outcome.unreachable, "");
  EXPECT_EQ(outcome.record.cases.size(), 20U);
}

TEST_F(SchedulerTest, ACaseOfRefusalsAloneWantsAPositiveControl) {
  options.asks_for_control = true;
  const auto always = [](const auto&) { return json(500, Object{}); };
  for (const char* method : {"GET", "POST"}) {
    for (const char* path : {"/healthz", "/executions", "/runs", "/function-blocks"}) {
      runner.target.on(method, path, always);
    }
  }
  const RunOutcome refused = run({named("a/a", failing)});
  EXPECT_EQ(refused.record.cases[0].verdict, Verdict::inconclusive);
  EXPECT_THAT(refused.record.cases[0].checks.back().reason, HasSubstr("no positive control"));
  EXPECT_TRUE(is_missing_control(refused.record.cases[0].checks.back()));
  runner.target.on("POST", "/executions",
                   [](const auto&) { return json(201, Object{{"execution_id", "x"}}); });
  EXPECT_EQ(run({named("a/a", failing)}).record.cases[0].verdict, Verdict::pass);
}

TEST_F(SchedulerTest, ATargetThatAnswersNoOperationIsNotJudged) {
  options.checks_operations = true;
  for (const char* path : {"/executions", "/runs"}) {
    runner.target.on("GET", path, [](const auto&) { return json(404, Object{}); });
    runner.target.on("POST", path, [](const auto&) { return json(201, Object{}); });
  }
  const RunOutcome outcome = run({named("a/a", healthy)});
  EXPECT_THAT(outcome.record.cases, IsEmpty());
  EXPECT_THAT(outcome.unreachable, HasSubstr("nothing here answers as the profile"));
  EXPECT_THAT(outcome.unreachable, HasSubstr("POST /executions: answered 201"));
}

TEST_F(SchedulerTest, ATargetThatAnswersBadlyIsJudged) {
  runner.target.on("GET", "/healthz",
                   [](const auto&) { return fault(core::TransportFault::request_timeout); });
  const RunOutcome outcome = run({named("a/a", healthy)});
  EXPECT_EQ(outcome.unreachable, "");
  ASSERT_EQ(outcome.record.cases.size(), 1U);
  EXPECT_EQ(outcome.record.cases[0].verdict, Verdict::inconclusive);
}

TEST_F(SchedulerTest, ACancelledRunHasNoFooter) {
  std::stop_source source;
  options.stop = source.get_token();
  options.jobs = 1;
  options.on_case = [&source](const core::CaseResult&) { source.request_stop(); };
  const RunOutcome outcome = run({named("a/a", healthy), named("b/b", healthy)});
  EXPECT_THAT(ids(outcome), ElementsAre("a/a"));
  EXPECT_FALSE(outcome.record.footer);
  EXPECT_EQ(check::exit_code_of(outcome.record), core::ExitCode::nothing_proven);
}

core::Hook hook(const std::string& method, const std::string& path) {
  core::Hook made;
  made.request.method = method;
  made.request.path = path;
  return made;
}

class InterruptedRun : public SchedulerTest {
 protected:
  InterruptedRun() {
    runner.profile.cleanup = {{"execution_id", hook("DELETE", "/executions/${execution_id}")}};
    runner.profile.setup = {hook("POST", "/setup")};
    runner.profile.teardown = {hook("POST", "/teardown")};
    runner.target.on("POST", "/executions",
                     [](const auto&) { return json(201, Object{{"execution_id", "e"}}); });
    options.stop = source.get_token();
    options.jobs = 1;
  }

  /// Stops the run once a case has made something, and answers the request in its middle.
  void stop_at_events() {
    runner.target.on("POST", "/executions/e/events", [this](const auto&) {
      source.request_stop();
      return json(201, Object{});
    });
  }

  std::vector<core::Scenario> scenarios = {
      scenario_of("  - start: {}\n  - post: {type: step.enter, node: a}\n"
                  "  - expect: {status: {state: RUNNING}}\n"),
      named("b/b", healthy)};
  std::stop_source source;
};

TEST_F(InterruptedRun, CleansUpAfterTheCasesUnderWayAndTearsDown) {
  stop_at_events();
  const RunOutcome outcome = run(scenarios);
  EXPECT_THAT(ids(outcome), IsEmpty());
  EXPECT_FALSE(outcome.record.footer);
  const std::vector<std::string>& asked = runner.target.requests();
  ASSERT_GE(asked.size(), 3U);
  EXPECT_THAT(asked.at(asked.size() - 3), HasSubstr("step.enter"));
  EXPECT_THAT(asked.at(asked.size() - 2), StartsWith("DELETE /executions/e"));
  EXPECT_EQ(asked.back(), "POST /teardown");
}

TEST_F(InterruptedRun, TriesTheTeardownAlsoWhereACaseIsHeldUp) {
  options.clean_up_ms = 10;
  runner.target.never_answers("POST /executions/e/events", [this] { source.request_stop(); });
  const RunOutcome outcome = run(scenarios);
  EXPECT_FALSE(outcome.record.footer);
  EXPECT_EQ(runner.target.requests().back(), "POST /teardown");
}

TEST_F(InterruptedRun, TearsNothingDownThatWasNeverSetUp) {
  source.request_stop();
  run(scenarios);
  EXPECT_THAT(runner.target.requests(), IsEmpty());
}

TEST_F(SchedulerTest, NothingToRunProvesNothing) {
  const RunOutcome outcome = run({});
  ASSERT_TRUE(outcome.record.footer);
  EXPECT_EQ(check::exit_code_of(outcome.record), core::ExitCode::nothing_proven);
}

}  // namespace
}  // namespace assay::run
