// Admission, loops and fan-in.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_impl/model/routing/net_test_support.h"

namespace assay::routing {
namespace {

Value rule(std::string_view when, bool allow) {
  return Object{{"when", when}, {"then", Object{{"allow", allow}}}};
}

Value otherwise(bool allow) { return Object{{"else", Object{{"then", Object{{"allow", allow}}}}}}; }

Value admitted(std::string_view name, List rules) {
  const Object admit{{"rules", std::move(rules)}};
  return step(name, {}, "", {{"spec", Object{{"policy", Object{{"admit", admit}}}}}});
}

/// What admission decided for the entry step, and by which rule.
Object admission_of(List rules, Object workload = {}) {
  const Execution run({admitted("a", std::move(rules))}, {}, std::move(workload));
  return run.last("policy.admit.evaluated").payload;
}

TEST(Admission, TheFirstRuleThatHoldsDecides) {
  const List rules{rule("{{ n > 10 }}", false), rule("{{ n > 1 }}", true), otherwise(false)};
  EXPECT_EQ(admission_of(rules, {{"n", 11}}), (Object{{"allow", false}, {"rule", 0}}));
  EXPECT_EQ(admission_of(rules, {{"n", 2}}), (Object{{"allow", true}, {"rule", 1}}));
  EXPECT_EQ(admission_of(rules, {{"n", 0}}), (Object{{"allow", false}, {"rule", "else"}}));
}

TEST(Admission, AnElseBeforeOtherRulesStillComesLast) {
  const List rules{otherwise(false), rule("{{ n }}", true)};
  EXPECT_EQ(admission_of(rules, {{"n", 1}}), (Object{{"allow", true}, {"rule", 1}}));
  EXPECT_EQ(admission_of(rules, {{"n", 0}}), (Object{{"allow", false}, {"rule", "else"}}));
}

TEST(Admission, RulesWithoutAMatchOrAnElseDeny) {
  EXPECT_EQ(admission_of({rule("{{ false }}", true)}),
            (Object{{"allow", false}, {"rule", nullptr}}));
}

TEST(Admission, AllowsWithoutRules) {
  EXPECT_EQ(admission_of({}), (Object{{"allow", true}, {"rule", nullptr}}));
}

TEST(Admission, ADeniedTokenWaitsUntilCtxOpensItsGate) {
  Execution run({step("a", {arc("g", "", {{"n", 1}})}), gated("g", "open")});
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  ASSERT_EQ(run.net.marking().tokens.size(), 1U);
  EXPECT_EQ(run.net.marking().tokens[0].status, "pending");
  EXPECT_EQ(run.net.marking().tokens[0].args, (Object{{"n", 1}}));
  EXPECT_TRUE(run.patch({{"other", 1}}).events.size() == 1U) << "evaluated, and still denied";
  EXPECT_EQ(run.scheduled(), (Names{"a"}));
  EXPECT_TRUE(run.patch({{"other", 1}}).events.empty()) << "nothing changed";
  const Reaction opened = run.patch({{"open", true}});
  ASSERT_EQ(opened.events.size(), 2U);
  EXPECT_EQ(opened.events[1].event_type, "step.scheduled");
  EXPECT_EQ(opened.events[1].payload, (Object{{"args", Object{{"n", 1}}}}));
  run.done("g");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(Admission, AStepsOwnCtxOpensAGate) {
  Execution run({step("s", {arc("a"), arc("g")}, "inclusive"), step("a"), gated("g", "open")});
  run.done("s");
  run.done("a", Object{}, {{"open", 1}});
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "g"}));
}

TEST(Admission, ADiscardedTokenEndsItsBranch) {
  Execution run({step("a", {arc("g")}), gated("g", "open")}, {{"denied_token", "discard"}});
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
  run.patch({{"open", true}});
  EXPECT_EQ(run.scheduled(), (Names{"a"}));
}

TEST(Admission, GatesThatDoNotHoldLetTheExecutionEnd) {
  Execution run({step("s", {arc("a"), arc("g")}, "inclusive"), step("a"), gated("g", "open")},
                {{"gates_hold", false}});
  run.done("s");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
  EXPECT_TRUE(run.net.marking().tokens.empty());
}

TEST(Admission, TwoGatesOpenOneByOne) {
  Execution run({gated("a", "first", {arc("b")}), gated("b", "second")});
  run.patch({{"first", true}});
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.patch({{"second", true}});
  EXPECT_EQ(run.scheduled(), (Names{"a", "b"}));
}

