// Arcs, modes, args, quiescence, final_step, status policies, deviations.

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

/// What a deviating net does, against what the others above establish.
struct Deviating {
  Deviations deviations;
  Execution run(List workflow, Object executor = {}, Object workload = {}) const {
    return Execution(std::move(workflow), std::move(executor), std::move(workload), deviations);
  }
};

TEST(NetDeviations, ChangeWhichArcsFire) {
  const List arcs{arc("b", "{{ true }}"), arc("c", "{{ true }}"), arc("d")};
  Execution all = Deviating{{.exclusive_fires_all = true}}.run(fan("exclusive", arcs));
  all.done("a");
  EXPECT_EQ(all.scheduled(), (Names{"a", "b", "c", "d"}));
  Execution last = Deviating{{.last_match_wins = true}}.run(fan("exclusive", arcs));
  last.done("a");
  EXPECT_EQ(last.scheduled(), (Names{"a", "d"}));
  Execution first = Deviating{{.inclusive_fires_first_only = true}}.run(fan("inclusive", arcs));
  first.done("a");
  EXPECT_EQ(first.scheduled(), (Names{"a", "b"}));
  Execution guarded = Deviating{{.missing_guard_is_false = true}}.run(
      fan("exclusive", {arc("b"), arc("c", "true")}));
  guarded.done("a");
  EXPECT_EQ(guarded.scheduled(), (Names{"a", "c"}));
}

TEST(NetDeviations, ChangeEntryAdmissionAndArgs) {
  const Execution entry =
      Deviating{{.entry_step_ignored = true}}.run({step("a"), step("b")}, {{"entry_step", "b"}});
  EXPECT_EQ(entry.scheduled(), (Names{"a"}));
  const Execution gate = Deviating{{.denied_token_scheduled = true}}.run({gated("a", "open")});
  EXPECT_EQ(gate.scheduled(), (Names{"a"}));
  const Execution args = Deviating{{.args_changed_downstream = true}}.run({step("a")});
  EXPECT_EQ(args.last("step.scheduled").payload, (Object{{"args", Object{{"changed", true}}}}));
}

TEST(NetDeviations, ChangeQuiescence) {
  const List workflow{step("s", {arc("a"), arc("b")}, "inclusive"), step("a"), step("b"),
                      step("z")};
  Execution early = Deviating{{.quiescence_ignores_in_flight = true}}.run(workflow);
  EXPECT_EQ(early.net.outcome(), Outcome::none);
  early.done("s");
  early.done("a");
  EXPECT_EQ(early.net.outcome(), Outcome::success);
  Execution hangs = Deviating{{.no_match_hangs = true}}.run({step("a", {arc("a", "{{ false }}")})});
  hangs.done("a");
  EXPECT_EQ(hangs.net.outcome(), Outcome::none);
  Execution twice =
      Deviating{{.final_step_twice = true}}.run({step("a"), step("z")}, {{"final_step", "z"}});
  twice.done("a");
  twice.done("z");
  twice.done("z");
  EXPECT_EQ(twice.scheduled(), (Names{"a", "z", "z"}));
  EXPECT_EQ(twice.net.outcome(), Outcome::success);
  Execution before =
      Deviating{{.final_step_before_quiescence = true}}.run(workflow, {{"final_step", "z"}});
  before.done("s");
  before.done("a");
  EXPECT_EQ(before.scheduled(), (Names{"s", "a", "b", "z"}));
}

TEST(NetDeviations, ChangeLoops) {
  Execution failing =
      Deviating{{.loop_done_after_first_failure = true}}.run({looping("l", List{1, 2})});
  failing.post("loop.iteration.failed", failing.run_of("l"), {}, 0);
  EXPECT_EQ(failing.of_type("loop.done").size(), 1U);
  const Execution empty = Deviating{{.empty_loop_hangs = true}}.run({looping("l", List{})});
  EXPECT_TRUE(empty.of_type("loop.done").empty());
  EXPECT_EQ(empty.net.outcome(), Outcome::none);
}

TEST(NetDeviations, ChangeWhatWorkersMay) {
  Execution start = Deviating{{.unscheduled_step_accepted = true}}.run({step("a")});
  EXPECT_EQ(start.post("step.started", "made-up").disposition, Disposition::accepted);
  Execution again =
      Deviating{{.repeated_outcome_routes = true}}.run({step("a", {arc("b")}), step("b")});
  const std::string id = again.run_of("a");
  again.done("a");
  again.post("step.done", id);
  EXPECT_EQ(again.scheduled(), (Names{"a", "b", "b"}));
}

}  // namespace
}  // namespace assay::routing
