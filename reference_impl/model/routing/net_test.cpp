#include "reference_impl/model/routing/net.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_impl/model/routing/net_test_support.h"

namespace assay::routing {
namespace {

TEST(NetStart, EmitsTheServersEventsInOrderAndOneToken) {
  const Execution run({step("first"), step("second")});
  EXPECT_EQ(run.types(),
            (Names{"playbook.execution.requested", "playbook.request.evaluated", "playbook.started",
                   "workflow.started", "policy.admit.evaluated", "step.scheduled"}));
  ASSERT_EQ(run.net.marking().tokens.size(), 1U);
  EXPECT_EQ(run.net.marking().tokens[0].step, "first");
  EXPECT_EQ(run.net.marking().tokens[0].status, "scheduled");
  EXPECT_EQ(run.net.marking().tokens[0].step_run_id, "step:first:run:1");
  EXPECT_TRUE(run.net.marking().tokens[0].args.empty());
}

TEST(NetStart, HappensOnce) {
  Execution run({step("a")});
  EXPECT_TRUE(run.apply(Start{}).events.empty());
}

TEST(NetStart, FollowsEntryStep) {
  const Execution run({step("a"), step("b")}, {{"entry_step", "b"}});
  EXPECT_EQ(run.scheduled(), (Names{"b"}));
}

TEST(NetEvents, NestAsTheEnvelopeSays) {
  Execution run({step("a", {arc("b")}), step("b")});
  run.done("a");
  const ServerEvent scheduled = run.of_type("step.scheduled")[0];
  EXPECT_EQ(scheduled.entity_type, "step");
  EXPECT_EQ(scheduled.entity_id, "a");
  EXPECT_EQ(scheduled.parent_id, "x1");
  EXPECT_EQ(scheduled.step_run_id, "step:a:run:1");
  EXPECT_EQ(scheduled.status, "in_progress");
  EXPECT_EQ(scheduled.payload, (Object{{"args", Object{}}}));
  const ServerEvent next = run.last("next.evaluated");
  EXPECT_EQ(next.entity_type, "next");
  EXPECT_EQ(next.entity_id, "a");
  EXPECT_EQ(next.parent_id, "step:a:run:1");
  EXPECT_EQ(next.status, "success");
  const ServerEvent admitted = run.of_type("policy.admit.evaluated")[0];
  EXPECT_EQ(admitted.entity_type, "policy");
  EXPECT_EQ(admitted.entity_id, "a");
  EXPECT_EQ(admitted.payload, (Object{{"allow", true}, {"rule", nullptr}}));
}

TEST(NetEvents, EndOnceInOrder) {
  Execution run({step("a")});
  const Reaction reaction = run.done("a");
  ASSERT_EQ(reaction.events.size(), 3U);
  EXPECT_EQ(reaction.events[0].event_type, "workflow.finished");
  EXPECT_EQ(reaction.events[1].event_type, "playbook.finished");
  EXPECT_EQ(reaction.events[1].status, "success");
  EXPECT_EQ(reaction.events[1].payload, (Object{{"outcome", "success"}}));
  EXPECT_EQ(reaction.events[2].event_type, "playbook.processed");
  EXPECT_EQ(run.net.outcome(), Outcome::success);
  EXPECT_TRUE(run.net.marking().tokens.empty());
}

TEST(NetWorker, RunsThroughScheduledAndRunning) {
  Execution run({step("a")});
  const std::string id = run.run_of("a");
  EXPECT_EQ(run.post("step.started", id).disposition, Disposition::accepted);
  EXPECT_EQ(run.net.marking().tokens[0].status, "running");
  EXPECT_EQ(run.post("task.started", id).disposition, Disposition::accepted);
  EXPECT_EQ(run.post("task.attempt.failed", id).disposition, Disposition::accepted);
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  EXPECT_EQ(run.post("step.done", id).disposition, Disposition::accepted);
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(NetWorker, NeedsNoStartBeforeAnOutcome) {
  Execution run({step("a")});
  EXPECT_EQ(run.post("step.done", run.run_of("a")).disposition, Disposition::accepted);
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(NetWorker, MayNotTouchWhatWasNeverScheduled) {
  Execution run({gated("a", "open")});
  for (const std::string type : {"step.started", "step.done", "step.failed"}) {
    for (const std::string id : {"made-up", "", "step:a:run:1"}) {
      const Reaction reaction = run.post(type, id);
      EXPECT_EQ(reaction.disposition, Disposition::refused) << type << " " << id;
      EXPECT_EQ(reaction.code, "STEP_NOT_SCHEDULED");
      EXPECT_TRUE(reaction.events.empty());
    }
  }
  EXPECT_EQ(run.net.marking().tokens[0].status, "pending");
}

TEST(NetWorker, MayNotEmitServerEvents) {
  for (const std::string type :
       {"playbook.execution.requested", "playbook.request.evaluated", "playbook.started",
        "playbook.paused", "playbook.finished", "playbook.processed", "workflow.started",
        "workflow.finished", "policy.admit.evaluated", "step.scheduled", "next.evaluated",
        "loop.started", "loop.iteration.scheduled", "loop.done", "execution.cancelled",
        "playbook.completed", "playbook.failed"}) {
    Execution run({step("a")});
    const Reaction reaction = run.post(type, run.run_of("a"));
    EXPECT_EQ(reaction.disposition, Disposition::refused) << type;
    EXPECT_EQ(reaction.code, "SERVER_EVENT");
    EXPECT_EQ(run.net.outcome(), Outcome::none);
  }
}

TEST(NetWorker, SecondOutcomesAndLateStartsAreAnomaliesThatRouteNothing) {
  Execution run({step("a", {arc("b")}), step("b")});
  const std::string id = run.run_of("a");
  run.done("a");
  for (const std::string type : {"step.done", "step.failed", "step.started"}) {
    const Reaction reaction = run.post(type, id);
    EXPECT_EQ(reaction.disposition, Disposition::anomaly) << type;
    EXPECT_FALSE(reaction.reason.empty());
    EXPECT_TRUE(reaction.events.empty());
  }
  EXPECT_EQ(run.scheduled(), (Names{"a", "b"}));
}

TEST(NetWorker, ASecondStartIsAnAnomaly) {
  Execution run({step("a")});
  const std::string id = run.run_of("a");
  run.post("step.started", id);
  EXPECT_EQ(run.post("step.started", id).disposition, Disposition::anomaly);
  EXPECT_EQ(run.net.marking().tokens[0].status, "running");
}

TEST(NetWorker, UnknownEventsDecideNothing) {
  Execution run({step("a")});
  const Reaction reaction = run.post("something.else", "");
  EXPECT_EQ(reaction.disposition, Disposition::accepted);
  EXPECT_TRUE(reaction.events.empty());
}

TEST(NetCancel, EmptiesTheMarkingAndSchedulesNothingMore) {
  Execution run(
      {step("s", {arc("a"), arc("b")}, "inclusive"), step("a", {arc("c")}), step("b"), step("c")},
      {{"final_step", "c"}});
  run.done("s");
  const std::string a = run.run_of("a");
  const Reaction cancelled = run.apply(Cancel{});
  EXPECT_TRUE(cancelled.events.empty());
  EXPECT_EQ(run.net.outcome(), Outcome::cancelled);
  EXPECT_TRUE(run.net.marking().tokens.empty());
  // What was in flight may still report; its layer follows and the net doesn't.
  EXPECT_EQ(run.post("step.started", a).disposition, Disposition::accepted);
  EXPECT_EQ(run.post("step.done", a).disposition, Disposition::accepted);
  EXPECT_EQ(run.post("step.done", a).disposition, Disposition::anomaly);
  EXPECT_EQ(run.scheduled(), (Names{"s", "a", "b"}));
  EXPECT_TRUE(run.apply(Cancel{}).events.empty());
}

TEST(NetCancel, ChangesNothingAfterTheEnd) {
  Execution run({step("a")});
  run.done("a");
  run.apply(Cancel{});
  EXPECT_EQ(run.net.outcome(), Outcome::success);
}

TEST(NetVariables, WorkloadIsOverriddenAndCtxMergedKeyByKey) {
  const auto playbook =
      read_or_fail(playbook_of({step("a")}, {}, {{"n", 1}, {"deep", Object{{"x", 1}}}}));
  Net net(playbook, "x1", {{"deep", Object{{"y", 2}}}, {"more", true}});
  EXPECT_EQ(net.workload(), (Object{{"n", 1}, {"deep", Object{{"y", 2}}}, {"more", true}}));
  net.apply(CtxPatch{{{"k", Object{{"a", 1}}}, {"gone", 1}}});
  net.apply(CtxPatch{{{"k", Object{{"b", 2}}}, {"gone", nullptr}}});
  EXPECT_EQ(net.ctx(), (Object{{"k", Object{{"b", 2}}}, {"gone", nullptr}}));
}

TEST(NetVariables, WorkersPatchCtxBeforeTheirArcsAreEvaluated) {
  Execution run({step("a", {arc("b", "{{ ctx.n == 2 }}")}), step("b")});
  run.done("a", Object{}, {{"n", 2}});
  EXPECT_EQ(run.scheduled(), (Names{"a", "b"}));
  EXPECT_EQ(run.net.ctx(), (Object{{"n", 2}}));
}

TEST(NetReplay, TheSameInputsRebuildTheSameStateAndEvents) {
  const List workflow{
      step("s", {arc("a", "", {{"n", "{{ output.n }}"}}), arc("g"), arc("l")}, "inclusive"),
      step("a", {arc("j")}), gated("g", "open", {arc("j")}),
      looping("l", List{1, 2}, {{"mode", "parallel"}}, {arc("j")}), step("j")};
  const Object executor{{"fan_in", "wait_all"}, {"final_step", "s"}};
  std::vector<Input> inputs;
  const auto worker = [&inputs](std::string type, std::string id, Value payload = {},
                                std::optional<std::int64_t> iteration = std::nullopt) {
    inputs.emplace_back(WorkerEvent{std::move(type), std::move(id), iteration, std::move(payload)});
  };
  worker("step.done", "step:s:run:1", Object{{"outcome", Object{{"n", 5}}}});
  worker("step.started", "step:a:run:1");
  worker("loop.iteration.failed", "step:l:run:1", {}, 1);
  inputs.emplace_back(CtxPatch{{{"open", true}}});
  worker("step.done", "step:nowhere:run:1");
  worker("step.done", "step:a:run:1");
  worker("step.done", "step:g:run:1");
  Execution once(workflow, executor);
  for (const Input& input : inputs) once.apply(input);
  Execution again(workflow, executor);
  for (const Input& input : inputs) again.apply(input);
  const Marking left = once.net.marking();
  const Marking right = again.net.marking();
  ASSERT_EQ(left.tokens.size(), 1U);
  EXPECT_EQ(left.tokens[0].step, "l");
  ASSERT_EQ(left.fan_in.size(), 1U);
  EXPECT_EQ(left.fan_in[0].arrived, 2U);
  ASSERT_EQ(right.tokens.size(), 1U);
  EXPECT_EQ(right.tokens[0].step_run_id, left.tokens[0].step_run_id);
  EXPECT_EQ(once.types(), again.types());
  ASSERT_EQ(once.log.size(), again.log.size());
  for (std::size_t index = 0; index < once.log.size(); ++index) {
    EXPECT_EQ(once.log[index].payload, again.log[index].payload);
  }
}

TEST(NetReplay, CopiesAreIndependent) {
  Execution run({step("a", {arc("b")}), step("b")});
  Net copy = run.net;
  run.done("a");
  EXPECT_EQ(copy.marking().tokens[0].step, "a");
  EXPECT_EQ(copy.apply(WorkerEvent{"step.done", "step:a:run:1"}).events.size(), 3U);
}

TEST(NetLimits, AnArcToItselfFailsTheExecutionWithAReason) {
  Execution run({step("p", {arc("p")})}, {}, {}, {}, {.step_runs = 5});
  for (int turn = 0; turn < 5; ++turn) run.done("p");
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_EQ(run.net.reason(), "the execution made 5 step runs, more than it may");
  EXPECT_EQ(run.last("playbook.finished").payload,
            (Object{{"outcome", "failed"},
                    {"reason", "the execution made 5 step runs, more than it may"}}));
  EXPECT_EQ(run.scheduled().size(), 5U);
}

TEST(NetLimits, LoopsOverNothingThatGoRoundFailWithoutAWorker) {
  const Execution run({looping("p", List{}, {}, {arc("p")})}, {}, {}, {},
                      {.step_runs_per_input = 50});
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_EQ(run.scheduled().size(), 50U);
}

TEST(NetLimits, ALoopOverTooMuchFails) {
  const Execution run({looping("l", List{1, 2, 3})}, {}, {}, {}, {.loop_iterations = 2});
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_TRUE(run.of_type("loop.started").empty());
}

TEST(NetScale, AChainOfTenThousandStepsEnds) {
  List workflow;
  constexpr int length = 10000;
  for (int index = 0; index < length; ++index) {
    List arcs;
    if (index + 1 < length) arcs.push_back(arc("s" + std::to_string(index + 1)));
    workflow.push_back(step("s" + std::to_string(index), arcs));
  }
  Execution run(workflow);
  for (int index = 0; index < length; ++index) {
    run.post("step.done", "step:s" + std::to_string(index) + ":run:1");
  }
  EXPECT_EQ(run.net.outcome(), Outcome::success);
  EXPECT_EQ(run.log.size(), 4U + 2 * length + (length - 1) + 3);
}

TEST(NetScale, AFanOutOfManyJoinsOnce) {
  List arcs;
  List workflow{Value()};
  constexpr int width = 5000;
  for (int index = 0; index < width; ++index) {
    const std::string name = "b" + std::to_string(index);
    arcs.push_back(arc(name));
    workflow.push_back(step(name, {arc("j")}));
  }
  workflow[0] = step("s", arcs, "inclusive");
  workflow.push_back(step("j"));
  Execution run(workflow, {{"fan_in", "wait_all"}});
  run.done("s");
  for (int index = 0; index < width; ++index) {
    EXPECT_TRUE(run.of_type("workflow.finished").empty());
    run.post("step.done", "step:b" + std::to_string(index) + ":run:1");
    if (index == width / 2) {
      ASSERT_EQ(run.net.marking().fan_in.size(), 1U);
      EXPECT_EQ(run.net.marking().fan_in[0].arrived, width / 2 + 1U);
    }
    run.log.clear();
  }
  EXPECT_EQ(run.run_of("j"), "step:j:run:1");
}

}  // namespace
}  // namespace assay::routing