TEST(Admission, ThatCannotBeEvaluatedFailsTheExecution) {
  Execution run({admitted("a", {rule("{{ nothing + 1 }}", true)})});
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_EQ(run.last("policy.admit.evaluated").status, "error");
  EXPECT_FALSE(run.net.reason().empty());
}

std::vector<std::int64_t> iterations_scheduled(const Execution& run) {
  std::vector<std::int64_t> numbers;
  for (const ServerEvent& event : run.of_type("loop.iteration.scheduled")) {
    numbers.push_back(event.iteration.value_or(-1));
  }
  return numbers;
}

using Numbers = std::vector<std::int64_t>;

TEST(Loop, SequentialSchedulesOneIterationAfterTheOther) {
  Execution run(
      {looping("l", "{{ items }}", {}, {arc("b", "{{ event.name == 'loop.done' }}")}), step("b")},
      {}, {{"items", List{"x", "y"}}});
  const std::string id = run.run_of("l");
  EXPECT_EQ(run.last("loop.started").payload, (Object{{"mode", "sequential"}, {"iterations", 2}}));
  EXPECT_EQ(iterations_scheduled(run), (Numbers{0}));
  EXPECT_EQ(run.last("loop.iteration.scheduled").payload, (Object{{"iter", Object{{"it", "x"}}}}));
  EXPECT_EQ(run.post("loop.iteration.started", id, {}, 0).disposition, Disposition::accepted);
  EXPECT_EQ(run.net.marking().tokens[0].status, "running");
  run.post("loop.iteration.done", id, {}, 0);
  EXPECT_EQ(iterations_scheduled(run), (Numbers{0, 1}));
  run.post("loop.iteration.done", id, {}, 1);
  EXPECT_EQ(run.last("loop.done").status, "success");
  EXPECT_EQ(run.scheduled(), (Names{"l", "b"}));
}

