// Login, and what else the harness makes of itself around a call: values made for each call, a
// transition that the target makes by itself, and work that is accepted before it is done.
#include "harness/run/login.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/run/scheduler.h"
#include "harness/run/testing/scripted_target.h"
#include "harness/wire/json.h"

namespace assay::run::login_test {
namespace {

using core::Verdict;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::json;
using ::testing::Not;
using testing::scenario_of;
using testing::TestRunner;

constexpr const char* create_one =
    "  - operation: {name: runs.create}\n"
    "    as: r\n"
    "    response: {is: accepted}\n";

constexpr const char* create_two =
    "  - operation: {name: runs.create}\n"
    "    as: r\n"
    "    response: {is: accepted}\n"
    "  - operation: {name: runs.create}\n"
    "    as: s\n"
    "    response: {is: accepted}\n";

core::Hook hook(std::string method, std::string path) {
  core::Hook result;
  result.request.method = std::move(method);
  result.request.path = std::move(path);
  return result;
}

core::Mapping at(std::string pointer) { return {core::PointerMapping{std::move(pointer)}}; }

/// A target whose tokens serve so many requests each.
struct Guarded {
  explicit Guarded(int uses) : uses(uses) {
    core::Hook login = hook("POST", "/login");
    login.captures.emplace("token", at("/access_token"));
    runner.profile.login = {login};
    runner.profile.headers = {{"Authorization", "Bearer ${login.token}", true}};
    runner.target.on("POST", "/login", [this](const core::HttpRequest& request) {
      for (const core::Header& header : request.headers) has_sent_literally |= is_literal(header);
      left = this->uses;
      return json(200, Object{{"access_token", token(++logins)}});
    });
    runner.target.on("POST", "/runs", [this](const core::HttpRequest& request) {
      bool is_known = false;
      for (const core::Header& header : request.headers) {
        is_known |= header.value == "Bearer " + token(logins);
        has_sent_literally |= is_literal(header);
      }
      if (!is_known || left-- <= 0) return json(401, Object{{"no", "token"}});
      ++made;
      return json(201, Object{{"run_id", "run-" + token(logins) + std::to_string(made)}});
    });
  }

  static std::string token(int number) { return "secret-token-" + std::to_string(number); }
  static bool is_literal(const core::Header& header) {
    return header.value.find("${") != std::string::npos;
  }

  RunOutcome run(const char* steps, int cases) {
    scenario = scenario_of(steps);
    std::vector<core::Case> all;
    for (int index = 0; index < cases; ++index) {
      all.push_back({"case-" + std::to_string(index), &scenario, {}});
    }
    boost::asio::io_context io;
    RunOptions options;
    options.jobs = 1;
    return run_cases(io, runner.context, all, options);
  }

