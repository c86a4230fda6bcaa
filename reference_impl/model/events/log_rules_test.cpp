#include "reference_impl/model/events/log_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace assay::events {
namespace {

using Log = std::vector<Value>;

Value step(std::string_view type, std::string_view run = "r1") {
  return Object{{"event_type", type}, {"step_run_id", run}, {"entity_id", "fetch"}};
}

Value task(std::string_view type, std::string_view run = "t1") {
  return Object{{"event_type", type}, {"task_run_id", run}};
}

Value attempt(std::string_view type, int number) {
  return Object{{"event_type", type}, {"task_run_id", "t1"}, {"attempt", number}};
}

Value loop(std::string_view type) { return Object{{"event_type", type}, {"entity_id", "pages"}}; }

Value iteration(std::string_view type, int number) {
  return Object{{"event_type", type}, {"entity_id", "pages"}, {"iteration", number}};
}

/// "CLAUSE@index" of each violation.
std::vector<std::string> found(const Log& log) {
  std::vector<std::string> violations;
  for (const LogViolation& violation : check_log(log)) {
    EXPECT_FALSE(violation.message.empty());
    violations.push_back(std::string(violation.clause) + "@" + std::to_string(violation.index));
  }
  return violations;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LogRules, FindNothingInAnOrderlyLog) {
  EXPECT_THAT(found({}), IsEmpty());
  EXPECT_THAT(found({
                  Object{{"event_id", "a"}, {"event_type", "playbook.started"}, {"seq", 1}},
                  Object{{"event_id", "b"}, {"event_type", "workflow.started"}, {"seq", 2}},
                  step("step.scheduled"),
                  step("step.started"),
                  task("task.started"),
                  attempt("task.attempt.started", 1),
                  attempt("task.attempt.failed", 1),
                  attempt("task.attempt.started", 2),
                  attempt("task.attempt.done", 2),
                  task("task.done"),
                  loop("loop.started"),
                  iteration("loop.iteration.scheduled", 0),
                  iteration("loop.iteration.scheduled", 1),
                  iteration("loop.iteration.started", 1),
                  iteration("loop.iteration.started", 0),
                  iteration("loop.iteration.done", 0),
                  iteration("loop.iteration.failed", 1),
                  loop("loop.done"),
                  step("step.done"),
                  Object{{"event_id", "c"}, {"event_type", "playbook.finished"}, {"seq", 19}},
              }),
              IsEmpty());
}

TEST(LogRules, WantUniqueEventIds) {
  EXPECT_THAT(found({Object{{"event_id", "a"}, {"event_type", "x.y"}},
                     Object{{"event_id", "a"}, {"event_type", "x.z"}}}),
              ElementsAre("EVT-ENV-ID@1"));
}

TEST(LogRules, WantARisingSeq) {
  const auto at = [](int seq) { return Value(Object{{"event_type", "x.y"}, {"seq", seq}}); };
  EXPECT_THAT(found({at(1), at(2), at(5)}), IsEmpty());
  EXPECT_THAT(found({at(1), at(1), at(3), at(2)}), ElementsAre("EVT-ENV-SEQ@1", "EVT-ENV-SEQ@3"));
}

TEST(LogRules, WantEachTypeFromItsPlane) {
  const auto from = [](std::string_view type, std::string_view source) {
    return Value(Object{{"event_type", type}, {"source", source}});
  };
  EXPECT_THAT(found({from("next.evaluated", "worker"), from("task.started", "server"),
                     from("result.stored", "server"), from("result.stored", "worker"),
                     from("next.evaluated", "server"), from("task.started", "worker"),
                     from("my.own", "worker"), from("playbook.initialized", "worker")}),
              ElementsAre("EVT-EMIT-SERVER@0", "EVT-EMIT-WORKER@1"));
}

TEST(LogRules, WantStepRunsScheduledBeforeTheyDoAnything) {
  EXPECT_THAT(found({step("step.started")}), ElementsAre("EVT-EMIT-NOSTART@0"));
  EXPECT_THAT(found({step("step.done")}), ElementsAre("EVT-EMIT-NOSTART@0"));
  EXPECT_THAT(found({step("step.failed")}), ElementsAre("EVT-EMIT-NOSTART@0"));
  EXPECT_THAT(found({step("task.started")}), ElementsAre("EVT-EMIT-NOSTART@0"));
  EXPECT_THAT(found({step("step.scheduled", "r1"), step("step.started", "r2")}),
              ElementsAre("EVT-EMIT-NOSTART@1"));
}

TEST(LogRules, WantStepRunsScheduledOnce) {
  EXPECT_THAT(found({step("step.scheduled"), step("step.scheduled")}),
              ElementsAre("EVT-STEP-SCHED@1"));
  EXPECT_THAT(found({step("step.scheduled", "r1"), step("step.scheduled", "r2")}), IsEmpty());
}

TEST(LogRules, WantOneStartAndOneOutcomeOfAStepRun) {
  EXPECT_THAT(found({step("step.scheduled"), step("step.started"), step("step.started")}),
              ElementsAre("EVT-TAX-STEP@2"));
  EXPECT_THAT(found({step("step.scheduled"), step("step.done"), step("step.failed")}),
              ElementsAre("EVT-TAX-STEP@2"));
  EXPECT_THAT(found({step("step.scheduled"), step("step.done"), step("step.started")}),
              ElementsAre("EVT-TAX-STEP@2"));
}

TEST(LogRules, JudgeNoRunThatIsNotNamed) {
  const Value done = Object{{"event_type", "step.done"}, {"entity_id", "fetch"}};
  const Value task_done = Object{{"event_type", "task.done"}, {"entity_id", "get"}};
  EXPECT_THAT(found({done, done, task_done, task_done}), IsEmpty());
}

TEST(LogRules, WantAttemptsNumberedFromOne) {
  EXPECT_THAT(found({attempt("task.attempt.started", 2)}), ElementsAre("EVT-COR-ATTEMPT@0"));
  EXPECT_THAT(found({attempt("task.attempt.failed", 1), attempt("task.attempt.failed", 3)}),
              ElementsAre("EVT-COR-ATTEMPT@1"));
  EXPECT_THAT(found({attempt("task.attempt.failed", 1), attempt("task.attempt.started", 1)}),
              ElementsAre("EVT-COR-ATTEMPT@1"));
  EXPECT_THAT(found({attempt("task.attempt.started", 1), attempt("task.attempt.done", 2)}),
              ElementsAre("EVT-COR-ATTEMPT@1"));
  EXPECT_THAT(found({attempt("task.attempt.failed", 1), attempt("task.attempt.done", 2)}),
              IsEmpty());
}

TEST(LogRules, WantOneAttemptAtATimeInOneTaskRun) {
  EXPECT_THAT(found({attempt("task.attempt.started", 1), attempt("task.attempt.started", 2)}),
              ElementsAre("EVT-TASK-RETRY@1"));
  EXPECT_THAT(found({task("task.started"), task("task.started")}), ElementsAre("EVT-TASK-RETRY@1"));
  EXPECT_THAT(found({task("task.started", "t1"), task("task.started", "t2")}), IsEmpty());
}

TEST(LogRules, WantOneFinalOutcomeOfATaskRun) {
  EXPECT_THAT(found({task("task.done"), task("task.done")}), ElementsAre("EVT-TASK-FINAL@1"));
  EXPECT_THAT(found({task("task.done"), task("task.failed")}), ElementsAre("EVT-TASK-FINAL@1"));
  EXPECT_THAT(found({task("task.failed"), task("task.started")}), ElementsAre("EVT-TASK-FINAL@1"));
  EXPECT_THAT(found({task("task.done"), attempt("task.attempt.started", 1)}),
              ElementsAre("EVT-TASK-FINAL@1"));
  EXPECT_THAT(found({task("task.done"), attempt("task.attempt.failed", 1)}),
              ElementsAre("EVT-TASK-FINAL@1"));
  EXPECT_THAT(found({attempt("task.attempt.started", 1), task("task.done")}),
              ElementsAre("EVT-TASK-FINAL@1"));
  EXPECT_THAT(found({task("task.done", "t1"), task("task.failed", "t2")}), IsEmpty());
}

TEST(LogRules, WantIterationsScheduledStartedThenEnded) {
  const Value started = loop("loop.started");
  const Value scheduled = iteration("loop.iteration.scheduled", 0);
  const Value begun = iteration("loop.iteration.started", 0);
  const Value done = iteration("loop.iteration.done", 0);
  EXPECT_THAT(found({started, begun}), ElementsAre("EVT-LOOP-ORDER@1"));
  EXPECT_THAT(found({started, done}), ElementsAre("EVT-LOOP-ORDER@1"));
  EXPECT_THAT(found({started, scheduled, done}), ElementsAre("EVT-LOOP-ORDER@2"));
  EXPECT_THAT(found({started, scheduled, scheduled}), ElementsAre("EVT-LOOP-ORDER@2"));
  EXPECT_THAT(found({started, scheduled, begun, begun}), ElementsAre("EVT-LOOP-ORDER@3"));
  EXPECT_THAT(found({started, scheduled, begun, done, done}), ElementsAre("EVT-LOOP-ORDER@4"));
  EXPECT_THAT(found({started, scheduled, begun, done, begun}), ElementsAre("EVT-LOOP-ORDER@4"));
}

TEST(LogRules, WantLoopDoneAfterItsIterations) {
  const Value scheduled = iteration("loop.iteration.scheduled", 0);
  EXPECT_THAT(found({loop("loop.started"), loop("loop.done")}), IsEmpty());
  EXPECT_THAT(found({loop("loop.started"), scheduled, loop("loop.done")}),
              ElementsAre("EVT-LOOP-ORDER@2"));
  EXPECT_THAT(found({loop("loop.started"), loop("loop.done"), loop("loop.done")}),
              ElementsAre("EVT-LOOP-ORDER@2"));
  EXPECT_THAT(found({loop("loop.started"), loop("loop.done"), scheduled}),
              ElementsAre("EVT-LOOP-ORDER@2"));
  EXPECT_THAT(found({loop("loop.done")}), ElementsAre("EVT-LOOP-ORDER@0"));
  EXPECT_THAT(found({loop("loop.started"), loop("loop.started")}), ElementsAre("EVT-LOOP-ORDER@1"));
  EXPECT_THAT(found({scheduled}), ElementsAre("EVT-LOOP-ORDER@0"));
}

TEST(LogRules, TellLoopsApartByTheirStepRun) {
  const auto in_run = [](std::string_view type, std::string_view run) {
    return Value(Object{{"event_type", type}, {"step_run_id", run}, {"iteration", 0}});
  };
  EXPECT_THAT(found({step("step.scheduled", "r1"), in_run("loop.started", "r1"),
                     in_run("loop.iteration.scheduled", "r1"), step("step.scheduled", "r2"),
                     in_run("loop.started", "r2"), in_run("loop.done", "r2")}),
              IsEmpty());
}

TEST(LogRules, TakeAnyJson) {
  EXPECT_THAT(found({Value(), Value(1), List{}, Object{{"event_type", 1}}, Object{{"seq", "x"}}}),
              IsEmpty());
}

}  // namespace
}  // namespace assay::events
