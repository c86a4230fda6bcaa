#include "harness/check/step_runs.h"

#include <gtest/gtest.h>

namespace assay::check {
namespace {

Value event(const char* type, const char* run, const char* step = "a") {
  return Object{{"event_type", type}, {"step_run_id", run}, {"entity_id", step}};
}

Value iteration(const char* type, int number) {
  return Object{{"event_type", type}, {"step_run_id", "r1"}, {"iteration", number}};
}

using Names = std::vector<std::string>;

TEST(StepRuns, AreOpenFromSchedulingToOutcome) {
  List log = {event("step.scheduled", "r1"), event("step.scheduled", "r2", "b"),
              event("step.scheduled", "r3")};
  EXPECT_EQ(scheduled_steps(log), (Names{"a", "a", "b"}));
  log.push_back(event("step.started", "r1"));
  EXPECT_EQ(scheduled_steps(log), (Names{"a", "a", "b"}));
  log.push_back(event("step.done", "r1"));
  log.push_back(event("step.failed", "r2"));
  EXPECT_EQ(scheduled_steps(log), Names{"a"});
}

TEST(StepRuns, AnOutcomeOfARunNeverScheduledIsNone) {
  EXPECT_TRUE(step_runs_of({event("step.done", "r1")}).empty());
}

TEST(StepRuns, NothingIsOpenOnceTheExecutionIsClosed) {
  const List open = {event("step.scheduled", "r1"),
                     Object{{"event_type", "playbook.finished"}, {"status", "paused"}}};
  EXPECT_EQ(scheduled_steps(open), Names{"a"});
  for (const char* type : {"execution.cancelled", "playbook.completed", "playbook.failed"}) {
    List closed = open;
    closed.push_back(Object{{"event_type", type}});
    EXPECT_EQ(scheduled_steps(closed), Names{}) << type;
  }
}

TEST(StepRuns, ALoopIsOpenUntilItsEnd) {
  List log = {event("step.scheduled", "r1"), event("loop.started", "r1"),
              iteration("loop.iteration.scheduled", 0), iteration("loop.iteration.scheduled", 1),
              iteration("loop.iteration.failed", 0)};
  ASSERT_EQ(step_runs_of(log).size(), 1U);
  EXPECT_TRUE(step_runs_of(log)[0].is_loop);
  EXPECT_EQ(step_runs_of(log)[0].open_iterations, std::vector<std::int64_t>{1});
  EXPECT_EQ(scheduled_steps(log), Names{"a"});
  log.push_back(event("loop.done", "r1"));
  EXPECT_EQ(scheduled_steps(log), Names{});
}

TEST(RunToPlay, TakesTheFirstOpenRunThatNobodyStarted) {
  List log = {event("step.scheduled", "r1"), event("step.scheduled", "r2"),
              event("step.started", "r1")};
  EXPECT_EQ(run_to_play(log, "a", false)->id, "r2");
  EXPECT_EQ(run_to_play(log, "a", true)->id, "r1");
  log.push_back(event("step.started", "r2"));
  EXPECT_EQ(run_to_play(log, "a", false)->id, "r1");
  EXPECT_EQ(run_to_play(log, "b", false), std::nullopt);
}

TEST(RunToPlay, OnlyALateEndGoesToARunThatIsOver) {
  const List log = {event("step.scheduled", "r1"), event("step.done", "r1")};
  EXPECT_EQ(run_to_play(log, "a", false), std::nullopt);
  EXPECT_EQ(run_to_play(log, "a", true)->id, "r1");
}

}  // namespace
}  // namespace assay::check
