#include "harness/run/concurrency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using testing::Bench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::json;
using ::testing::SizeIs;

check::PerformedCall call(std::string operation, Object parameters, Value mapped, double called_ms,
                          double returned_ms) {
  check::PerformedCall made;
  made.operation = {std::move(operation), std::move(parameters)};
  made.answer.acceptance = core::Acceptance::accepted;
  made.answer.status = 200;
  made.answer.mapped = std::move(mapped);
  made.called_ms = called_ms;
  made.returned_ms = returned_ms;
  return made;
}

check::PerformedCall cancel(bool already_terminal, double called_ms, double returned_ms) {
  return call("executions.cancel", {{"execution_id", "x"}},
              Object{{"state", "CANCELLED"}, {"already_terminal", already_terminal}}, called_ms,
              returned_ms);
}

check::PerformedCall status(std::string state, double called_ms, double returned_ms) {
  return call("executions.status", {{"execution_id", "x"}}, Object{{"state", std::move(state)}},
              called_ms, returned_ms);
}

/// The exchanges of these calls, and one that is none of them.
std::vector<core::Exchange> exchanges_of(const std::vector<check::PerformedCall>& calls) {
  std::vector<core::Exchange> exchanges(1);
  for (const check::PerformedCall& each : calls) {
    exchanges.emplace_back();
    exchanges.back().operation = each.operation.name;
    exchanges.back().called_ms = each.called_ms;
    exchanges.back().returned_ms = each.returned_ms;
  }
  return exchanges;
}

std::vector<core::Check> judged(const std::vector<check::PerformedCall>& calls,
                                const core::Profile& profile = testing::contract_profile()) {
  return judge_concurrent_calls(calls, profile, exchanges_of(calls));
}

TEST(ConcurrentCalls, AreExplainedByOneOrder) {
  const auto checks = judged({cancel(true, 0, 10), cancel(false, 1, 9)});
  ASSERT_THAT(checks, SizeIs(1));
  EXPECT_EQ(checks[0].verdict, Verdict::pass);
  EXPECT_THAT(checks[0].evidence, IsEmpty());
}

TEST(ConcurrentCalls, FailWithTheOrderAndTheExchangesWhereNoneExplainsThem) {
  const auto checks = judged({cancel(false, 0, 10), cancel(false, 1, 9)});
  ASSERT_THAT(checks, SizeIs(1));
  EXPECT_EQ(checks[0].verdict, Verdict::fail);
  EXPECT_THAT(checks[0].expected, HasSubstr("the calls of execution x"));
  EXPECT_THAT(checks[0].actual, HasSubstr("1. [0.00 ms, 10.00 ms] cancel"));
  EXPECT_THAT(checks[0].evidence, ElementsAre(1, 2));
}

TEST(ConcurrentCalls, AreJudgedRunByRun) {
  const auto get = [](const char* run_id, const char* status, double called_ms) {
    return call("runs.get", {{"run_id", run_id}}, Object{{"status", status}}, called_ms,
                called_ms + 5);
  };
  const auto checks =
      judged({get("a", "created", 0), get("a", "created", 1), get("b", "running", 0),
              get("b", "created", 1), get("c", "running", 0)});
  ASSERT_THAT(checks, SizeIs(2));
  EXPECT_EQ(checks[0].verdict, Verdict::pass);
  EXPECT_EQ(checks[1].verdict, Verdict::fail);
  EXPECT_THAT(checks[1].expected, HasSubstr("run b"));
}

TEST(ConcurrentCalls, AreNotJudgedWhereTheyFollowOneAnother) {
  EXPECT_THAT(judged({cancel(false, 0, 1), cancel(false, 2, 3)}), IsEmpty());
}

TEST(ConcurrentCalls, AreNotJudgedWhereTheTargetSpeaksAnotherBinding) {
  core::Profile profile = testing::contract_profile();
  profile.capabilities.erase("binding.reference");
  EXPECT_THAT(judged({cancel(false, 0, 10), cancel(false, 1, 9)}, profile), IsEmpty());
}

