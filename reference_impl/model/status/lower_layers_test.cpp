#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "reference_impl/model/status/fold.h"
#include "reference_impl/model/status/fold_test_support.h"

namespace assay::status {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Value exit_with(std::string_view status, Object more = {}) {
  more["status"] = status;
  return step("step.exit", "a", more);
}

const Value enter = step("step.enter", "a");

/// Events that bring command c1 from PENDING to each state of its table.
std::vector<Value> commands_until(State state) {
  std::vector<Value> log;
  const auto add = [&log](std::string_view type) { log.push_back(command(type, "c1")); };
  if (state == State::pending) return log;
  add("command.issued");
  if (state == State::cancelled) add("command.cancelled");
  if (state == State::issued || state == State::cancelled) return log;
  add("command.claimed");
  if (state == State::claimed) return log;
  add("command.started");
  if (state == State::completed) add("command.completed");
  if (state == State::failed) add("command.failed");
  return log;
}

TEST(Commands, MoveFromEachStateOnlyAsTheTableAllows) {
  struct Move {
    std::string_view type;
    State to;
    std::vector<State> from;
  };
  const Move moves[] = {
      {"command.issued", State::issued, {State::pending}},
      {"command.claimed", State::claimed, {State::issued}},
      {"command.started", State::running, {State::claimed}},
      {"command.completed", State::completed, {State::running}},
      {"command.failed", State::failed, {State::running}},
      {"command.cancelled", State::cancelled, {State::issued, State::claimed}},
  };
  constexpr State states[] = {State::pending,   State::issued, State::claimed,  State::running,
                              State::completed, State::failed, State::cancelled};
  for (const Move& move : moves) {
    for (const State from : states) {
      std::vector<Value> log = commands_until(from);
      log.push_back(command(move.type, "c1"));
      const auto result = fold(log);
      const bool allowed = testing::Value(from, testing::AnyOfArray(move.from));
      const State expected = allowed ? move.to : from;
      if (expected == State::pending) {
        EXPECT_THAT(result.commands(), IsEmpty()) << move.type;
      } else {
        EXPECT_THAT(words(result.commands()), ElementsAre("c1=" + std::string(word_of(expected))))
            << move.type << " from " << word_of(from);
      }
      EXPECT_EQ(result.anomalies().size(), allowed ? 0U : 1U)
          << move.type << " from " << word_of(from);
    }
  }
}

TEST(Commands, SayWhyAnEventMovesNothing) {
  const auto reason_after = [](State state, std::string_view type) {
    std::vector<Value> log = commands_until(state);
    log.push_back(command(type, "c1"));
    return fold(log).anomalies().at(0).reason;
  };
  EXPECT_EQ(reason_after(State::pending, "command.completed"), Reason::command_move);
  EXPECT_EQ(reason_after(State::issued, "command.issued"), Reason::command_issued_twice);
  EXPECT_EQ(reason_after(State::completed, "command.failed"), Reason::second_command_outcome);
  EXPECT_EQ(reason_after(State::completed, "command.completed"), Reason::second_command_outcome);
  EXPECT_EQ(reason_after(State::completed, "command.started"), Reason::command_move);
  EXPECT_EQ(fold({event("command.issued")}).anomalies().at(0).reason, Reason::names_no_command);
}

TEST(Commands, AreListedInOrderOfFirstAppearanceWithTheirStep) {
  const auto result = fold({step("command.issued", "b", {{"command_id", "c2"}}),
                            step("command.issued", "a", {{"command_id", "c1"}}),
                            command("command.claimed", "c2"), command("command.issued", "c0")});
  ASSERT_EQ(result.commands().size(), 3U);
  EXPECT_EQ(result.commands()[0].id, "c2");
  EXPECT_EQ(result.commands()[0].step, "b");
  EXPECT_EQ(result.commands()[1].step, "a");
  EXPECT_EQ(result.commands()[2].step, "");
}

TEST(Commands, AreCancelledWhereIssuedOrClaimed) {
  std::vector<Value> log;
  for (const std::string_view id : {"c1", "c2", "c3", "c4"}) {
    log.push_back(command("command.issued", id));
  }
  log.push_back(command("command.claimed", "c2"));
  log.push_back(command("command.claimed", "c3"));
  log.push_back(command("command.started", "c3"));
  EXPECT_THAT(fold(log).commands_to_cancel(), ElementsAre("c1", "c2", "c4"));
  log.push_back(command("command.cancelled", "c1"));
  EXPECT_THAT(fold(log).commands_to_cancel(), ElementsAre("c2", "c4"));
}

TEST(Commands, FollowTheirEventsAfterTheEnd) {
  const auto result = fold({command("command.issued", "c1"), event("execution.cancelled"),
                            command("command.cancelled", "c1")});
  EXPECT_THAT(words(result.commands()), ElementsAre("c1=CANCELLED"));
  EXPECT_THAT(result.anomalies(), IsEmpty());
}

TEST(Tools, TakeTheirOutcomeFromTheirFirstEvent) {
  const auto with = [](std::string_view status) {
    return Object{{"payload", Object{{"outcome", Object{{"status", status}}}}}};
  };
  EXPECT_THAT(
      words(
          fold({command("call.done", "c1"), command("call.error", "c2"),
                command("call.done", "c3", with("BREAK")), command("call.done", "c4", with("noop")),
                command("call.done", "c5", with("success")),
                command("call.error", "c6", with("BREAK")),
                command("call.done", "c7", {{"status", "BREAK"}})})
              .tools()),
      ElementsAre("c1=OK", "c2=ERROR", "c3=BREAK", "c4=NOOP", "c5=OK", "c6=ERROR", "c7=OK"));
}

TEST(Tools, KeepTheirFirstOutcome) {
  const auto result = fold({command("call.done", "c1"), command("call.error", "c1"),
                            command("call.done", "c1"), event("call.done")});
  EXPECT_THAT(words(result.tools()), ElementsAre("c1=OK"));
  EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{2, Reason::second_tool_outcome},
                                              Anomaly{3, Reason::second_tool_outcome},
                                              Anomaly{4, Reason::names_no_command}));
}

