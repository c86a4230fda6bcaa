#include "reference_impl/model/lifecycle/engine.h"

#include <gtest/gtest.h>

#include "reference_impl/model/lifecycle/engine_bench.h"

namespace assay::lifecycle {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

std::string after_running(const std::string& rest) {
  return std::string(path_to_running) + " " + rest;
}

TEST(Engine, AWorkflowWithoutEntitiesRunsAtOnceAndCompletes) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("pure"), step("impure")});
  EXPECT_EQ(bench.path("u"), path_to_running);
  EXPECT_EQ(execution.jobs_total, 1U);
  bench.finish_next();
  EXPECT_EQ(bench.state("u"), "RUNNING");
  bench.finish_next();
  EXPECT_EQ(bench.path("u"), after_running("COMPLETED"));
  EXPECT_EQ(execution.outcome, State::completed);
  EXPECT_EQ(execution.reason, std::nullopt);
  EXPECT_EQ(execution.jobs_total, 2U);
  EXPECT_EQ(execution.jobs_completed, 2U);
}

TEST(Engine, HistoryHasTheTimeOfEachState) {
  EngineBench bench;
  bench.now = Instant(milliseconds(7));
  const Execution& execution = bench.start("u", {step("pure")});
  bench.now = Instant(milliseconds(9));
  bench.finish_next();
  EXPECT_EQ(execution.history.front().at, Instant(milliseconds(7)));
  EXPECT_EQ(execution.history.back().at, Instant(milliseconds(9)));
}

TEST(Engine, AnUnknownBlockEndsFailedSafeWithAReason) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("pure"), step("missing")});
  EXPECT_EQ(bench.path("u"), "NEW FAILED_SAFE");
  EXPECT_EQ(execution.reason, "step b uses the function block missing, which is not registered");
  EXPECT_EQ(execution.jobs_total, 0U);
}

TEST(Engine, AnUnresolvedWorkflowEndsFailedSafeWithItsReason) {
  EngineBench bench;
  const Execution& execution =
      bench.engine.start("u", Unresolved{"no workflow of that name"}, Object{}, bench.now);
  EXPECT_EQ(bench.path("u"), "NEW FAILED_SAFE");
  EXPECT_EQ(execution.reason, "no workflow of that name");
}

TEST(Engine, EachStepWithRequirementsGetsAnAcquireJob) {
  EngineBench bench;
  bench.engine.register_block({.name = "needs", .pure = true, .acquires = {"d9"}});
  const Execution& execution =
      bench.start("u", {step("pure", {"d1"}), step("pure"), step("needs"), step("needs", {"d2"})});
  EXPECT_EQ(bench.path("u"), "NEW VALID READY RESOURCE_DISCOVERY");
  std::string jobs;
  for (const Job* job : bench.engine.jobs("u", {}, 0, 10)) {
    jobs += std::string(to_string(job->type)) + " " + job->label + " ";
  }
  EXPECT_EQ(jobs, "ACQUIRE a ACQUIRE c ACQUIRE d ");
  bench.finish_next();
  bench.finish_next(true, {.entities = {"d3"}});
  EXPECT_EQ(bench.state("u"), "RESOURCE_DISCOVERY");
  bench.finish_next();
  EXPECT_EQ(bench.path("u"), path_to_running);
  EXPECT_EQ(execution.entities, (std::set<std::string>{"d1", "d2", "d3", "d9"}));
  EXPECT_TRUE(execution.is_pure);
}

TEST(Engine, AFailedAcquireEndsFailedSafe) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("impure", {"d1"}), step("impure", {"d2"})});
  bench.finish_next(false);
  EXPECT_EQ(bench.path("u"), "NEW VALID READY RESOURCE_DISCOVERY FAILED_SAFE");
  EXPECT_EQ(execution.reason, "the ACQUIRE job of step a failed");
  EXPECT_EQ(bench.poll(), "");
}

TEST(Engine, AFalseConditionSkipsItsStep) {
  EngineBench bench;
  const Execution& execution =
      bench.start("u",
                  {step("impure", {}, false), step("pure", {}, "/parameters/go"),
                   step("pure", {}, "/parameters/stop"), step("pure", {}, true)},
                  Object{{"go", true}});
  bench.finish_next();
  bench.finish_next();
  EXPECT_EQ(bench.state("u"), "COMPLETED");
  EXPECT_EQ(execution.jobs_total, 2U);
}

TEST(Engine, AConditionSeesTheResultsOfEarlierSteps) {
  EngineBench bench;
  bench.start("u", {step("pure"), step("pure", {}, "/results/a/again"),
                    step("pure", {}, "/results/b/again")});
  bench.finish_next(true, {.data = Object{{"again", true}}});
  bench.finish_next();
  EXPECT_EQ(bench.state("u"), "COMPLETED");
  EXPECT_EQ(bench.engine.find("u")->jobs_total, 2U);
}

