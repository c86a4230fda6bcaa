// What happens to requests on their way, and what their answers prove.
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using testing::Bench;
using testing::json;

constexpr const char* events_path = "/executions/assay-7-test-case-8c6c8202-main/events";
TEST(Delivery, SendsAgainWhatWasLostOnItsWay) {
  Bench bench;
  const core::CaseResult result = bench.run(R"(
  - start: {}
  - post: {type: playbook.initialized}
    delivery: cut_after_send
    response: {is: [accepted, duplicate]}
  - post: {type: playbook.completed}
    delivery: half_body
    response: {is: accepted}
    clause: STM-CORE-2
)");
  EXPECT_EQ(result.verdict, Verdict::pass);
  // The start, the first event twice, and the second once: half of it never arrived.
  EXPECT_EQ(bench.target.requests().size(), 4U);
  EXPECT_EQ(bench.target.requests()[1], bench.target.requests()[2]);
}

TEST(Response, ThatAsksNothingProvesNothing) {
  Bench bench;
  bench.target.on("POST", events_path, [](const auto&) { return json(409, Object{}); });
  const core::CaseResult result = bench.run(R"(
  - start: {}
  - post: {type: playbook.initialized}
    response: {any: true}
  - post: {type: playbook.initialized}
    response: {is: refused}
)");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks.size(), 1U);
}

}  // namespace
}  // namespace assay::run
