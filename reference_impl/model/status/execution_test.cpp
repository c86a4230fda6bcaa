#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference_impl/model/status/fold.h"
#include "reference_impl/model/status/fold_test_support.h"

namespace assay::status {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Execution, IsPendingWithNothingSetBeforeItsStart) {
  const auto result = fold({});
  const StatusView status = result.status();
  EXPECT_EQ(status.execution_id, "run-1");
  EXPECT_EQ(status.state, State::pending);
  EXPECT_EQ(status.current_step, std::nullopt);
  EXPECT_EQ(status.started_at, std::nullopt);
  EXPECT_EQ(status.ended_at, std::nullopt);
  EXPECT_EQ(status.terminal_event, std::nullopt);
  EXPECT_FALSE(status.completion_inferred);
  EXPECT_EQ(result.outcome(), Outcome::none);
  EXPECT_EQ(word_of(result.outcome()), "");
}

TEST(Execution, RunsFromItsStartInEitherVocabulary) {
  for (const std::string_view type : {"playbook.initialized", "playbook.started"}) {
    const auto result = fold({event(type)});
    EXPECT_EQ(result.state(), State::running);
    EXPECT_EQ(result.status().started_at, time_of(1));
    EXPECT_EQ(result.status().ended_at, std::nullopt);
    EXPECT_THAT(result.anomalies(), IsEmpty());
  }
}

struct Close {
  std::string_view type;
  Object more;
  State state;
  std::string_view outcome;
};

const Close closes[] = {
    {"playbook.completed", {}, State::completed, "success"},
    {"playbook.failed", {}, State::failed, "failed"},
    {"execution.cancelled", {}, State::cancelled, "cancelled"},
    {"playbook.finished", {{"status", "success"}}, State::completed, "success"},
    {"playbook.finished", {{"status", "error"}}, State::failed, "failed"},
    {"playbook.finished",
     {{"status", "success"}, {"payload", Object{{"outcome", "partial"}}}},
     State::completed,
     "partial"},
    {"playbook.finished",
     {{"status", "error"}, {"payload", Object{{"outcome", "partial"}}}},
     State::failed,
     "failed"},
    {"playbook.completed",
     {{"payload", Object{{"outcome", "partial"}}}},
     State::completed,
     "success"},
};

TEST(Execution, IsClosedByALifecycleEventFromRunning) {
  for (const Close& close : closes) {
    const auto result = fold({start, event(close.type, close.more)});
    EXPECT_EQ(result.state(), close.state);
    EXPECT_EQ(word_of(result.outcome()), close.outcome);
    EXPECT_EQ(result.status().started_at, time_of(1));
    EXPECT_EQ(result.status().ended_at, time_of(2));
    EXPECT_EQ(result.status().terminal_event, close.type);
    EXPECT_FALSE(result.status().completion_inferred);
    EXPECT_THAT(result.anomalies(), IsEmpty());
  }
}

TEST(Execution, IsClosedByALifecycleEventFromPendingToo) {
  for (const Close& close : closes) {
    const auto result = fold({event(close.type, close.more)});
    EXPECT_EQ(result.state(), close.state);
    EXPECT_EQ(result.status().started_at, std::nullopt);
    EXPECT_EQ(result.status().ended_at, time_of(1));
    EXPECT_THAT(result.anomalies(), IsEmpty());
  }
}

TEST(Execution, IsClosedByTheFirstLifecycleEventForGood) {
  for (const Close& first : closes) {
    for (const Close& second : closes) {
      const auto result =
          fold({start, event(first.type, first.more), event(second.type, second.more)});
      EXPECT_EQ(result.state(), first.state) << first.type << " then " << second.type;
      EXPECT_EQ(word_of(result.outcome()), first.outcome);
      EXPECT_EQ(result.status().ended_at, time_of(2));
      EXPECT_EQ(result.status().terminal_event, first.type);
      EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{3, Reason::late_lifecycle}));
    }
  }
}

TEST(Execution, GoesBySeqAndNotByTimestamps) {
  const auto result = fold({event("playbook.initialized", {{"timestamp", "2026-01-01T12:00:05Z"}}),
                            event("playbook.completed", {{"timestamp", "2026-01-01T12:00:04Z"}}),
                            event("playbook.failed", {{"timestamp", "2026-01-01T12:00:03Z"}})});
  EXPECT_EQ(result.state(), State::completed);
  EXPECT_EQ(result.status().started_at, "2026-01-01T12:00:05Z");
  EXPECT_EQ(result.status().ended_at, "2026-01-01T12:00:04Z");
}

