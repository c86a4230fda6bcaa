#include <gtest/gtest.h>

#include "reference_impl/model/lifecycle/engine_bench.h"

namespace assay::lifecycle {
namespace {

/// Brings u1 to RUNNING on d1 and lets u2 ask for d1 too.
void contend(EngineBench& bench) {
  for (const char* uuid : {"u1", "u2"}) bench.start(uuid, {step("pure", {"d1"})});
  bench.finish_next();
  bench.finish_next();
}

TEST(Policy, DiscoveryCanEndWithTheFirstResult) {
  EngineBench bench({.discovery = Discovery::first_result});
  bench.start("u", {step("pure", {"d1"}), step("pure", {"d2"})});
  bench.finish_next();
  EXPECT_EQ(bench.state("u"), "RUNNING");
  bench.finish_next();
  EXPECT_EQ(bench.path("u"), path_to_running);
}

TEST(Policy, LocksCanBeShared) {
  EngineBench bench({.locks = {.sharing = LockTable::Sharing::shared}});
  contend(bench);
  EXPECT_EQ(bench.state("u1"), "RUNNING");
  EXPECT_EQ(bench.state("u2"), "RUNNING");
}

TEST(Policy, SaysWhoGivesLocksBack) {
  EngineBench after_completion({.locks = {.releases = [](Ending ending, std::size_t) {
                                  return ending != Ending::completion;
                                }}});
  contend(after_completion);
  after_completion.finish_next();
  EXPECT_EQ(after_completion.state("u1"), "COMPLETED");
  EXPECT_EQ(after_completion.state("u2"), "SCHEDULED");

  EngineBench after_failure({.locks = {.releases = [](Ending ending, std::size_t) {
                               return ending != Ending::failure;
                             }}});
  contend(after_failure);
  after_failure.finish_next(false);
  EXPECT_EQ(after_failure.state("u1"), "FAILED_SAFE");
  EXPECT_EQ(after_failure.state("u2"), "SCHEDULED");

  EngineBench after_abort(
      {.locks = {.releases = [](Ending ending, std::size_t) { return ending != Ending::abort; }}});
  contend(after_abort);
  after_abort.engine.abort("u1", after_abort.now);
  EXPECT_EQ(after_abort.state("u1"), "FAILED_SAFE");
  EXPECT_EQ(after_abort.state("u2"), "SCHEDULED");
}

TEST(Policy, IsToldHowManyStepsWereExecuted) {
  const Policy one_step_releases{
      .locks = {.releases = [](Ending, std::size_t executed_steps) { return executed_steps < 2; }}};
  EngineBench one_step(one_step_releases);
  contend(one_step);
  one_step.finish_next();
  EXPECT_EQ(one_step.state("u2"), "RUNNING");

  EngineBench two_steps(one_step_releases);
  two_steps.start("u1", {step("pure", {"d1"}), step("pure")});
  two_steps.start("u2", {step("pure", {"d1"})});
  for (int job = 0; job < 4; ++job) two_steps.finish_next();
  EXPECT_EQ(two_steps.state("u1"), "COMPLETED");
  EXPECT_EQ(two_steps.state("u2"), "SCHEDULED");
}

TEST(Policy, StepsThatArePassedOverCanTaint) {
  EngineBench bench({.taint = Taint::reached_steps});
  bench.start("u", {step("impure", {}, false), step("pure")});
  bench.finish_next(false);
  EXPECT_EQ(bench.state("u"), "FAILED_UNSAFE");
}

}  // namespace
}  // namespace assay::lifecycle
