#include "harness/check/concurrency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay::check {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

core::Call call(std::string operation, Object parameters, Value mapped, double called_ms,
                double returned_ms) {
  core::Answer answer;
  answer.acceptance = core::Acceptance::accepted;
  answer.status = 200;
  answer.mapped = std::move(mapped);
  core::Call made;
  made.asked = {std::move(operation), std::move(parameters)};
  made.answer = std::make_shared<const core::Answer>(std::move(answer));
  made.called_ms = called_ms;
  made.returned_ms = returned_ms;
  return made;
}

core::Call cancel(bool already_terminal, double called_ms, double returned_ms) {
  return call("executions.cancel", {{"execution_id", "x"}},
              Object{{"state", "CANCELLED"}, {"already_terminal", already_terminal}}, called_ms,
              returned_ms);
}

core::Call status(std::string state, double called_ms, double returned_ms) {
  return call("executions.status", {{"execution_id", "x"}}, Object{{"state", std::move(state)}},
              called_ms, returned_ms);
}

core::Profile contract_profile() {
  core::Profile profile;
  profile.capabilities = {"binding.reference"};
  profile.operations["executions.status"].method = "GET";
  return profile;
}

/// The first call took exchange 1, the next 2, and so on: exchange 0 is nobody's.
std::vector<core::Check> judged(std::vector<core::Call> calls,
                                const core::Profile& profile = contract_profile()) {
  core::History history;
  history.calls = std::move(calls);
  for (std::size_t index = 0; index < history.calls.size(); ++index) {
    history.calls[index].exchanges = {index + 1};
  }
  return judge_concurrent_calls(history, profile);
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
  EXPECT_THAT(checks[0].expected, HasSubstr("a linearization of the calls on execution x"));
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
  core::Profile profile = contract_profile();
  profile.capabilities.erase("binding.reference");
  EXPECT_THAT(judged({cancel(false, 0, 10), cancel(false, 1, 9)}, profile), IsEmpty());
}

TEST(ConcurrentCalls, AreNotHeldAgainstReadsThatMayLagBehind) {
  core::Profile profile = contract_profile();
  const std::vector calls = {cancel(false, 0, 10), cancel(true, 1, 9), status("PENDING", 11, 12)};
  EXPECT_EQ(judged(calls, profile).at(0).verdict, Verdict::fail);
  profile.consistency.eventual = true;
  EXPECT_EQ(judged(calls, profile).at(0).verdict, Verdict::pass);
}

TEST(ConcurrentCalls, AreNotHeldAgainstWhatTheTargetDoesNotShow) {
  core::Profile profile = contract_profile();
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

}  // namespace
}  // namespace assay::check
