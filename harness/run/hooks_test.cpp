#include "harness/run/hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <vector>

#include "harness/run/scheduler.h"
#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::json;
using testing::scenario_of;
using ::testing::StartsWith;
using testing::TestRunner;

core::Hook hook(std::string method, std::string path) {
  core::Hook result;
  result.request.method = std::move(method);
  result.request.path = std::move(path);
  return result;
}

core::Mapping at(std::string pointer) { return {core::PointerMapping{std::move(pointer)}}; }

/// A target that names what it makes.
void name_executions(TestRunner& runner, const char* id) {
  runner.target.on("POST", "/executions",
                   [id](const auto&) { return json(201, Object{{"execution_id", id}}); });
}

constexpr const char* start_and_look =
    "  - start: {}\n"
    "  - expect: {status: {state: RUNNING}}\n";

constexpr const char* only_start =
    "  - start: {}\n"
    "    response: {is: accepted}\n";

TEST(Hooks, AnOperationIsAcceptedOnceWhatFollowsItIs) {
  TestRunner runner;
  name_executions(runner, "41");
  core::Hook waits = hook("GET", "/tickets/${answer.execution_id}");
  waits.until = {{core::Condition::equal("/state", "done"), core::Acceptance::accepted}};
  runner.profile.operations.at("executions.start").after = {waits};
  int looks = 0;
  runner.target.on("GET", "/tickets/41", [&looks](const auto&) {
    return json(200, Object{{"state", ++looks < 3 ? "queued" : "done"}});
  });
  runner.target.on("GET", "/executions/41/status",
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  const auto result = runner.run(start_and_look);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(looks, 3);
}

TEST(Hooks, OneThatNeverComesToAnEndIsNoSetUp) {
  TestRunner runner;
  name_executions(runner, "41");
  core::Hook waits = hook("GET", "/tickets");
  waits.until = {{core::Condition::equal("/state", "done"), core::Acceptance::accepted}};
  runner.profile.operations.at("executions.start").after = {waits};
  runner.target.on("GET", "/tickets",
                   [](const auto&) { return json(200, Object{{"state", "queued"}}); });
  const auto result = runner.run(start_and_look);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("GET /tickets: answered 200"));
}

TEST(Hooks, WhatComesBeforeGivesTheOperationItsParameters) {
  TestRunner runner;
  name_executions(runner, "41");
  core::Hook asks = hook("POST", "/tickets");
  asks.captures.emplace("ticket", at("/ticket"));
  auto& start = runner.profile.operations.at("executions.start");
  start.before = {asks};
  start.body = Object{{"ticket", "${ticket}"}};
  runner.target.on("POST", "/tickets",
                   [](const auto&) { return json(200, Object{{"ticket", 7}}); });
  (void)runner.run(only_start);
  EXPECT_THAT(runner.target.requests(),
              ElementsAre(StartsWith("POST /tickets"), StartsWith("POST /executions")));
  EXPECT_EQ(runner.target.bodies().back(), Value(Object{{"ticket", 7}}));
}

TEST(Hooks, RegisterAPlaybookWhoseGuardsNameEventsAsTheTargetDoes) {
  TestRunner runner;
  name_executions(runner, "41");
  runner.profile.event_names = {{"step.done", "call.done"}};
  core::Hook registers = hook("POST", "/playbooks");
  registers.request.body = Object{{"guard", "${playbook.guard}"}};
  auto& start = runner.profile.operations.at("executions.start");
  start.before = {registers};
  start.body = Object{{"guard", "${playbook.guard}"}};
  runner.target.on("POST", "/playbooks", [](const auto&) { return json(200, Object{}); });
  const char* steps =
      "  - start: {playbook: {guard: \"{{ event.name == 'step.done' }}\"}}\n"
      "    response: {is: accepted}\n";
  EXPECT_EQ(runner.run(steps).verdict, Verdict::pass);
  EXPECT_THAT(runner.target.bodies(),
              ::testing::Each(Value(Object{{"guard", "{{ event.name == 'call.done' }}"}})));
  runner.profile.event_names = {{"step.done", ""}};
  EXPECT_EQ(runner.run(steps).verdict, Verdict::not_applicable);
}

