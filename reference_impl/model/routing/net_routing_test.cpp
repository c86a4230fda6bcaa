// Arcs, modes, args, quiescence, final_step, status policies, the net's policy.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_impl/model/routing/net_test_support.h"

namespace assay::routing {
namespace {

List fan(std::string_view mode, List arcs) {
  return {step("a", std::move(arcs), mode), step("b"), step("c"), step("d")};
}

TEST(Router, ExclusiveFiresTheFirstMatchInOrder) {
  for (const auto& [n, taken] : {std::pair{2, "b"}, {1, "c"}, {0, "d"}}) {
    Execution run(fan("exclusive", {arc("b", "{{ n > 1 }}"), arc("c", "{{ n > 0 }}"), arc("d")}),
                  {}, {{"n", n}});
    run.done("a");
    EXPECT_EQ(run.scheduled(), (Names{"a", taken}));
  }
}

TEST(Router, ExclusiveEvaluatesNothingAfterTheMatch) {
  Execution run(fan("exclusive", {arc("b"), arc("c", "{{ 1 / 0 }}")}));
  run.done("a");
  EXPECT_EQ(run.last("next.evaluated").payload,
            (Object{{"mode", "exclusive"},
                    {"matched", List{Object{{"step", "b"}}}},
                    {"selected", List{Object{{"step", "b"}}}}}));
}

TEST(Router, InclusiveFiresEveryMatch) {
  Execution run(fan("inclusive", {arc("b", "{{ true }}"), arc("c", "{{ false }}"), arc("d")}));
  run.done("a");
  EXPECT_EQ(run.scheduled(), (Names{"a", "b", "d"}));
  EXPECT_EQ(run.last("next.evaluated").payload,
            (Object{{"mode", "inclusive"},
                    {"matched",
                     List{Object{{"step", "b"}, {"when", "{{ true }}"}}, Object{{"step", "d"}}}},
                    {"selected", List{Object{{"step", "b"}}, Object{{"step", "d"}}}}}));
}

TEST(Router, TwoArcsToOneTargetAreTwoTokensWhereInclusive) {
  Execution both(fan("inclusive", {arc("b", "{{ true }}"), arc("b", "{{ true }}")}));
  both.done("a");
  EXPECT_EQ(both.scheduled(), (Names{"a", "b", "b"}));
  Execution one(fan("exclusive", {arc("b", "{{ false }}"), arc("b", "{{ true }}")}));
  one.done("a");
  EXPECT_EQ(one.scheduled(), (Names{"a", "b"}));
}

TEST(Router, GuardsSeeTheBoundaryAndTheVariables) {
  for (const std::string when :
       {"event.name == 'step.done'", "event.payload.n == 7", "output.n == 7", "workload.w == 'x'",
        "w == 'x'", "ctx.c == 1", "args.k == 5", "event.status == 'success'",
        "iter is not defined"}) {
    Execution run({step("s", {arc("a", "", {{"k", 5}})}), step("a", {arc("b", when)}), step("b")},
                  {}, {{"w", "x"}});
    run.patch({{"c", 1}});
    run.done("s");
    run.done("a", Object{{"n", 7}});
    EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"})) << when;
  }
}

TEST(Router, ArgsAreRenderedOnceAndBound) {
  Execution run({step("a", {arc("b", "",
                                {{"fixed", 1},
                                 {"from", Object{{"n", "{{ output.n }}"}}},
                                 {"c", "{{ ctx.c }}"},
                                 {"text", "no {{ template }}"}})}),
                 step("b", {arc("d")}), step("d")});
  run.patch({{"c", "old"}});
  run.done("a", Object{{"n", List{1, 2}}});
  const Object args{{"fixed", 1},
                    {"from", Object{{"n", List{1, 2}}}},
                    {"c", "old"},
                    {"text", "no {{ template }}"}};
  EXPECT_EQ(run.last("next.evaluated").payload.at("selected"),
            Value(List{Object{{"step", "b"}, {"args", args}}}));
  EXPECT_EQ(run.last("step.scheduled").payload, (Object{{"args", args}}));
  run.patch({{"c", "new"}});
  EXPECT_EQ(run.net.marking().tokens[0].args, args);
  run.done("b");
  EXPECT_EQ(run.last("step.scheduled").payload, (Object{{"args", Object{}}}));
}

TEST(Router, ArgsThatCannotBeEvaluatedFailTheExecution) {
  Execution run({step("a", {arc("a", "", {{"n", "{{ 1 / 0 }}"}})})});
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(Router, AGuardThatCannotBeEvaluatedFailsAtOnceWithoutAFinalStep) {
  Execution run({step("s", {arc("a"), arc("b")}, "inclusive"),
                 step("a", {arc("z", "{{ nothing < 3 }}")}), step("b"), step("z")},
                {{"final_step", "z"}});
  run.done("s");
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_EQ(run.last("next.evaluated").status, "error");
  EXPECT_EQ(run.last("playbook.finished").status, "error");
  EXPECT_EQ(run.last("playbook.finished").payload.at("reason"),
            Value("the arcs of step a can't be evaluated: an undefined value has no order"));
  EXPECT_TRUE(run.net.marking().tokens.empty());
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"}));
}

TEST(Router, NoMatchEndsTheBranchUnlessItIsAnError) {
  const List workflow{step("a", {arc("b", "{{ false }}")}), step("b")};
  Execution quiet(workflow);
  quiet.done("a");
  EXPECT_EQ(quiet.net.outcome(), Outcome::success);
  EXPECT_EQ(quiet.last("next.evaluated").payload.at("matched"), Value(List{}));
  Execution strict(workflow, {{"no_next_is_error", true}});
  strict.done("a");
  EXPECT_EQ(strict.net.outcome(), Outcome::failed);
  EXPECT_EQ(strict.net.reason(), "no arc of step a matches");
  Execution leaf({step("a")}, {{"no_next_is_error", true}});
  leaf.done("a");
  EXPECT_EQ(leaf.net.outcome(), Outcome::success) << "a leaf has no next to miss";
}

TEST(Router, LeavesAreNotEvaluated) {
  Execution run({step("a")});
  run.done("a");
  EXPECT_TRUE(run.of_type("next.evaluated").empty());
}

TEST(Router, AStepMayFollowItself) {
  Execution run({step("p", {arc("p", "{{ output.more }}"), arc("q")}), step("q")});
  run.done("p", Object{{"more", true}});
  EXPECT_EQ(run.run_of("p"), "step:p:run:2");
  run.done("p");
  EXPECT_EQ(run.scheduled(), (Names{"p", "p", "q"}));
}

TEST(Router, DoneIsDoneWhateverItsOutcomeSays) {
  Execution run({step("a")});
  run.done("a", Object{{"status", "error"}});
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(Quiescence, WaitsForEverySiblingInFlight) {
  Execution run(
      {step("s", {arc("a"), arc("b")}, "inclusive"), step("a"), step("b", {arc("c")}), step("c")});
  run.done("s");
  run.done("a");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.done("b");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.done("c");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

List two_branches() {
  return {step("s", {arc("a"), arc("b")}, "inclusive"), step("a"), step("b", {arc("c")}),
          step("c")};
}

TEST(StatusPolicy, FailsAtTheEndWhereAnyBranchFailed) {
  Execution run(two_branches());
  run.done("s");
  run.failed("a");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.done("b");
  run.done("c");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_EQ(run.net.reason(), "step a failed and no arc took it up");
}

TEST(StatusPolicy, FailFastSchedulesNothingMoreAndDrains) {
  Execution run(two_branches(), {{"status_policy", "fail_fast"}});
  run.done("s");
  run.failed("a");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.done("b");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"}));
  EXPECT_EQ(run.last("next.evaluated").payload.at("selected"), Value(List{}));
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(StatusPolicy, FailFastDropsWaitingTokensAndJoins) {
  Execution run({step("s", {arc("a"), arc("g"), arc("x"), arc("y")}, "inclusive"), step("a"),
                 gated("g", "open"), step("x", {arc("j")}), step("y", {arc("j")}), step("j")},
                {{"status_policy", "fail_fast"}, {"fan_in", "wait_all"}});
  run.done("s");
  run.done("x");
  EXPECT_EQ(run.net.marking().fan_in.size(), 1U);
  run.failed("a");
  EXPECT_TRUE(run.net.marking().fan_in.empty());
  run.patch({{"open", true}});
  run.done("y");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "x", "y"}));
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(StatusPolicy, FailFastCutsLoopsShort) {
  Execution run(
      {step("s", {arc("a"), arc("l")}, "inclusive"), step("a"), looping("l", List{1, 2, 3})},
      {{"status_policy", "fail_fast"}});
  run.done("s");
  const std::string loop = run.run_of("l");
  run.failed("a");
  run.post("loop.iteration.done", loop, {}, 0);
  EXPECT_EQ(run.of_type("loop.iteration.scheduled").size(), 1U);
  EXPECT_EQ(run.last("loop.done").status, "error");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(StatusPolicy, AllowPartialSucceedsInPart) {
  for (const bool all_fail : {false, true}) {
    Execution run(two_branches(), {{"status_policy", "allow_partial"}});
    run.done("s");
    run.failed("a");
    run.done("b");
    if (all_fail) {
      run.failed("c");
    } else {
      run.done("c");
    }
    EXPECT_EQ(run.net.outcome(), Outcome::partial);
    EXPECT_EQ(run.last("playbook.finished").status, "success");
    EXPECT_EQ(run.last("playbook.finished").payload.at("outcome"), Value("partial"));
  }
}

TEST(StatusPolicy, AFailureThatAnArcTookUpIsHandled) {
  Execution run({step("a", {arc("fix", "{{ event.name == 'step.failed' }}")}), step("fix")});
  run.failed("a");
  run.done("fix");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(StatusPolicy, AFailureWithoutAMatchingArcIsNot) {
  Execution run({step("a", {arc("b", "{{ event.name == 'step.done' }}")}), step("b")});
  run.failed("a");
  EXPECT_EQ(run.scheduled(), (Names{"a"}));
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(FinalStep, RunsOnceAfterQuiescenceThenEnds) {
  Execution run(
      {step("s", {arc("a"), arc("b")}, "inclusive"), step("a"), step("b"), step("z", {arc("a")})},
      {{"final_step", "z"}});
  run.done("s");
  run.done("a");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"}));
  run.done("b");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "z"}));
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.done("z");
  EXPECT_EQ(run.scheduled().size(), 4U) << "its arcs lead nowhere";
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(FinalStep, GetsASummary) {
  Execution run({step("s", {arc("a"), arc("b")}, "inclusive"), step("a"), step("b"), step("z")},
                {{"final_step", "z"}});
  run.done("s");
  run.done("a", Object{{"result_ref", Object{{"ref", "r1"}}}, {"rows", List{1, 2, 3}}});
  run.failed("b", Object{{"error", Object{{"kind", "http"}, {"trace", List{1}}}}});
  EXPECT_EQ(
      run.last("step.scheduled").payload.at("args"),
      Value(Object{{"execution_id", "x1"},
                   {"counts", Object{{"steps_done", 2}, {"steps_failed", 1}, {"branches", 2}}},
                   {"failures", List{Object{{"step", "b"},
                                            {"step_run_id", "step:b:run:1"},
                                            {"error", Object{{"kind", "http"}}}}}},
                   {"result_refs", List{Object{{"ref", "r1"}}}}}));
}

TEST(FinalStep, MendsNoFailure) {
  Execution run({step("a"), step("z")}, {{"final_step", "z"}});
  run.failed("a");
  run.done("z");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(FinalStep, FollowsFailFast) {
  Execution run({step("a", {arc("b", "{{ false }}")}), step("b"), looping("z", List{1, 2})},
                {{"final_step", "z"}, {"status_policy", "fail_fast"}});
  run.failed("a");
  const std::string id = run.run_of("z");
  run.post("loop.iteration.done", id, {}, 0);
  run.post("loop.iteration.done", id, {}, 1);
  EXPECT_EQ(run.last("loop.done").status, "success");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
}

TEST(FinalStep, FailsTheExecutionOrMakesItPartial) {
  for (const auto& [policy, outcome] :
       {std::pair{"fail", Outcome::failed}, {"partial", Outcome::partial}}) {
    Execution run({step("a"), step("z")}, {{"final_step", "z"}, {"final_failure", policy}});
    run.done("a");
    run.failed("z");
    EXPECT_EQ(run.net.outcome(), outcome);
    EXPECT_EQ(run.net.reason(), "the final step failed");
  }
}

TEST(FinalStep, IsNotRunAgainWhereTheFlowRanIt) {
  Execution run({step("a", {arc("z")}), step("z")}, {{"final_step", "z"}});
  run.done("a");
  run.done("z");
  EXPECT_EQ(run.scheduled(), (Names{"a", "z"}));
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(FinalStep, RunsAfterAGateThatDidNotHold) {
  Execution run({gated("z", "open"), step("f")}, {{"final_step", "f"}, {"gates_hold", false}});
  EXPECT_EQ(run.scheduled(), (Names{"f"}));
  run.patch({{"open", true}});
  EXPECT_EQ(run.scheduled(), (Names{"f"})) << "the flow has ended";
  run.done("f");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

Execution with(const NetPolicy& policy, List workflow, Object executor = {}) {
  return Execution(std::move(workflow), std::move(executor), {}, policy);
}

TEST(NetPolicy, CanStartTheFinalStepAfterTheFirstBranch) {
  Execution run =
      with({.final_step = FinalStepStart::after_first_branch},
           {step("s", {arc("a"), arc("b")}, "inclusive"), step("a"), step("b"), step("z")},
           {{"final_step", "z"}});
  run.done("s");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"}));
  run.done("a");
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b", "z"}));
}

TEST(NetPolicy, CanEndALoopAtItsFirstFailure) {
  Execution run = with({.loop_end = LoopEnd::at_first_failure}, {looping("l", List{1, 2})});
  run.post("loop.iteration.failed", run.run_of("l"), {}, 0);
  EXPECT_EQ(run.of_type("loop.done").size(), 1U);
}

TEST(NetPolicy, CanRouteARepeatedOutcome) {
  Execution run =
      with({.repeated_outcome = RepeatedOutcome::is_routed}, {step("a", {arc("b")}), step("b")});
  const std::string id = run.run_of("a");
  run.done("a");
  run.post("step.done", id);
  EXPECT_EQ(run.scheduled(), (Names{"a", "b", "b"}));
}

}  // namespace
}  // namespace assay::routing