TEST(Engine, AConditionThatCantBeEvaluatedIsAFailure) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("pure"), step("impure", {}, "unreadable")});
  bench.finish_next();
  EXPECT_EQ(bench.path("u"), after_running("ERROR FAILED_SAFE"));
  EXPECT_EQ(execution.reason, "the condition of step b can't be evaluated: it is unreadable");
}

TEST(Engine, AWorkflowWhoseStepsAreAllSkippedCompletes) {
  EngineBench bench;
  bench.start("u", {step("impure", {}, false), step("impure", {}, false)});
  EXPECT_EQ(bench.path("u"), after_running("COMPLETED"));
}

TEST(Engine, ADefinitionOrBlockIsRegisteredOnce) {
  EngineBench bench;
  const Definition definition{.name = "w", .steps = {{.label = "a", .function_block = "pure"}}};
  EXPECT_EQ(bench.engine.register_definition(definition), Registration::created);
  EXPECT_EQ(bench.engine.register_definition(definition), Registration::unchanged);
  EXPECT_EQ(bench.engine.register_definition({.name = "w", .steps = {}}), Registration::conflict);
  EXPECT_EQ(*bench.engine.find_definition("w"), definition);
  EXPECT_EQ(bench.engine.find_definition("v"), nullptr);
  EXPECT_EQ(bench.engine.register_block({.name = "pure", .pure = true}), Registration::unchanged);
  EXPECT_EQ(bench.engine.register_block({.name = "pure", .pure = false}), Registration::conflict);
}

TEST(Engine, AResultIsTakenOnceAndOnlyOfAPolledJob) {
  EngineBench bench;
  bench.start("u", {step("pure"), step("pure")});
  EXPECT_EQ(bench.push("j1"), PushOutcome::not_polled);
  EXPECT_EQ(bench.poll(), "j1");
  EXPECT_EQ(bench.push("j1"), PushOutcome::accepted);
  EXPECT_EQ(bench.push("j1", false), PushOutcome::not_polled);
  EXPECT_EQ(bench.push("j9"), PushOutcome::unknown_job);
  EXPECT_EQ(bench.path("u"), path_to_running);
}

TEST(Engine, AStuckExecuteJobIsAStepFailureWhenItsTimeIsUp) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("impure")});
  const std::string job = bench.poll();
  bench.engine.advance_to(Instant(minutes(12) - milliseconds(1)));
  EXPECT_EQ(bench.state("u"), "RUNNING");
  bench.engine.advance_to(Instant(minutes(60)));
  EXPECT_EQ(bench.path("u"), after_running("ERROR FAILED_UNSAFE"));
  EXPECT_EQ(execution.reason, "step a was stuck");
  EXPECT_EQ(execution.history.back().at, Instant(minutes(12)));
  EXPECT_EQ(bench.engine.find_job(job)->state, JobState::pushed);
  EXPECT_EQ(bench.push(job), PushOutcome::not_polled);
}

TEST(Engine, AStuckAcquireJobEndsFailedSafe) {
  EngineBench bench({.stuck_after = milliseconds(5)});
  const Execution& execution = bench.start("u", {step("impure", {"d1"})});
  bench.poll();
  bench.engine.advance_to(Instant(milliseconds(5)));
  EXPECT_EQ(bench.path("u"), "NEW VALID READY RESOURCE_DISCOVERY FAILED_SAFE");
  EXPECT_EQ(execution.reason, "the ACQUIRE job of step a was stuck");
}

TEST(Engine, AJobThatNobodyPolledIsNeverStuck) {
  EngineBench bench;
  bench.start("u", {step("pure")});
  bench.engine.advance_to(Instant(std::chrono::hours(1000)));
  EXPECT_EQ(bench.state("u"), "RUNNING");
}

TEST(Engine, AnOutcomeIsAcknowledgedOnceAndStays) {
  EngineBench bench;
  const Execution& completed = bench.start("c", {step("pure")});
  EXPECT_FALSE(bench.engine.acknowledge("c", bench.now));
  bench.finish_next();
  EXPECT_TRUE(bench.engine.acknowledge("c", bench.now));
  EXPECT_EQ(bench.state("c"), "COMPLETED_ACK");
  EXPECT_EQ(completed.outcome, State::completed);
  EXPECT_FALSE(bench.engine.acknowledge("c", bench.now));

  bench.start("s", {step("pure")});
  bench.finish_next(false);
  EXPECT_TRUE(bench.engine.acknowledge("s", bench.now));
  EXPECT_EQ(bench.path("s"), after_running("ERROR FAILED_SAFE FAILED_SAFE_ACK"));

  bench.start("f", {step("impure")});
  bench.finish_next(false);
  EXPECT_TRUE(bench.engine.acknowledge("f", bench.now));
  EXPECT_EQ(bench.path("f"), after_running("ERROR FAILED_UNSAFE FAILED_UNSAFE_ACK"));
  EXPECT_FALSE(bench.engine.acknowledge("nobody", bench.now));
}