TEST(Hooks, ThatFailBeforeAnOperationSayNothingOfItAndAreShown) {
  for (const char* steps :
       {only_start, "  - start: {}\n    response: {status: [409, 422]}\n", start_and_look}) {
    TestRunner runner;
    runner.profile.operations.at("executions.start").before = {hook("POST", "/tickets")};
    runner.target.on("POST", "/tickets",
                     [](const auto&) { return json(500, Object{{"oops", "no disk"}}); });
    const auto result = runner.run(steps);
    EXPECT_EQ(result.verdict, Verdict::inconclusive) << steps;
    ASSERT_EQ(result.checks.size(), 1U);
    EXPECT_THAT(result.checks[0].reason, HasSubstr("POST /tickets: answered 500"));
    EXPECT_THAT(result.checks[0].reason, HasSubstr("no disk"));
  }
  TestRunner runner;
  runner.profile.operations.at("executions.status").before = {hook("GET", "/tickets")};
  const auto result =
      runner.run("  - start: {}\n  - expect: {status: {response: {is: unknown}}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("GET /tickets: answered 404"));
}

TEST(Hooks, CleanUpWhatACaseMadeHoweverItEnds) {
  TestRunner runner;
  name_executions(runner, "41");
  runner.profile.cleanup.emplace("execution_id", hook("DELETE", "/executions/${execution_id}"));
  const auto result = runner.run(
      "  - start: {}\n"
      "  - start: {}\n"
      "    as: other\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(runner.target.requests(), Contains(StartsWith("DELETE /executions/41")).Times(2));
}

TEST(Hooks, PutBackTheServicesThatACaseTookAway) {
  TestRunner runner;
  core::OperationTemplate& service = runner.profile.operations["control.lock_service"];
  service.method = "POST";
  service.path = "/control/lock-service";
  service.body = Object{{"available", "${available}"}};
  const auto result = runner.run(
      "  - lock_service: false\n"
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(runner.target.requests().back(), R"(POST /control/lock-service {"available":true})");
}

TEST(Observed, IsHeldAgainstWhatTheTargetShowsOnly) {
  TestRunner runner;
  name_executions(runner, "41");
  runner.profile.operations.at("executions.status").unobserved = {"terminal_event"};
  runner.target.on("GET", "/executions/41/status",
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING, terminal_event: x}}\n"
      "  - expect: {status: {state: FAILED, terminal_event: x}}\n"
      "  - expect: {status: {terminal_event: x}}\n"
      "  - never: {status: {state: RUNNING, terminal_event: x}}\n");
  std::vector<Verdict> verdicts;
  for (const core::Check& check : result.checks) verdicts.push_back(check.verdict);
  EXPECT_THAT(verdicts, ElementsAre(Verdict::pass, Verdict::fail, Verdict::not_applicable,
                                    Verdict::not_applicable));
}

TEST(Listings, ArePagedByNumberAndTurnedAroundWhereTheNewestComesFirst) {
  TestRunner runner;
  name_executions(runner, "41");
  core::OperationTemplate& log = runner.profile.operations.at("events.list");
  log.query = {{"page", "${after?}"}};
  log.paging = {core::Paging::Style::page, "/more", "", 0};
  log.newest_first = true;
  runner.target.on("GET", "/executions/41/events", [](const core::HttpRequest& request) {
    const bool first = request.target.ends_with("page=1");
    const Value event = Object{{"event_type", first ? "c.d" : "a.b"}};
    return json(200, Object{{"events", List{event}}, {"items", List{event}}, {"more", first}});
  });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {events: {exactly: [{event_type: a.b}, {event_type: c.d}]}}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
}

TEST(SetUp, IsMadeOnceAndItsCapturesAreThereForEveryCase) {
  TestRunner runner;
  core::Hook registers = hook("POST", "/register");
  registers.request.body = Object{{"by", "${mark}"}};
  registers.captures.emplace("path", at("/path"));
  runner.profile.setup = {registers};
  runner.profile.operations.at("executions.start").body = Object{{"path", "${setup.path}"}};
  runner.target.on("POST", "/register",
                   [](const auto&) { return json(200, Object{{"path", "p"}}); });
  const core::Scenario scenario = scenario_of(only_start);
  const std::vector<core::Case> cases = {{"a", &scenario, {}}, {"b", &scenario, {}}};
  boost::asio::io_context io;
  (void)run_cases(io, runner.context, cases, {});
  EXPECT_THAT(runner.target.requests(), Contains(StartsWith("POST /register")).Times(1));
  EXPECT_THAT(runner.target.bodies(), Contains(Value(Object{{"by", "assay-7"}})));
  EXPECT_THAT(runner.target.bodies(), Contains(Value(Object{{"path", "p"}})).Times(2));
}

TEST(SetUp, ThatFailsLeavesNothingToBeJudged) {
  TestRunner runner;
  runner.profile.setup = {hook("POST", "/register")};
  runner.target.on("POST", "/register", [](const auto&) { return json(500, Object{}); });
  const core::Scenario scenario = scenario_of(only_start);
  const std::vector<core::Case> cases = {{"a", &scenario, {}}};
  boost::asio::io_context io;
  const RunOutcome outcome = run_cases(io, runner.context, cases, {});
  EXPECT_THAT(outcome.unreachable, StartsWith("the profile's setup failed: POST /register"));
  EXPECT_TRUE(outcome.record.cases.empty());
}

}  // namespace
}  // namespace assay::run
