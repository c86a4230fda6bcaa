#include <gtest/gtest.h>

#include "reference_impl/model/lifecycle/engine_bench.h"

namespace assay::lifecycle {
namespace {

TEST(Abort, InBlockedWaitingIsSafe) {
  EngineBench bench;
  bench.terms.await = {"approved"};
  bench.start("u", {step("impure")});
  bench.engine.abort("u", bench.now);
  EXPECT_EQ(bench.path("u"), "NEW VALID BLOCKED_WAITING FAILED_SAFE");
  EXPECT_EQ(bench.engine.meet("u", {"approved"}, bench.now), Meeting::not_waiting);
}

TEST(Abort, InDiscoveryIsSafeAndWithdrawsTheJobs) {
  EngineBench bench;
  const Execution& execution = bench.start("u", {step("impure", {"d1"}), step("impure", {"d2"})});
  const std::string polled = bench.poll();
  bench.engine.abort("u", bench.now);
  EXPECT_EQ(bench.path("u"), "NEW VALID READY RESOURCE_DISCOVERY FAILED_SAFE");
  EXPECT_EQ(execution.reason, "aborted");
  EXPECT_EQ(bench.poll(), "");
  EXPECT_EQ(bench.push(polled), PushOutcome::accepted);
  EXPECT_EQ(bench.push("j2"), PushOutcome::not_polled);
  EXPECT_EQ(execution.jobs_total, 2U);
  EXPECT_EQ(execution.jobs_completed, 0U);
  EXPECT_TRUE(execution.entities.empty());
}

TEST(Abort, WhileScheduledIsSafeAndLeavesTheQueue) {
  EngineBench bench;
  bench.start_locking("u1", {"d1"});
  bench.start_locking("u2", {"d1"});
  // The finished ACQUIRE job of u2 came after u1's EXECUTE job, which is still there to do.
  bench.finish_next();
  ASSERT_EQ(bench.state("u1"), "COMPLETED");
  ASSERT_EQ(bench.state("u2"), "RUNNING");
  bench.start("u3", {step("pure", {"d1"})});
  bench.start("u4", {step("pure", {"d1"})});
  const std::string running = bench.poll();
  bench.finish_next();
  bench.finish_next();
  ASSERT_EQ(bench.state("u3"), "SCHEDULED");
  bench.engine.abort("u3", bench.now);
  EXPECT_EQ(bench.path("u3"),
            "NEW VALID READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED SCHEDULED FAILED_SAFE");
  bench.push(running);
  EXPECT_EQ(bench.state("u4"), "RUNNING");
  EXPECT_EQ(bench.state("u3"), "FAILED_SAFE");
}

TEST(Abort, WhileRunningGoesByErrorAndReleasesTheLocks) {
  EngineBench bench;
  bench.start("u1", {step("impure", {"d1"})});
  bench.start("u2", {step("pure", {"d1"})});
  bench.finish_next();
  bench.finish_next();
  ASSERT_EQ(bench.state("u2"), "SCHEDULED");
  bench.engine.abort("u1", bench.now);
  EXPECT_EQ(bench.path("u1"), std::string(path_to_running) + " ERROR FAILED_SAFE");
  EXPECT_EQ(bench.path("u2"), path_to_running);
  EXPECT_EQ(bench.engine.lock_holder("d1")->uuid, "u2");
}

TEST(Abort, APolledJobCountsAsExecuted) {
  EngineBench bench;
  bench.start("u", {step("impure")});
  bench.poll();
  bench.engine.abort("u", bench.now);
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR FAILED_UNSAFE");
}

TEST(Abort, AnExecutedImpureStepMakesItUnsafe) {
  EngineBench bench;
  bench.start("u", {step("impure"), step("pure")});
  bench.finish_next();
  bench.engine.abort("u", bench.now);
  EXPECT_EQ(bench.state("u"), "FAILED_UNSAFE");
}

TEST(Abort, DuringARollbackIsUnsafe) {
  EngineBench bench;
  bench.terms.rollback = true;
  bench.start("u", {step("undoable")});
  bench.finish_next(false);
  ASSERT_EQ(bench.state("u"), "ROLLBACK");
  bench.engine.abort("u", bench.now);
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " ERROR ROLLBACK FAILED_UNSAFE");
  EXPECT_EQ(bench.poll(), "");
}

TEST(Abort, AfterTheEndChangesNothing) {
  EngineBench bench;
  bench.start("u", {step("pure")});
  bench.finish_next();
  ASSERT_NE(bench.engine.abort("u", bench.now), nullptr);
  EXPECT_EQ(bench.path("u"), std::string(path_to_running) + " COMPLETED");
  bench.engine.acknowledge("u", bench.now);
  bench.engine.abort("u", bench.now);
  EXPECT_EQ(bench.state("u"), "COMPLETED_ACK");
  EXPECT_EQ(bench.engine.abort("nobody", bench.now), nullptr);
}

TEST(Abort, ALateResultIsTakenWithoutEffect) {
  for (const bool success : {true, false}) {
    EngineBench bench;
    const Execution& execution = bench.start("u", {step("pure"), step("pure")});
    const std::string job = bench.poll();
    bench.engine.abort("u", bench.now);
    const std::string path = bench.path("u");
    EXPECT_EQ(bench.push(job, success, {.data = 1}), PushOutcome::accepted);
    EXPECT_EQ(bench.path("u"), path);
    EXPECT_EQ(execution.outcome, State::failed_safe);
    EXPECT_EQ(execution.jobs_completed, 0U);
    EXPECT_EQ(bench.push(job, success), PushOutcome::not_polled);
    EXPECT_EQ(bench.poll(), "");
  }
}

TEST(Abort, AJobThatWasPolledStillGetsStuckWithoutEffect) {
  EngineBench bench;
  bench.start("u", {step("pure")});
  const std::string job = bench.poll();
  bench.engine.abort("u", bench.now);
  const std::string path = bench.path("u");
  bench.engine.advance_to(bench.now + std::chrono::minutes(12));
  EXPECT_EQ(bench.path("u"), path);
  EXPECT_EQ(bench.engine.find_job(job)->state, JobState::pushed);
}

}  // namespace
}  // namespace assay::lifecycle
