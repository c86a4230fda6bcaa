// What a step keeps of an answer for the steps after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using testing::events_path;
using testing::json;
using ::testing::StartsWith;
using testing::status_path;
using testing::TestRunner;

TEST(Captures, WhatIsCapturedIsUsedFromThenOn) {
  TestRunner runner;
  runner.target.on("POST", events_path,
                   [](const auto&) { return json(201, Object{{"seq", 7}, {"id", "a/b c"}}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: step.enter}\n"
      "    capture: {seq: /seq, odd: /id}\n"
      "  - post: {type: step.enter, payload: {n: \"${seq}\"}}\n"
      "  - request: {method: GET, path: \"/x/${odd}?n=${seq}\"}\n"
      "    response: {status: 404}\n");
  EXPECT_EQ(*runner.target.bodies()[2].at_pointer("/payload/n"), Value(7));
  EXPECT_EQ(runner.target.requests()[3], "GET /x/a%2Fb%20c?n=7");
  EXPECT_EQ(result.verdict, Verdict::pass);
}

TEST(Captures, NothingToCaptureEndsTheCaseInconclusive) {
  TestRunner runner;
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: step.enter}\n"
      "    capture: {seq: /seq}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.back().reason, StartsWith("nothing to capture at /seq for ${seq}"));
}

TEST(Captures, WhatTheTargetDoesNotShowIsCapturedAsNothing) {
  TestRunner runner;
  runner.profile.operations["executions.status"].unobserved = {"ended_at"};
  runner.target.on("GET", status_path,
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - operation: {name: executions.status, parameters: {execution_id: \"${id}\"}}\n"
      "    capture: {ended: /ended_at}\n"
      "  - expect: {status: {state: RUNNING, ended_at: \"${ended}\"}}\n");
  EXPECT_EQ(result.verdict, Verdict::pass) << result.reason;
}

}  // namespace
}  // namespace assay::run
