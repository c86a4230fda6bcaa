#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using testing::json;
using ::testing::SizeIs;
using testing::TestRunner;

/// Two clients post the same event; the target says in turn whether it had it already.
core::CaseResult post_twice(const std::string& steps, bool second_is_duplicate) {
  TestRunner runner;
  int posts = 0;
  runner.target.on("POST", "/executions/assay-7-test-case-8c6c8202-main/events", [&](const auto&) {
    const bool is_duplicate = posts++ > 0 && second_is_duplicate;
    return json(201, Object{{"duplicate", is_duplicate}});
  });
  const auto result = runner.run(steps);
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
