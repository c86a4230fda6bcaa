#include <gtest/gtest.h>

#include "reference_impl/model/lifecycle/engine_bench.h"

namespace assay::lifecycle {
namespace {

/// One step by its letter: p pure, i impure; upper case: the same, but skipped.
StepDefinition step_of(char letter) {
  const bool pure = letter == 'p' || letter == 'P';
  const bool skipped = letter == 'P' || letter == 'I';
  return step(pure ? "pure" : "impure", {}, skipped ? std::optional<Value>(false) : std::nullopt);
}

/// Runs the steps, lets the executed one of that number (from 0) fail, and gives the outcome.
std::string outcome_of(const std::string& letters, int failing) {
  EngineBench bench;
  std::vector<StepDefinition> steps;
  for (const char letter : letters) steps.push_back(step_of(letter));
  bench.start("u", std::move(steps));
  for (int executed = 0; executed < failing; ++executed) bench.finish_next();
  bench.finish_next(false);
  return bench.state("u");
}

TEST(Purity, AFailureIsSafeWhileAllExecutedStepsArePure) {
  for (int failing = 0; failing < 3; ++failing)
    EXPECT_EQ(outcome_of("ppp", failing), "FAILED_SAFE");
}

TEST(Purity, AStepThatNeverRanTaintsNothing) {
  EXPECT_EQ(outcome_of("pii", 0), "FAILED_SAFE");
  EXPECT_EQ(outcome_of("ppi", 1), "FAILED_SAFE");
}

TEST(Purity, TheFailingStepCountsAsExecuted) {
  EXPECT_EQ(outcome_of("ipp", 0), "FAILED_UNSAFE");
  EXPECT_EQ(outcome_of("pip", 1), "FAILED_UNSAFE");
  EXPECT_EQ(outcome_of("ppi", 2), "FAILED_UNSAFE");
}

TEST(Purity, AnImpureStepTaintsLaterFailures) {
  EXPECT_EQ(outcome_of("ipp", 1), "FAILED_UNSAFE");
  EXPECT_EQ(outcome_of("ipp", 2), "FAILED_UNSAFE");
  EXPECT_EQ(outcome_of("pip", 2), "FAILED_UNSAFE");
}

TEST(Purity, ASkippedImpureStepTaintsNothing) {
  EXPECT_EQ(outcome_of("Ipp", 0), "FAILED_SAFE");
  EXPECT_EQ(outcome_of("pIp", 1), "FAILED_SAFE");
  EXPECT_EQ(outcome_of("pIpI", 1), "FAILED_SAFE");
  EXPECT_EQ(outcome_of("IiP", 0), "FAILED_UNSAFE");
}

TEST(Purity, IsShownFromTheMomentAWorkerHasTheStep) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("pure"), step("impure")});
  bench.finish_next();
  EXPECT_TRUE(execution.is_pure);
  bench.poll();
  EXPECT_FALSE(execution.is_pure);
}

TEST(Purity, ARollbackUndoesTheExecutedStepsInReverseOrder) {
  EngineBench bench;
  bench.terms.rollback = true;
  const Execution& execution = bench.start(
      "u", {step("undoable"), step("undoable", {}, false), step("pure"), step("undoable")});
  bench.finish_next();
  bench.finish_next();
  bench.finish_next(false);
  EXPECT_EQ(bench.state("u"), "ROLLBACK");
  EXPECT_EQ(execution.outcome, std::nullopt);
  std::string labels;
  while (bench.state("u") == "ROLLBACK") {
    const std::string job = bench.poll();
    labels += bench.engine.find_job(job)->label;
    bench.push(job);
  }
  EXPECT_EQ(labels, "da");
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR ROLLBACK FAILED_SAFE");
  EXPECT_EQ(execution.reason, "step d failed");
}

TEST(Purity, APolicyCanUndoTheOldestStepFirst) {
  EngineBench bench({.undo_order = UndoOrder::oldest_first});
  bench.terms.rollback = true;
  bench.start("u", {step("undoable"), step("undoable")});
  bench.finish_next();
  bench.finish_next(false);
  const std::string first = bench.poll();
  EXPECT_EQ(bench.engine.find_job(first)->label, "a");
  bench.push(first);
  EXPECT_EQ(bench.engine.find_job(bench.poll())->label, "b");
}

TEST(Purity, AFailedRollbackIsUnsafe) {
  EngineBench bench;
  bench.terms.rollback = true;
  const Execution& execution = bench.start("u", {step("undoable")});
  bench.finish_next(false);
  bench.finish_next(false);
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR ROLLBACK FAILED_UNSAFE");
  EXPECT_EQ(execution.reason, "step a failed; the rollback of step a failed");
}

TEST(Purity, APureFailureNeedsNoRollback) {
  EngineBench bench;
  bench.terms.rollback = true;
  bench.start("u", {step("pure")});
  bench.finish_next(false);
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR FAILED_SAFE");
}

TEST(Purity, WhatCannotBeUndoneIsNotRolledBack) {
  EngineBench bench;
  bench.terms.rollback = true;
  bench.start("u", {step("impure"), step("undoable")});
  bench.finish_next();
  bench.finish_next(false);
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR FAILED_UNSAFE");
  EXPECT_EQ(bench.poll(), "");
}

TEST(Purity, ARollbackThatIsStuckIsUnsafeAndKeepsItsLocksUntilThen) {
  EngineBench bench;
  bench.terms.rollback = true;
  bench.start_locking("u", {"d1"}, "undoable");
  bench.finish_next(false);
  ASSERT_EQ(bench.state("u"), "ROLLBACK");
  EXPECT_EQ(bench.engine.lock_holder("d1")->uuid, "u");
  bench.poll();
  bench.engine.advance_to(bench.now + std::chrono::minutes(12));
  EXPECT_EQ(bench.state("u"), "FAILED_UNSAFE");
  EXPECT_EQ(bench.engine.lock_holder("d1"), nullptr);
}

}  // namespace
}  // namespace assay::lifecycle