TEST(Steps, RunOnEnterIssueScheduleAndStart) {
  for (const Value& begin :
       {enter, step("command.issued", "a", {{"command_id", "c1"}}),
        event("step.scheduled", {{"entity_id", "a"}}), event("step.started", {{"entity_id", "a"}}),
        event("step.started", {{"node_name", "a"}}), event("step.enter", {{"entity_id", "a"}})}) {
    const auto result = fold({begin});
    EXPECT_THAT(words(result.steps()), ElementsAre("a=RUNNING"));
    EXPECT_THAT(result.anomalies(), IsEmpty());
  }
}

TEST(Steps, AreNamedByNodeInSeed000AndByEntityInSeed001) {
  const Object both = {{"node_name", "node"}, {"entity_id", "entity"}};
  EXPECT_THAT(words(fold({event("step.enter", both)}).steps()), ElementsAre("node=RUNNING"));
  EXPECT_THAT(words(fold({event("step.scheduled", both)}).steps()), ElementsAre("entity=RUNNING"));
}

TEST(Steps, EndByTheStatusOfTheirExitInAnyCase) {
  struct Case {
    std::string_view status;
    std::string_view shown;
  };
  constexpr Case cases[] = {
      {"COMPLETED", "a=COMPLETED"},
      {"completed", "a=COMPLETED"},
      {"Completed", "a=COMPLETED"},
      {"success", "a=COMPLETED"},
      {"FAILED", "a=FAILED"},
      {"failed", "a=FAILED"},
      {"error", "a=FAILED"},
      {"CASE_HANDLED", "a=CASE_HANDLED"},
      {"case_handled", "a=CASE_HANDLED"},
  };
  for (const auto& [status, shown] : cases) {
    const auto result = fold({enter, exit_with(status)});
    EXPECT_THAT(words(result.steps()), ElementsAre(shown));
    EXPECT_THAT(result.anomalies(), IsEmpty());
  }
}

TEST(Steps, StayWhereTheExitNamesNoOutcome) {
  for (const Value& exit : {step("step.exit", "a"), exit_with("RUNNING"), exit_with("PENDING"),
                            exit_with("skipped"), exit_with("CANCELLED")}) {
    const auto result = fold({enter, exit});
    EXPECT_THAT(words(result.steps()), ElementsAre("a=RUNNING"));
    EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{2, Reason::exit_without_outcome}));
  }
}

TEST(Steps, EndOnlyFromRunning) {
  for (const Value& end : {exit_with("COMPLETED"), event("step.done", {{"entity_id", "a"}}),
                           event("step.failed", {{"entity_id", "a"}})}) {
    const auto never_begun = fold({end});
    EXPECT_THAT(never_begun.steps(), IsEmpty());
    EXPECT_THAT(never_begun.anomalies(), ElementsAre(Anomaly{1, Reason::step_move}));
    for (const std::string_view first : {"COMPLETED", "FAILED", "CASE_HANDLED"}) {
      const auto ended = fold({enter, exit_with(first), end});
      EXPECT_THAT(words(ended.steps()), ElementsAre("a=" + std::string(first)));
      EXPECT_THAT(ended.anomalies(), ElementsAre(Anomaly{3, Reason::step_move}));
    }
  }
}