  TestRunner runner;
  core::Scenario scenario;
  int uses;
  int left = 0;
  int logins = 0;
  int made = 0;
  bool has_sent_literally = false;
};

TEST(Login, IsMadeOnceForAllCases) {
  Guarded target(1'000);
  const RunOutcome outcome = target.run(create_two, 3);
  ASSERT_EQ(outcome.record.cases.size(), 3U) << outcome.unreachable;
  for (const auto& result : outcome.record.cases) EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(target.logins, 1);
  EXPECT_EQ(target.made, 6);
  EXPECT_FALSE(target.has_sent_literally);
}

TEST(Login, IsRenewedAfter401AndTheRequestSentAgain) {
  Guarded target(2);
  const RunOutcome outcome = target.run(create_two, 3);
  ASSERT_EQ(outcome.record.cases.size(), 3U) << outcome.unreachable;
  for (const auto& result : outcome.record.cases) EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(target.logins, 3);
  EXPECT_EQ(target.made, 6) << "each is made once";
}

TEST(Login, IsTriedOncePerRequest) {
  Guarded target(0);
  const RunOutcome outcome = target.run(create_one, 1);
  ASSERT_EQ(outcome.record.cases.size(), 1U);
  EXPECT_NE(outcome.record.cases[0].verdict, Verdict::pass);
  EXPECT_THAT(target.runner.target.requests(), Contains(HasSubstr("POST /runs")).Times(2));
}

TEST(Login, IsShownNowhere) {
  Guarded target(1);
  const RunOutcome outcome = target.run(create_two, 1);
  std::string shown;
  for (const auto& result : outcome.record.cases) {
    for (const core::Exchange& exchange : result.exchanges) {
      shown += exchange.request.target + exchange.request.body.value_or("");
      for (const auto& header : exchange.request.headers) shown += header.value;
      if (exchange.response) shown += exchange.response->body;
    }
  }
  EXPECT_THAT(shown, HasSubstr("run-***"));
  EXPECT_THAT(shown, Not(HasSubstr("secret-token"))) << "not of the renewed one either";
}

TEST(Login, ThatFailsLeavesNothingToBeJudged) {
  Guarded target(1);
  target.runner.target.on("POST", "/login", [](const auto&) { return json(403, Object{}); });
  const RunOutcome outcome = target.run(create_two, 1);
  EXPECT_THAT(outcome.unreachable, HasSubstr("login: POST /login: answered 403"));
}

TEST(MadeValues, AreNewForEachCallAndTheSameInEachRun) {
  std::vector<std::vector<Value>> bodies;
  for (int time = 0; time < 2; ++time) {
    TestRunner runner;
    runner.profile.makes_values = true;
    auto& create = runner.profile.operations.at("runs.create");
    create.body = Object{{"key", "${unique}"}, {"number", "${count}"}, {"at", "${now}"}};
    runner.target.on("POST", "/runs",
                     [](const auto&) { return json(201, Object{{"run_id", "r"}}); });
    EXPECT_EQ(runner.run(create_two).verdict, Verdict::pass);
    bodies.push_back(runner.target.bodies());
  }
  ASSERT_EQ(bodies[0].size(), 2U);
  EXPECT_EQ(bodies[0], bodies[1]);
  EXPECT_NE(*bodies[0][0].find("key"), *bodies[0][1].find("key"));
  EXPECT_EQ(*bodies[0][0].find("number"), Value(1));
  EXPECT_EQ(*bodies[0][1].find("number"), Value(2));
  EXPECT_EQ(*bodies[0][0].find("at"), Value("1970-01-01T00:00:00.000Z"));
}

/// A target whose runs leave `created` by themselves, at the third look.
struct SelfStarting {
  SelfStarting() {
    runner.profile.passing_states = {"created"};
    runner.profile.missing_states = {"created"};
    core::OperationTemplate get;
    get.path = "/runs/${run_id}";
    runner.profile.operations["runs.get"] = get;
    runner.target.on("POST", "/runs", [](const auto&) {
      return json(201, Object{{"run_id", "r"}, {"status", "created"}});
    });
    runner.target.on("GET", "/runs/r", [this](const auto&) {
      const bool runs = ++looks > wait && wait >= 0;
      return json(200, Object{{"run_id", "r"}, {"status", runs ? "running" : "created"}});
    });
    runner.target.on("POST", "/runs/r/transitions", [](const auto&) {
      return json(200, Object{{"run_id", "r"}, {"status", "success"}});
    });
  }

  TestRunner runner;
  int looks = 0;
  int wait = 2;
};

constexpr const char* created = "  - operation: {name: runs.create}\n    as: r\n";

TEST(AwaitedTransition, IsTheTargetsOwn) {
  SelfStarting target;
  const auto result = target.runner.run(
      std::string(created) +
      "  - operation: {name: runs.transition, parameters: {run_id: r, to: running}}\n"
      "    response: {is: accepted}\n"
      "  - operation: {name: runs.transition, parameters: {run_id: r, to: success}}\n"
      "    response: {is: accepted}\n");
  EXPECT_EQ(result.verdict, Verdict::pass) << result.reason;
  EXPECT_EQ(target.looks, 3);
  EXPECT_THAT(target.runner.target.requests(), Contains(HasSubstr("transitions")).Times(1));
}

TEST(AwaitedTransition, IsOverForARunThatGoesItsWayOnceALookSaysSo) {
  SelfStarting target;
  target.runner.profile.capabilities.insert("runs.unattended");
  target.wait = 0;
  const auto result = target.runner.run(
      "  - operation: {name: runs.create, parameters: {ends: never}}\n"
      "    as: r\n"
      "  - operation: {name: runs.get, parameters: {run_id: r}}\n"
      "  - operation: {name: runs.transition, parameters: {run_id: r, to: success}}\n"
      "    response: {is: refused}\n");
  EXPECT_EQ(result.verdict, Verdict::fail) << "it has a state to stay in: " << result.reason;
}

TEST(AwaitedTransition, ThatNeverComesDecidesNothing) {
  SelfStarting target;
  target.wait = -1;
  const auto result = target.runner.run(
      std::string(created) +
      "  - operation: {name: runs.transition, parameters: {run_id: r, to: running}}\n"
      "    response: {is: accepted}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.back().reason, HasSubstr("did not become running by itself"));
}

TEST(AwaitedTransition, LeavesNoTimeForWhatHasToComeBeforeIt) {
  SelfStarting target;
  const auto result = target.runner.run(
      std::string(created) +
      "  - operation: {name: runs.transition, parameters: {run_id: r, to: success}}\n"
      "    response: {is: refused}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_THAT(result.reason, HasSubstr("no state created that a run could stay in"));
}

TEST(After, WhatWasAcceptedIsReadOnceItIsDone) {
  TestRunner runner;
  auto& create = runner.profile.operations.at("runs.create");
  create.accepted = {202};
  const core::Mapping location{
      core::HeadMapping{core::HeadMapping::Field::header, "location", {.part = "/tasks/(.*)"}}};
  create.captures.emplace("place", location);
  core::Hook waits = hook("GET", "/tasks/${place}");
  waits.until = {{core::Condition::equal("/state", "DONE"), core::Acceptance::accepted}};
  waits.captures.emplace("task", at(""));
  create.after = {waits};
  create.read =
      core::Mapping{core::ObjectMapping{{{"run_id", {core::PointerMapping{"/id", "task"}}}}}};
  runner.target.on("POST", "/runs", [](const auto&) {
    return core::HttpResponse{202, {{"Location", "/tasks/9"}}, "{}"};
  });
  int looks = 0;
  runner.target.on("GET", "/tasks/9", [&looks](const auto&) {
    if (++looks < 3) return json(200, Object{{"state", "QUEUED"}});
    return json(200, Object{{"state", "DONE"}, {"id", "made"}});
  });
  const auto result = runner.run(
      "  - operation: {name: runs.create}\n"
      "    response: {is: accepted, body: {run_id: made}}\n");
  EXPECT_EQ(result.verdict, Verdict::pass)
      << (result.checks.empty() ? result.reason : result.checks.back().actual);
  EXPECT_EQ(looks, 3);
}

}  // namespace
}  // namespace assay::run::login_test