TEST(Execution, KeepsItsFirstStart) {
  const auto result = fold({start, event("playbook.started"), start});
  EXPECT_EQ(result.state(), State::running);
  EXPECT_EQ(result.status().started_at, time_of(1));
  EXPECT_THAT(result.anomalies(),
              ElementsAre(Anomaly{2, Reason::second_start}, Anomaly{3, Reason::second_start}));
}

TEST(Execution, TakesOnlyStartedAtFromALateStart) {
  const auto result = fold({event("playbook.completed"), start, start});
  EXPECT_EQ(result.state(), State::completed);
  EXPECT_EQ(result.status().started_at, time_of(2));
  EXPECT_EQ(result.status().ended_at, time_of(1));
  EXPECT_THAT(result.anomalies(),
              ElementsAre(Anomaly{2, Reason::late_lifecycle}, Anomaly{3, Reason::second_start}));
}

TEST(Execution, IsNotClosedByAFinishThatSaysNeitherSuccessNorError) {
  for (const Object& more : {Object{}, Object{{"status", "paused"}}, Object{{"status", "skipped"}},
                             Object{{"status", "COMPLETED"}}}) {
    const auto result = fold({start, event("playbook.finished", more)});
    EXPECT_EQ(result.state(), State::running);
    EXPECT_EQ(result.status().ended_at, std::nullopt);
    EXPECT_THAT(result.anomalies(), ElementsAre(Anomaly{2, Reason::undecided_finish}));
  }
  const auto late = fold({event("playbook.failed"), event("playbook.finished")});
  EXPECT_THAT(late.anomalies(), ElementsAre(Anomaly{2, Reason::late_lifecycle}));
}

TEST(Execution, IsNeverClosedByALowerLayer) {
  const Object on_end = {{"node_name", "end"}, {"status", "COMPLETED"}};
  const auto result = fold({
      start,
      event("workflow.initialized"),
      step("command.issued", "end", {{"command_id", "c1"}}),
      command("command.claimed", "c1"),
      command("command.started", "c1"),
      command("call.done", "c1", on_end),
      event("step.exit", on_end),
      command("command.completed", "c1", on_end),
      event("workflow.completed"),
      event("batch.completed", {{"payload", Object{{"pending_count", 0}}}}),
      event("step.done", {{"entity_id", "end"}}),
      event("workflow.finished", {{"status", "success"}}),
      event("playbook.processed"),
      event("playbook.paused"),
      event("playbook.metrics.reported", {{"status", "COMPLETED"}}),
  });
  EXPECT_EQ(result.state(), State::running);
  EXPECT_EQ(result.outcome(), Outcome::none);
  EXPECT_EQ(result.status().ended_at, std::nullopt);
  EXPECT_EQ(result.status().terminal_event, std::nullopt);
}

TEST(Execution, IsNeverStartedByALowerLayer) {
  const auto result =
      fold({step("step.enter", "a"), command("command.issued", "c1"), event("workflow.initialized"),
            event("playbook.execution.requested"), event("playbook.request.evaluated")});
  EXPECT_EQ(result.state(), State::pending);
  EXPECT_EQ(result.status().started_at, std::nullopt);
  EXPECT_EQ(result.status().current_step, "a");
}

TEST(CurrentStep, IsTheStepOfTheNewestEnterScheduledOrStarted) {
  EXPECT_EQ(fold({start, step("command.issued", "a", {{"command_id", "c"}})}).status().current_step,
            std::nullopt);
  EXPECT_EQ(fold({step("step.enter", "a"), step("step.enter", "b"), step("step.enter", "a")})
                .status()
                .current_step,
            "a");
  EXPECT_EQ(fold({step_run("step.scheduled", "a", "r1"), step_run("step.scheduled", "b", "r2")})
                .status()
                .current_step,
            "b");
  EXPECT_EQ(fold({step_run("step.scheduled", "a", "r1"), step_run("step.scheduled", "b", "r2"),
                  event("step.started", {{"step_run_id", "r1"}})})
                .status()
                .current_step,
            "a");
  EXPECT_EQ(fold({step("step.enter", "a"), step("step.exit", "a", {{"status", "COMPLETED"}})})
                .status()
                .current_step,
            "a");
}