TEST(Loop, ParallelKeepsMaxInFlight) {
  Execution run({looping("l", List{1, 2, 3, 4}, {{"mode", "parallel"}, {"max_in_flight", 2}})});
  const std::string id = run.run_of("l");
  EXPECT_EQ(iterations_scheduled(run), (Numbers{0, 1}));
  run.post("loop.iteration.done", id, {}, 1);
  EXPECT_EQ(iterations_scheduled(run), (Numbers{0, 1, 2}));
  run.post("loop.iteration.done", id, {}, 0);
  EXPECT_EQ(iterations_scheduled(run), (Numbers{0, 1, 2, 3}));
  run.post("loop.iteration.done", id, {}, 3);
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.post("loop.iteration.done", id, {}, 2);
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(Loop, ParallelWithoutABoundSchedulesAll) {
  const Execution run({looping("l", List{1, 2, 3}, {{"mode", "parallel"}})});
  EXPECT_EQ(iterations_scheduled(run), (Numbers{0, 1, 2}));
}

TEST(Loop, GoesOnAfterAFailedIterationAndEndsInError) {
  for (const std::string mode : {"sequential", "parallel"}) {
    Execution run({looping("l", List{1, 2, 3}, {{"mode", mode}})});
    const std::string id = run.run_of("l");
    run.post("loop.iteration.failed", id, {}, 0);
    EXPECT_TRUE(run.of_type("loop.done").empty());
    run.post("loop.iteration.done", id, {}, 1);
    run.post("loop.iteration.done", id, {}, 2);
    EXPECT_EQ(run.last("loop.done").status, "error");
    EXPECT_EQ(
        run.last("loop.done").payload,
        (Object{{"outcome",
                 Object{{"status", "error"}, {"iterations", 3}, {"done", 2}, {"failed", 1}}}}));
    EXPECT_EQ(run.net.outcome(), Outcome::failed);
  }
}

TEST(Loop, AnArcMayTakeUpAFailedOne) {
  Execution run(
      {looping("l", List{1}, {}, {arc("b", "{{ output.status == 'error' }}")}), step("b")});
  run.post("loop.iteration.failed", run.run_of("l"), {}, 0);
  run.done("b");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(Loop, OverNothingIsDoneAtOnceAndRoutes) {
  Execution run({looping("l", "{{ workload.none }}", {}, {arc("b")}), step("b")}, {},
                {{"none", List{}}});
  EXPECT_EQ(run.scheduled(), (Names{"l", "b"}));
  EXPECT_EQ(run.of_type("loop.started").size(), 1U);
  EXPECT_EQ(run.of_type("loop.done").size(), 1U);
  EXPECT_TRUE(iterations_scheduled(run).empty());
  run.failed("b");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(Loop, OverWhatIsNoListFailsTheExecution) {
  for (const Value& items : {Value(7), Value("text"), Value(nullptr), Value(Object{})}) {
    const Execution run({looping("l", "{{ items }}")}, {}, {{"items", items}});
    EXPECT_EQ(run.net.outcome(), Outcome::failed);
    EXPECT_TRUE(run.of_type("loop.started").empty());
  }
  const Execution undefined({looping("l", "{{ items }}")});
  EXPECT_EQ(undefined.net.outcome(), Outcome::failed);
}

TEST(Loop, IterationsNeverScheduledOrEndedTwiceAreAnomalies) {
  Execution run({looping("l", List{1, 2})});
  const std::string id = run.run_of("l");
  EXPECT_EQ(run.post("loop.iteration.started", id, {}, 1).disposition, Disposition::anomaly);
  EXPECT_EQ(run.post("loop.iteration.done", id, {}, 1).disposition, Disposition::anomaly);
  EXPECT_EQ(run.post("loop.iteration.done", id, {}, 9).disposition, Disposition::anomaly);
  EXPECT_EQ(run.post("loop.iteration.done", id, {}, -1).disposition, Disposition::anomaly);
  EXPECT_EQ(run.post("loop.iteration.done", id).disposition, Disposition::anomaly);
  EXPECT_EQ(run.post("loop.iteration.done", "made-up", {}, 0).disposition, Disposition::anomaly);
  run.post("loop.iteration.done", id, {}, 0);
  EXPECT_EQ(run.post("loop.iteration.failed", id, {}, 0).disposition, Disposition::anomaly);
  EXPECT_EQ(run.post("loop.iteration.started", id, {}, 0).disposition, Disposition::anomaly);
  EXPECT_EQ(run.net.outcome(), Outcome::none);
}

TEST(Loop, EndsByItsIterationsNotByItsWorkersStepDone) {
  Execution run({looping("l", List{1}, {}, {arc("b")}), step("b")});
  const std::string id = run.run_of("l");
  EXPECT_EQ(run.post("step.done", id).disposition, Disposition::anomaly);
  EXPECT_EQ(run.scheduled(), (Names{"l"}));
  run.post("loop.iteration.done", id, {}, 0);
  EXPECT_EQ(run.post("step.done", id).disposition, Disposition::accepted);
  EXPECT_EQ(run.scheduled(), (Names{"l", "b"}));
}

TEST(Loop, IterationsPatchCtx) {
  Execution run({looping("l", List{1}, {}, {arc("b", "{{ ctx.seen }}")}), step("b")});
  run.post("loop.iteration.done", run.run_of("l"), Object{{"ctx", Object{{"seen", true}}}}, 0);
  EXPECT_EQ(run.scheduled(), (Names{"l", "b"}));
}

const Object wait_all{{"fan_in", "wait_all"}};

List diamond() {
  return {step("s", {arc("a"), arc("b")}, "inclusive"),
          step("a", {arc("j", "", {{"from", "a"}, {"a", 1}})}),
          step("b", {arc("j", "", {{"from", "b"}})}), step("j")};
}

TEST(FanIn, WithoutAPolicyEachArrivalIsItsOwnToken) {
  Execution run(diamond());
  run.done("s");
  run.done("a");
  run.done("b");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "j", "j"}));
}

TEST(FanIn, WaitAllWaitsForEveryLiveBranch) {
  Execution run(diamond(), wait_all);
  run.done("s");
  run.done("b");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"}));
  ASSERT_EQ(run.net.marking().fan_in.size(), 1U);
  EXPECT_EQ(run.net.marking().fan_in[0].step, "j");
  run.done("a");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "j"}));
  EXPECT_EQ(run.last("step.scheduled").payload,
            (Object{{"args", Object{{"a", 1}, {"from", "a"}}}}));
  EXPECT_TRUE(run.net.marking().fan_in.empty());
  run.done("j");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(FanIn, BranchesThatARouterDidNotTakeDoNotBlock) {
  Execution run({step("s", {arc("hi", "{{ true }}"), arc("lo")}), step("hi", {arc("sum")}),
                 step("lo", {arc("sum")}), step("sum")},
                wait_all);
  run.done("s");
  run.done("hi");
  EXPECT_EQ(run.scheduled(), (Names{"s", "hi", "sum"}));
}

TEST(FanIn, WaitsForUpstreamsThatAreSeveralStepsAway) {
  Execution run({step("s", {arc("a"), arc("b")}, "inclusive"), step("a", {arc("c")}),
                 step("c", {arc("j")}), step("b", {arc("j")}), step("j")},
                wait_all);
  run.done("s");
  run.done("b");
  run.done("a");
  EXPECT_EQ(run.net.marking().fan_in.size(), 1U);
  run.done("c");
  EXPECT_EQ(run.scheduled().back(), "j");
}

