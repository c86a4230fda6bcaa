// Expectations that belong to one look (same_look) are judged from what was read once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using testing::json;
using testing::TestRunner;

constexpr const char* looked_at = "/executions/assay-7-test-case-8c6c8202-main/status";

/// A status that is another one with each read: look 1, look 2 …
class Counting {
 public:
  Counting() {
    runner.target.on("GET", looked_at, [this](const auto&) {
      return json(200, Object{{"state", "RUNNING"}, {"look", ++reads}});
    });
  }

  TestRunner runner;
  int reads = 0;
};

TEST(SameLook, ReadsOnceForAllItsChecks) {
  Counting counting;
  const auto result = counting.runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}}\n"
      "  - expect: {status: {look: 1}, same_look: true}\n"
      "  - expect: {status: {look: 2}, same_look: true}\n");
  EXPECT_EQ(counting.reads, 1);
  ASSERT_EQ(result.checks.size(), 3U);
  EXPECT_EQ(result.checks[1].verdict, Verdict::pass);
  EXPECT_EQ(result.checks[2].verdict, Verdict::fail);
  for (const core::Check& check : result.checks) {
    EXPECT_THAT(check.evidence, ElementsAre(1U));
    EXPECT_EQ(check.looks, 1);
  }
  EXPECT_EQ(result.exchanges.size(), 2U);
}

TEST(SameLook, IsAskedFor) {
  Counting counting;
  const auto result = counting.runner.run(
      "  - start: {}\n"
      "  - expect: {status: {look: 1}}\n"
      "  - expect: {status: {look: 2}}\n"
      "  - expect: {status: {look: 2}, same_look: true}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(counting.reads, 2);
}

TEST(SameLook, EndsWithTheNextCommand) {
  Counting counting;
  const auto result = counting.runner.run(
      "  - start: {}\n"
      "  - expect: {status: {look: 1}}\n"
      "  - post: {type: step.enter}\n"
      "  - expect: {status: {look: 2}, same_look: true}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
}

TEST(SameLook, IsOnlyTheFirstOfAHold) {
  Counting counting;
  const auto result = counting.runner.run(
      "  - start: {}\n"
      "  - expect: {status: {look: 1}}\n"
      "  - expect: {status: {look: 1}, hold: true, same_look: true}\n");
  EXPECT_EQ(result.checks.at(1).verdict, Verdict::fail);
  EXPECT_EQ(counting.reads, 2);
}

TEST(SameLook, OfAnEventualTargetIsOldUntilItHasCaughtUp) {
  TestRunner runner;
  runner.profile.consistency = {true, 500};
  runner.target.on("GET", looked_at, [&runner](const auto&) {
    const bool has_caught_up = runner.clock.steady_ms() >= 450;
    return json(200, Object{{"state", "RUNNING"}, {"caught_up", has_caught_up}});
  });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: step.enter}\n"
      "  - expect: {status: {state: PENDING}, clause: STM-CORE-1, within_ms: 0}\n"
      "  - expect: {status: {caught_up: true}, same_look: true}\n");
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[1].verdict, Verdict::pass);
}

TEST(SameLook, TriesAnewWhatMayStillComeTrue) {
  Counting counting;
  const auto result = counting.runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}}\n"
      "  - expect: {status: {look: 3}, within_ms: 1000, same_look: true}\n");
  EXPECT_EQ(result.checks.at(1).verdict, Verdict::pass);
  EXPECT_EQ(counting.reads, 3);
}

}  // namespace
}  // namespace assay::run