TEST(Engine, ListsFollowTheStatesInOrderOfCreation) {
  EngineBench bench;
  for (const char* uuid : {"u1", "u2", "u3"}) bench.start(uuid, {step("pure")});
  bench.start("u4", {step("missing")});
  bench.finish_next();
  const auto line = [](const std::vector<const Execution*>& executions) {
    std::string uuids;
    for (const Execution* execution : executions) uuids += execution->uuid + " ";
    return uuids;
  };
  EXPECT_EQ(line(bench.engine.active(0, 10)), "u2 u3 ");
  EXPECT_EQ(line(bench.engine.active(2, 10)), "u3 ");
  EXPECT_EQ(line(bench.engine.active(0, 1)), "u2 ");
  EXPECT_EQ(line(bench.engine.in_state(State::running, 0, 10)), "u2 u3 ");
  EXPECT_EQ(line(bench.engine.in_state(State::completed, 0, 10)), "u1 ");
  EXPECT_EQ(line(bench.engine.in_state(State::failed_safe, 0, 10)), "u4 ");
  EXPECT_EQ(line(bench.engine.in_state(State::new_execution, 0, 10)), "");
}

TEST(Engine, AwaitedConditionsBlockUntilTheLastIsMet) {
  EngineBench bench;
  bench.terms.await = {"approved", "window"};
  bench.start("u", {step("pure")});
  EXPECT_EQ(bench.path("u"), "NEW VALID BLOCKED_WAITING");
  EXPECT_EQ(bench.poll(), "");
  EXPECT_EQ(bench.engine.meet("u", {"window", "weather"}, bench.now), Meeting::unknown_condition);
  EXPECT_EQ(bench.engine.meet("u", {"approved"}, bench.now), Meeting::taken);
  EXPECT_EQ(bench.engine.meet("u", {"approved"}, bench.now), Meeting::taken);
  EXPECT_EQ(bench.state("u"), "BLOCKED_WAITING");
  EXPECT_EQ(bench.engine.meet("u", {"window"}, bench.now), Meeting::taken);
  EXPECT_EQ(bench.path("u"),
            "NEW VALID BLOCKED_WAITING READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED SCHEDULED "
            "LOCKING LOCKED RUNNING");
  EXPECT_EQ(bench.engine.meet("u", {"window"}, bench.now), Meeting::not_waiting);
  EXPECT_EQ(bench.engine.meet("nobody", {"window"}, bench.now), Meeting::not_waiting);
}

TEST(Engine, AHoldStopsAtEachStateUntilItIsLifted) {
  for (const State state : {State::new_execution, State::valid, State::ready,
                            State::resource_discovery, State::resources_discovered,
                            State::scheduled, State::locking, State::locked, State::running}) {
    EngineBench bench;
    bench.engine.hold_at(state, bench.now);
    bench.start("u", {step("pure")});
    EXPECT_EQ(bench.state("u"), to_string(state));
    EXPECT_EQ(bench.poll(), "");
    bench.engine.hold_at(std::nullopt, bench.now);
    EXPECT_EQ(bench.path("u"), path_to_running);
    bench.finish_next();
    EXPECT_EQ(bench.state("u"), "COMPLETED");
  }
}

TEST(Engine, AHoldKeepsFailuresInErrorAndInRollback) {
  for (const State state : {State::error, State::rollback}) {
    EngineBench bench;
    bench.terms.rollback = true;
    bench.start("u", {step("undoable")});
    bench.engine.hold_at(state, bench.now);
    bench.finish_next(false);
    EXPECT_EQ(bench.state("u"), to_string(state));
    EXPECT_EQ(bench.poll(), "");
    bench.engine.hold_at(std::nullopt, bench.now);
    bench.finish_next();
    EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR ROLLBACK FAILED_SAFE");
  }
}

TEST(Engine, EveryStepOfEveryHistoryIsAnEdge) {
  EngineBench bench;
  bench.terms.rollback = true;
  bench.start("u1", {step("undoable"), step("undoable")});
  bench.start("u2", {step("pure")});
  bench.start("u3", {step("missing")});
  bench.finish_next();
  bench.finish_next(false);
  bench.finish_next(false);
  for (int jobs = 0; jobs < 2; ++jobs) bench.finish_next();
  for (const char* uuid : {"u1", "u2", "u3"}) {
    bench.engine.acknowledge(uuid, bench.now);
    const std::vector<HistoryEntry>& history = bench.engine.find(uuid)->history;
    for (std::size_t index = 1; index < history.size(); ++index) {
      EXPECT_NE(find_edge(history[index - 1].state, history[index].state), nullptr)
          << bench.path(uuid);
    }
    EXPECT_FALSE(is_active(history.back().state)) << bench.path(uuid);
  }
}

}  // namespace
}  // namespace assay::lifecycle