TEST(CurrentStep, StaysOnceTheExecutionIsClosed) {
  const auto result =
      fold({start, step("step.enter", "a"), event("execution.cancelled"), step("step.enter", "b")});
  EXPECT_EQ(result.status().current_step, "a");
  EXPECT_THAT(words(result.steps()), ElementsAre("a=RUNNING", "b=RUNNING"));
  EXPECT_THAT(result.anomalies(), IsEmpty());
}

TEST(Rebuild, MarksOnlyAClosedExecutionAsInferred) {
  auto closed = fold({start, event("playbook.completed")});
  closed.mark_rebuilt();
  EXPECT_TRUE(closed.status().completion_inferred);

  auto open = fold({start, step("step.exit", "end", {{"status", "COMPLETED"}})});
  open.mark_rebuilt();
  EXPECT_FALSE(open.status().completion_inferred);
  open.apply(event("playbook.failed", {{"timestamp", time_of(9)}}), 3);
  EXPECT_EQ(open.state(), State::failed);
  EXPECT_FALSE(open.status().completion_inferred);
}

TEST(Workflow, FollowsItsOwnEventsInEitherVocabulary) {
  EXPECT_EQ(fold({start}).workflow_state(), State::pending);
  for (const std::string_view type : {"workflow.initialized", "workflow.started"}) {
    EXPECT_EQ(fold({event(type)}).workflow_state(), State::running);
    EXPECT_EQ(fold({event(type), event("workflow.completed")}).workflow_state(), State::completed);
    EXPECT_EQ(fold({event(type), event("workflow.failed")}).workflow_state(), State::failed);
    EXPECT_EQ(
        fold({event(type), event("workflow.finished", {{"status", "success"}})}).workflow_state(),
        State::completed);
    EXPECT_EQ(
        fold({event(type), event("workflow.finished", {{"status", "error"}})}).workflow_state(),
        State::failed);
  }
}

TEST(Workflow, MovesOnlyAsItsTableAllows) {
  struct Case {
    std::vector<Value> log;
    State state;
    Reason reason;
  };
  const Value begin = event("workflow.initialized");
  const Case cases[] = {
      {{event("workflow.completed")}, State::pending, Reason::workflow_move},
      {{event("workflow.failed")}, State::pending, Reason::workflow_move},
      {{begin, begin}, State::running, Reason::workflow_move},
      {{begin, event("workflow.completed"), begin}, State::completed, Reason::workflow_move},
      {{begin, event("workflow.completed"), event("workflow.failed")},
       State::completed,
       Reason::workflow_move},
      {{begin, event("workflow.failed"), event("workflow.completed")},
       State::failed,
       Reason::workflow_move},
      {{begin, event("workflow.finished")}, State::running, Reason::undecided_finish},
  };
  for (const auto& [log, state, reason] : cases) {
    const auto result = fold(log);
    EXPECT_EQ(result.workflow_state(), state);
    EXPECT_THAT(result.anomalies(),
                ElementsAre(Anomaly{static_cast<std::int64_t>(log.size()), reason}));
  }
}

TEST(Workflow, IsNotRebuiltFromLowerLayers) {
  const auto result = fold({start, command("command.issued", "c1"), event("playbook.completed"),
                            event("batch.completed", {{"payload", Object{{"pending_count", 0}}}})});
  EXPECT_EQ(result.workflow_state(), State::pending);
}

TEST(Fold, TakesAnyJson) {
  ExecutionFold result("run-1");
  for (const Value& body : {Value(), Value(7), Value("x"), Value(List{}), Value(Object{}),
                            Value(Object{{"event_type", 1}}), event("step.exit", {{"status", 1}}),
                            event("call.done", {{"payload", "x"}, {"command_id", 3}})}) {
    result.apply(body, 1);
  }
  EXPECT_EQ(result.state(), State::pending);
  EXPECT_THAT(result.steps(), IsEmpty());
  EXPECT_THAT(result.tools(), IsEmpty());
}

TEST(Anomaly, HasASentenceForEachReason) {
  for (int reason = 0; reason <= static_cast<int>(Reason::loop_done_too_early); ++reason) {
    EXPECT_GT(text_of(static_cast<Reason>(reason)).size(), 10U) << reason;
  }
}

}  // namespace
}  // namespace assay::status
