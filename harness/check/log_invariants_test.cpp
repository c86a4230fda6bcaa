#include "harness/check/log_invariants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/log_clauses.h"

namespace assay::check {
namespace {

/// Builds a log whose envelopes are in order, so that a test shows only what it breaks.
class Log {
 public:
  Log& add(const std::string& type, Object more = {}) {
    const auto number = static_cast<std::int64_t>(events_.size()) + 1;
    Object event = {{"event_id", "e" + std::to_string(number)},
                    {"event_type", type},
                    {"timestamp", "2026-01-01T00:00:00Z"},
                    {"execution_id", "x"},
                    {"seq", number}};
    for (auto& [name, value] : more) event.insert_or_assign(name, std::move(value));
    events_.emplace_back(std::move(event));
    return *this;
  }

  Log& opening() {
    return add("playbook.execution.requested")
        .add("playbook.request.evaluated")
        .add("playbook.started")
        .add("workflow.started");
  }

  Log& step(const std::string& type, const std::string& run) {
    return add(type, {{"step_run_id", run}, {"entity_id", "a"}});
  }

  /// The clauses that the log breaks, in order.
  [[nodiscard]] std::vector<std::string> broken(LogScope scope = LogScope::driven) const {
    std::vector<std::string> clauses;
    for (const Violation& violation : check_log(events_, scope)) {
      EXPECT_NE(core::find_log_clause(violation.clause), nullptr) << violation.clause;
      clauses.push_back(violation.clause);
    }
    return clauses;
  }

