// What happens to requests on their way, and what their answers prove.
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using testing::events_path;
using testing::json;
using testing::TestRunner;

TEST(Delivery, SendsAgainWhatWasLostOnItsWay) {
  TestRunner runner;
  const core::CaseResult result = runner.run(R"(
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
  EXPECT_EQ(runner.target.requests().size(), 4U);
  EXPECT_EQ(runner.target.requests()[1], runner.target.requests()[2]);
}

TEST(Delivery, OfABranchIsKnownToWhoJudgesTheHistory) {
  TestRunner runner;
  int posts = 0;
  runner.target.on("POST", events_path, [&posts](const auto&) {
    const bool is_again = posts++ > 0;
    return json(is_again ? 208 : 201,
                Object{{"event_id", "same"}, {"seq", 1}, {"duplicate", is_again}});
  });
  const core::CaseResult result = runner.run(R"(
  - start: {}
  - together:
      - - post: {id: same, type: step.enter, time: "2026-01-01T00:00:00Z"}
          delivery: cut_after_send
          response: {any: true}
      - - post: {id: same, type: step.enter, time: "2026-01-01T00:00:00Z"}
          delivery: twice
          response: {any: true}
)");
  // All three answers that came say duplicate but one: the lost ones explain it.
  EXPECT_EQ(result.verdict, Verdict::pass) << result.checks.back().actual;
  EXPECT_EQ(posts, 4);
}

TEST(Response, ThatIsLostEndsTheCase) {
  TestRunner runner;
  runner.target.on("POST", events_path,
                   [](const auto&) { return testing::fault(core::TransportFault::closed); });
  const core::CaseResult result = runner.run(R"(
  - start: {}
  - post: {type: playbook.initialized}
    response: {any: true}
  - expect: {status: {state: RUNNING}}
)");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(runner.target.requests().size(), 7U) << "six tries; then nothing is looked at any more";
}

TEST(Response, ThatIsLostInABranchEndsTheCaseAfterIt) {
  TestRunner runner;
  runner.target.on("POST", events_path,
                   [](const auto&) { return testing::fault(core::TransportFault::closed); });
  const core::CaseResult result = runner.run(R"(
  - start: {}
  - together:
      - - post: {type: playbook.initialized}
          response: {any: true}
        - post: {type: step.enter}
          response: {any: true}
      - - post: {type: step.exit}
          response: {any: true}
  - expect: {status: {state: RUNNING}}
)");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(runner.target.requests().size(), 1U + 3 * 6) << "the branches go on, what follows not";
}

TEST(Response, ThatAsksNothingProvesNothing) {
  TestRunner runner;
  runner.target.on("POST", events_path, [](const auto&) { return json(409, Object{}); });
  const core::CaseResult result = runner.run(R"(
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