TEST(Steps, EndByStepDoneAndStepFailed) {
  EXPECT_THAT(
      words(fold({step_run("step.scheduled", "a", "r1"), step_run("step.started", "a", "r1"),
                  step_run("step.done", "a", "r1"), step_run("step.scheduled", "b", "r2"),
                  event("step.failed", {{"step_run_id", "r2"}})})
                .steps()),
      ElementsAre("a=COMPLETED", "b=FAILED"));
}

TEST(Steps, AreNotMovedByTheExitOfAnIteration) {
  const auto result = fold({enter, exit_with("COMPLETED", {{"iteration", 0}}),
                            exit_with("FAILED", {{"iteration_id", "a:1"}}),
                            exit_with("nonsense", {{"iteration", 2}})});
  EXPECT_THAT(words(result.steps()), ElementsAre("a=RUNNING"));
  EXPECT_THAT(result.anomalies(), IsEmpty());
}

TEST(Steps, RunAgainInANewRound) {
  for (const std::string_view first : {"COMPLETED", "FAILED", "CASE_HANDLED"}) {
    const auto result = fold({enter, exit_with(first), enter});
    EXPECT_THAT(words(result.steps()), ElementsAre("a=RUNNING"));
    EXPECT_THAT(result.anomalies(), IsEmpty());
  }
  EXPECT_THAT(
      words(fold({step_run("step.scheduled", "a", "r1"), step_run("step.done", "a", "r1"),
                  step_run("step.scheduled", "a", "r2"), step_run("step.failed", "a", "r2")})
                .steps()),
      ElementsAre("a=FAILED"));
}

TEST(Steps, KeepTheFirstOutcomeOfARun) {
  for (const std::string_view late :
       {"step.done", "step.failed", "step.started", "step.scheduled"}) {
    const auto result = fold({step_run("step.scheduled", "a", "r1"),
                              step_run("step.done", "a", "r1"), step_run(late, "a", "r1")});
    EXPECT_THAT(words(result.steps()), ElementsAre("a=COMPLETED")) << late;
    EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{3, Reason::step_run_ended})) << late;
  }
}

TEST(Steps, RunWhileAnyOfTheirRunsIsOpen) {
  std::vector<Value> log = {step_run("step.scheduled", "a", "r1"),
                            step_run("step.scheduled", "a", "r2"),
                            step_run("step.failed", "a", "r1")};
  EXPECT_THAT(words(fold(log).steps()), ElementsAre("a=RUNNING"));
  log.push_back(step_run("step.done", "a", "r2"));
  EXPECT_THAT(words(fold(log).steps()), ElementsAre("a=COMPLETED"));
  EXPECT_THAT(fold(log).anomalies(), IsEmpty());
}

TEST(Steps, AreNotBegunByAnEventThatNamesNone) {
  for (const std::string_view type :
       {"step.enter", "step.scheduled", "step.started", "step.done", "step.failed"}) {
    EXPECT_THAT(fold({event(type)}).anomalies(), ElementsAre(Anomaly{1, Reason::names_no_step}));
  }
  EXPECT_THAT(fold({command("command.issued", "c1")}).steps(), IsEmpty());
}

TEST(Steps, AreNotBegunByACommandThatTheTableRefuses) {
  const auto result =
      fold({command("command.issued", "c1"), step("command.issued", "a", {{"command_id", "c1"}})});
  EXPECT_THAT(result.steps(), IsEmpty());
}

TEST(TaskRuns, HaveOneOutcome) {
  const auto task = [](std::string_view type, std::string_view run) {
    return event(type, {{"task_run_id", run}});
  };
  EXPECT_THAT(fold({task("task.done", "t1"), task("task.failed", "t2"), task("task.failed", "t1"),
                    task("task.failed", "t2"), event("task.done"), event("task.done")})
                  .anomalies(),
              ElementsAre(Anomaly{3, Reason::second_task_outcome},
                          Anomaly{4, Reason::second_task_outcome}));
}

Value loop_event(std::string_view type, Object more = {}) {
  more["step_run_id"] = "r1";
  return event(type, more);
}

Value iteration(std::string_view type, int number) {
  return loop_event(type, {{"iteration", number}});
}

const std::vector<Value> loop_begun = {step_run("step.scheduled", "pages", "r1"),
                                       loop_event("loop.started"),
                                       iteration("loop.iteration.scheduled", 0)};