TEST(FanIn, GoesOnWhereTheOtherBranchesEndElsewhere) {
  Execution run({step("s", {arc("a"), arc("b")}, "inclusive"), step("a", {arc("j", "{{ false }}")}),
                 step("b", {arc("j")}), step("j")},
                wait_all);
  run.done("s");
  run.done("b");
  EXPECT_EQ(run.net.marking().fan_in.size(), 1U);
  run.done("a");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "j"}));
}

TEST(FanIn, TakingOneArcTwiceLeavesNothingBehind) {
  Execution run(
      {step("s", {arc("a"), arc("b")}, "inclusive"),
       step("a", {arc("a", "{{ output.again }}"), arc("j")}), step("b", {arc("j")}), step("j")},
      wait_all);
  run.done("s");
  run.done("a", Object{{"again", true}});
  run.done("a");
  run.done("b");
  run.done("j");
  EXPECT_EQ(run.scheduled(), (Names{"s", "b", "a", "a", "j"}));
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(FanIn, BackEdgesFromStepsThatAreNotLiveDoNotBlock) {
  Execution run(
      {step("s", {arc("j")}), step("j", {arc("k")}), step("k", {arc("j", "{{ output.again }}")})},
      wait_all);
  run.done("s");
  run.done("j");
  run.done("k", Object{{"again", true}});
  run.done("j");
  run.done("k");
  EXPECT_EQ(run.scheduled(), (Names{"s", "j", "k", "j", "k"}));
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(FanIn, JoinsInOneCycleDoNotWaitForEachOther) {
  Execution run({step("s", {arc("x"), arc("y")}, "inclusive"),
                 step("x", {arc("y", "{{ args.n }}")}), step("y", {arc("x", "{{ args.n }}")})},
                wait_all);
  run.done("s");
  EXPECT_EQ(run.scheduled(), (Names{"s", "x"})) << "the older goes first, and can still reach y";
  run.done("x");
  EXPECT_EQ(run.scheduled(), (Names{"s", "x", "y"}));
  run.done("y");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(FanIn, AJoinUpstreamOfAnotherFiresFirst) {
  Execution run({step("s", {arc("a"), arc("b"), arc("c")}, "inclusive"), step("a", {arc("j")}),
                 step("b", {arc("j")}), step("c", {arc("k")}), step("j", {arc("k")}), step("k")},
                wait_all);
  run.done("s");
  run.done("c");
  run.done("a");
  EXPECT_EQ(run.net.marking().fan_in.size(), 2U);
  run.done("b");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "c", "j"}));
  run.done("j");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "c", "j", "k"}));
}

TEST(FanIn, AGateUpstreamBlocksUnlessGatesDoNotHold) {
  const List workflow{step("s", {arc("a"), arc("g")}, "inclusive"), step("a", {arc("j")}),
                      gated("g", "open", {arc("j")}), step("j")};
  Execution held(workflow, wait_all);
  held.done("s");
  held.done("a");
  EXPECT_EQ(held.scheduled(), (Names{"s", "a"}));
  held.patch({{"open", true}});
  held.done("g");
  EXPECT_EQ(held.scheduled(), (Names{"s", "a", "g", "j"}));
  Execution open(workflow, {{"fan_in", "wait_all"}, {"gates_hold", false}});
  open.done("s");
  open.done("a");
  EXPECT_EQ(open.scheduled(), (Names{"s", "a", "j"}));
}

TEST(FanIn, ManyDiamondsInARowEnd) {
  constexpr int count = 300;
  List workflow;
  for (int index = 0; index < count; ++index) {
    const std::string number = std::to_string(index);
    const std::string following = "s" + std::to_string(index + 1);
    workflow.push_back(step("s" + number, {arc("a" + number), arc("b" + number)}, "inclusive"));
    workflow.push_back(step("a" + number, {arc(following)}));
    workflow.push_back(step("b" + number, {arc(following)}));
  }
  workflow.push_back(step("s" + std::to_string(count)));
  Execution run(workflow, wait_all);
  for (int index = 0; index < count; ++index) {
    const std::string number = std::to_string(index);
    run.done("s" + number);
    run.done("b" + number);
    run.done("a" + number);
  }
  run.done("s" + std::to_string(count));
  EXPECT_EQ(run.net.outcome(), Outcome::success);
  EXPECT_EQ(run.scheduled().size(), 3U * count + 1);
}

}  // namespace
}  // namespace assay::routing