TEST(ConcurrentCalls, AreNotHeldAgainstReadsThatMayLagBehind) {
  core::Profile profile = testing::contract_profile();
  const std::vector calls = {cancel(false, 0, 10), cancel(true, 1, 9), status("PENDING", 11, 12)};
  EXPECT_EQ(judged(calls, profile).at(0).verdict, Verdict::fail);
  profile.consistency.eventual = true;
  EXPECT_EQ(judged(calls, profile).at(0).verdict, Verdict::pass);
}

TEST(ConcurrentCalls, AreNotHeldAgainstWhatTheTargetDoesNotShow) {
  core::Profile profile = testing::contract_profile();
  const std::vector calls = {status("PENDING", 0, 10), status("RUNNING", 1, 9)};
  EXPECT_EQ(judged(calls, profile).at(0).verdict, Verdict::fail);
  profile.operations.at("executions.status").unobserved = {"state"};
  const core::Check hidden = judged(calls, profile).at(0);
  EXPECT_EQ(hidden.verdict, Verdict::inconclusive);
  EXPECT_EQ(hidden.reason, "2 of the reads of x show no state");
}

TEST(ConcurrentCalls, ThatAreAnsweredWithNothingProveNothing) {
  const auto empty = [](const char* operation, Object parameters) {
    parameters.emplace("execution_id", "x");
    return call(operation, std::move(parameters), Object{}, 0, 10);
  };
  const Object event = {{"event_id", "e"}, {"event_type", "playbook.completed"}};
  const auto posts =
      judged({empty("events.post", {{"event", event}}), empty("events.post", {{"event", event}})});
  ASSERT_THAT(posts, SizeIs(1));
  EXPECT_EQ(posts[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(posts[0].reason, "no answer shows anything of x");
  const auto reads = judged({empty("executions.status", {}), cancel(false, 0, 10)});
  ASSERT_THAT(reads, SizeIs(1));
  EXPECT_EQ(reads[0].verdict, Verdict::inconclusive);
}

/// Two clients post the same event; the target says in turn whether it had it already.
core::CaseResult post_twice(const std::string& steps, bool second_is_duplicate) {
  Bench bench;
  int posts = 0;
  bench.target.on("POST", "/executions/assay-7-test-case-8c6c8202-main/events", [&](const auto&) {
    const bool is_duplicate = posts++ > 0 && second_is_duplicate;
    return json(201, Object{{"duplicate", is_duplicate}});
  });
  const auto result = bench.run(steps);
  EXPECT_EQ(posts, 2);
  return result;
}

constexpr const char* same_event =
    "[{post: {type: step.enter, id: same, time: \"2026-01-01T00:00:00Z\"}, response: {is: "
    "accepted}}]";

TEST(ConcurrentCalls, OfACasesBranchesAreJudgedUnderItsClauses) {
  const std::string steps = std::string("  - start: {}\n  - together:\n      - ") + same_event +
                            "\n      - " + same_event + "\n";
  for (const bool is_sound : {true, false}) {
    const auto result = post_twice(steps, is_sound);
    EXPECT_EQ(result.verdict, is_sound ? Verdict::pass : Verdict::fail);
    ASSERT_THAT(result.checks, SizeIs(3));
    EXPECT_EQ(result.checks[2].verdict, result.verdict);
    EXPECT_EQ(result.checks[2].clauses, result.clauses);
    EXPECT_EQ(result.checks[2].at, "case.yaml:7:5");
  }
}

TEST(ConcurrentCalls, OfACaseWithoutBranchesAreNotJudged) {
  const std::string steps =
      std::string("  - start: {}\n  - repeat: {times: 2, steps: ") + same_event + "}\n";
  EXPECT_THAT(post_twice(steps, false).checks, SizeIs(2));
}

}  // namespace
}  // namespace assay::run