ExecutionFold fold_after_loop_begun(const std::vector<Value>& more) {
  std::vector<Value> log = loop_begun;
  log.insert(log.end(), more.begin(), more.end());
  return fold(log);
}

TEST(Loops, EndTheirStep) {
  const Value done = iteration("loop.iteration.done", 0);
  const auto result = fold_after_loop_begun({done, loop_event("loop.done")});
  EXPECT_THAT(words(result.steps()), ElementsAre("pages=COMPLETED"));
  EXPECT_THAT(result.anomalies(), IsEmpty());
  EXPECT_THAT(words(fold_after_loop_begun({iteration("loop.iteration.failed", 0),
                                           loop_event("loop.done", {{"status", "error"}})})
                        .steps()),
              ElementsAre("pages=FAILED"));
}

TEST(Loops, ListIterationOutcomesThatWereNeverScheduledOrComeTwice) {
  const auto result = fold_after_loop_begun(
      {iteration("loop.iteration.done", 1), iteration("loop.iteration.done", 0),
       iteration("loop.iteration.failed", 0),
       event("loop.iteration.done", {{"step_run_id", "r2"}, {"iteration", 0}})});
  EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{4, Reason::iteration_never_scheduled},
                                              Anomaly{6, Reason::iteration_ended_twice},
                                              Anomaly{7, Reason::iteration_never_scheduled}));
}

TEST(Loops, TellIterationsByTheirNumberElseByTheirId) {
  const auto by_id = [](std::string_view type, std::string_view id) {
    return loop_event(type, {{"iteration_id", id}});
  };
  const auto result =
      fold({by_id("loop.iteration.scheduled", "x"), by_id("loop.iteration.scheduled", "0"),
            by_id("loop.iteration.done", "x"), iteration("loop.iteration.done", 0),
            by_id("loop.iteration.done", "0")});
  EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{4, Reason::iteration_never_scheduled}));
}

TEST(Loops, AreNotDoneOverAnOpenIteration) {
  const auto early = fold_after_loop_begun({loop_event("loop.done")});
  EXPECT_THAT(words(early.steps()), ElementsAre("pages=RUNNING"));
  EXPECT_THAT(early.anomalies(), ElementsAre(Anomaly{4, Reason::loop_done_too_early}));
  const auto mended = fold_after_loop_begun(
      {loop_event("loop.done"), iteration("loop.iteration.done", 0), loop_event("loop.done")});
  EXPECT_THAT(words(mended.steps()), ElementsAre("pages=COMPLETED"));
  EXPECT_EQ(mended.anomalies().size(), 1U);
}

TEST(Loops, MayBeFollowedByOneOutcomeOfTheirStep) {
  const Value step_done = step_run("step.done", "pages", "r1");
  const auto result =
      fold_after_loop_begun({iteration("loop.iteration.done", 0), loop_event("loop.done"),
                             step_done, step_done, loop_event("loop.done")});
  EXPECT_THAT(words(result.steps()), ElementsAre("pages=COMPLETED"));
  EXPECT_THAT(result.anomalies(),
              ElementsAre(Anomaly{7, Reason::step_run_ended}, Anomaly{8, Reason::step_run_ended}));
}

TEST(Loops, AreToldByTheirEntityWithoutAStepRun) {
  const Value scheduled =
      event("loop.iteration.scheduled", {{"entity_id", "pages"}, {"iteration", 0}});
  const Value done = event("loop.done", {{"entity_id", "pages"}});
  EXPECT_THAT(fold({scheduled, done}).anomalies(),
              ElementsAre(Anomaly{2, Reason::loop_done_too_early}));
  EXPECT_THAT(fold({scheduled, event("loop.done", {{"entity_id", "other"}})}).anomalies(),
              IsEmpty());
}

TEST(FirstSeen, FindsEachOfManyInOrder) {
  std::vector<Value> log;
  log.reserve(1000);
  for (int i = 0; i < 1000; ++i) log.push_back(command("command.issued", std::to_string(i * 7)));
  log.push_back(command("command.claimed", "6993"));
  log.push_back(command("command.claimed", "6994"));
  ExecutionFold result("run-1");
  for (std::size_t i = 0; i < log.size(); ++i) result.apply(log[i], static_cast<std::int64_t>(i));
  ASSERT_EQ(result.commands().size(), 1000U);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(result.commands()[i].id, std::to_string(i * 7));
    EXPECT_EQ(result.commands()[i].state, i == 999 ? State::claimed : State::issued);
  }
  EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{1001, Reason::command_move}));
}

}  // namespace
}  // namespace assay::status