  List events_;
};

using Clauses = std::vector<std::string>;

Object routing(List matched, List selected, const char* mode = "exclusive") {
  return {
      {"entity_id", "a"},
      {"payload",
       Object{{"mode", mode}, {"matched", std::move(matched)}, {"selected", std::move(selected)}}}};
}

Value arc(const char* step) { return Object{{"step", step}}; }

Log whole_run() {
  Log log;
  log.opening().step("step.scheduled", "r1").step("step.started", "r1");
  log.add("task.started", {{"task_run_id", "t"}})
      .add("task.attempt.started", {{"task_run_id", "t"}, {"attempt", 1}})
      .add("task.attempt.failed", {{"task_run_id", "t"}, {"attempt", 1}})
      .add("task.attempt.started", {{"task_run_id", "t"}, {"attempt", 2}})
      .add("task.attempt.done", {{"task_run_id", "t"}, {"attempt", 2}})
      .add("task.done", {{"task_run_id", "t"}});
  log.step("step.done", "r1")
      .add("next.evaluated", routing({arc("b")}, {arc("b")}))
      .step("step.scheduled", "r2")
      .add("loop.started", {{"step_run_id", "r2"}})
      .add("loop.iteration.scheduled", {{"step_run_id", "r2"}, {"iteration", 0}})
      .add("loop.iteration.started", {{"step_run_id", "r2"}, {"iteration", 0}})
      .add("loop.iteration.done", {{"step_run_id", "r2"}, {"iteration", 0}})
      .add("loop.done", {{"step_run_id", "r2"}})
      .add("workflow.finished")
      .add("playbook.finished", {{"status", "success"}})
      .add("playbook.processed");
  return log;
}

TEST(LogInvariants, AWholeRunKeepsThemAll) { EXPECT_EQ(whole_run().broken(), Clauses{}); }

TEST(LogInvariants, EveryPrefixOfARunKeepsThemToo) {
  Log log = whole_run();
  while (!log.events_.empty()) {
    log.events_.pop_back();
    EXPECT_EQ(log.broken(), Clauses{}) << log.events_.size() << " events";
  }
}

TEST(LogInvariants, EnvelopesHaveTheirMembers) {
  const auto broken_by = [](const char* member, Value value) {
    return Log().add("x.y", {{member, std::move(value)}}).broken(LogScope::replay);
  };
  EXPECT_EQ(broken_by("event_id", nullptr), Clauses{"EVT-ENV-ID"});
  EXPECT_EQ(broken_by("execution_id", 7), Clauses{"EVT-ENV-EXEC"});
  EXPECT_EQ(broken_by("event_type", nullptr), Clauses{"EVT-ENV-TYPE"});
  EXPECT_EQ(broken_by("event_type", "Step.done"), Clauses{"EVT-NAME-LOWER"});
  EXPECT_EQ(broken_by("event_type", "step"), Clauses{"EVT-NAME-SHAPE"});
  EXPECT_EQ(broken_by("event_type", "a.b.c.d"), Clauses{"EVT-NAME-SHAPE"});
  EXPECT_EQ(broken_by("event_type", "a..b"), Clauses{"EVT-NAME-SHAPE"});
  EXPECT_EQ(broken_by("timestamp", "2026-01-01T01:00:00+01:00"), Clauses{"EVT-ENV-TIME"});
  EXPECT_EQ(broken_by("source", "client"), Clauses{"EVT-ENV-SOURCE"});
  EXPECT_EQ(broken_by("entity_type", "case"), Clauses{"EVT-ENV-ENTITY"});
  EXPECT_EQ(broken_by("attempt", 0), Clauses{"EVT-COR-ATTEMPT"});
  EXPECT_EQ(broken_by("iteration", -1), Clauses{"EVT-COR-ITER"});
  EXPECT_EQ(broken_by("duration_ms", "5"), Clauses{"EVT-COR-DURATION"});
  Log log;
  log.events_.emplace_back(7);
  EXPECT_EQ(log.broken(), Clauses{"EVT-ENV-TYPE"});
}

TEST(LogInvariants, NumbersCountFromOneWithoutAGap) {
  EXPECT_EQ(Log().add("x.y", {{"seq", 2}}).broken(), Clauses{"API-SEQ"});
  EXPECT_EQ(Log().add("x.y").add("x.y", {{"seq", 1}}).broken(), Clauses{"EVT-ENV-SEQ"});
  EXPECT_EQ(Log().add("x.y", {{"seq", "1"}}).broken(), Clauses{"EVT-ENV-SEQ"});
  EXPECT_EQ(Log().add("x.y", {{"seq", nullptr}}).broken(), Clauses{});
}

TEST(LogInvariants, AnEventIsStoredOnceAndInItsOwnExecution) {
  EXPECT_EQ(Log().add("x.y").add("x.y", {{"event_id", "e1"}}).broken(), Clauses{"EVT-IDEM-1"});
  EXPECT_EQ(Log().add("x.y").add("x.y", {{"execution_id", "z"}}).broken(), Clauses{"EVT-ENV-EXEC"});
}

TEST(LogInvariants, EachPlaneEmitsItsOwnEvents) {
  EXPECT_EQ(Log().add("playbook.paused", {{"source", "worker"}}).broken(),
            Clauses{"EVT-TAX-PLAYBOOK"});
  EXPECT_EQ(Log().add("task.done", {{"source", "server"}}).broken(), Clauses{"EVT-TAX-TASK"});
  EXPECT_EQ(Log().add("task.done", {{"source", "server"}}).broken(LogScope::replay), Clauses{});
}

TEST(LogInvariants, AStepRunExistsOnlyOnceScheduledAndOnce) {
  EXPECT_EQ(Log().opening().step("step.started", "r").broken(), Clauses{"EVT-EMIT-NOSTART"});
  EXPECT_EQ(Log().opening().add("step.started").broken(), Clauses{"EVT-EMIT-NOSTART"});
  EXPECT_EQ(Log().opening().step("step.scheduled", "r").step("step.scheduled", "r").broken(),
            Clauses{"EVT-STEP-SCHED"});
  EXPECT_EQ(Log().opening().step("step.started", "r").broken(LogScope::replay), Clauses{});
}

TEST(LogInvariants, AttemptsAreConsecutiveAndOneOutcomeEndsThem) {
  const auto attempt = [](int number) { return Object{{"task_run_id", "t"}, {"attempt", number}}; };
  EXPECT_EQ(Log().add("task.attempt.started", attempt(2)).broken(), Clauses{"EVT-TASK-RETRY"});
  EXPECT_EQ(Log()
                .add("task.attempt.started", attempt(1))
                .add("task.attempt.started", attempt(3))
                .broken(),
            Clauses{"EVT-TASK-RETRY"});
  EXPECT_EQ(Log().add("task.done", attempt(1)).add("task.failed", attempt(1)).broken(),
            Clauses{"EVT-TASK-FINAL"});
}

TEST(LogInvariants, ALoopKeepsItsOrder) {
  const Object zero = {{"step_run_id", "r"}, {"iteration", 0}};
  const Object loop = {{"step_run_id", "r"}};
  const Clauses broken = {"EVT-LOOP-ORDER"};
  EXPECT_EQ(Log().add("loop.iteration.scheduled", zero).broken(), broken);
  EXPECT_EQ(Log().add("loop.started", loop).add("loop.iteration.started", zero).broken(), broken);
  Log log;
  log.add("loop.started", loop).add("loop.iteration.scheduled", zero);
  EXPECT_EQ(Log(log).add("loop.done", loop).broken(), broken);
  EXPECT_EQ(Log(log).add("loop.iteration.done", zero).broken(), broken);
  EXPECT_EQ(Log(log).add("loop.iteration.scheduled", zero).broken(), broken);
  log.add("loop.iteration.started", zero).add("loop.iteration.failed", zero);
  EXPECT_EQ(Log(log).add("loop.iteration.done", zero).broken(), broken);
  log.add("loop.done", loop);
  EXPECT_EQ(log.broken(), Clauses{});
  EXPECT_EQ(Log(log).add("loop.done", loop).broken(), broken);
}

TEST(LogInvariants, ACompletionComesOnceAndOnlyFromAQuietNet) {
  const Object success = {{"status", "success"}};
  EXPECT_EQ(Log().add("playbook.completed").add("execution.cancelled").broken(),
            Clauses{"STM-ONCE-1"});
  EXPECT_EQ(Log().add("playbook.completed").add("execution.cancelled").broken(LogScope::replay),
            Clauses{});
  EXPECT_EQ(Log().opening().step("step.scheduled", "r").add("playbook.finished", success).broken(),
            Clauses{"RTE-QUIET-INFLIGHT"});
  EXPECT_EQ(Log().opening().add("playbook.finished", success).step("step.scheduled", "r").broken(),
            Clauses{"STM-EXEC-R1"});
  // A status that closes nothing closes nothing.
  EXPECT_EQ(Log()
                .add("playbook.finished", {{"status", "paused"}})
                .add("playbook.finished", success)
                .broken(),
            Clauses{});
}

TEST(LogInvariants, TheServersEventsHaveTheirOrder) {
  EXPECT_EQ(Log().add("playbook.started").broken(), Clauses{"EVT-EMIT-SERVER"});
  EXPECT_EQ(Log().add("playbook.processed").broken(), Clauses{"EVT-EMIT-SERVER"});
  EXPECT_EQ(Log().opening().add("workflow.started").broken(), Clauses{"STM-ONCE-1"});
}

TEST(LogInvariants, RoutingFollowsAnOutcomeAndFiresWhatMatched) {
  Log log;
  log.opening().step("step.scheduled", "r");
  EXPECT_EQ(Log(log).add("next.evaluated", routing({}, {})).broken(), Clauses{"RTE-ROUTE-WHEN"});
  log.step("step.failed", "r");
  EXPECT_EQ(Log(log).add("next.evaluated", routing({}, {})).broken(), Clauses{});
  EXPECT_EQ(Log(log).add("next.evaluated", routing({arc("b")}, {arc("c")})).broken(),
            Clauses{"EVT-POL-NEXT"});
  const List two = {arc("b"), arc("c")};
  EXPECT_EQ(Log(log).add("next.evaluated", routing(two, two)).broken(), Clauses{"RTE-MODE-EXCL"});
  EXPECT_EQ(Log(log).add("next.evaluated", routing(two, two, "inclusive")).broken(), Clauses{});
  EXPECT_EQ(Log(log).add("next.evaluated", {{"entity_id", "a"}}).broken(), Clauses{"EVT-POL-NEXT"});
}

TEST(LogInvariants, AViolationNamesItsEvent) {
  Log log;
  log.add("x.y").add("x.y", {{"event_id", "e1"}});
  const auto violations = check_log(log.events_);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].index, 1U);
  EXPECT_EQ(violations[0].message, "event 2 (x.y) has the event_id of event 1");
}

}  // namespace
}  // namespace assay::check
