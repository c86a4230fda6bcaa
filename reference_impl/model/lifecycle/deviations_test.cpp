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

TEST(LifecycleDeviations, AStateCanBePassedUnseen) {
  EngineBench bench({}, {.omitted_state = State::scheduled});
  bench.start("u", {step("pure")});
  EXPECT_EQ(bench.path("u"),
            "NEW VALID READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED LOCKING LOCKED RUNNING");
}

TEST(LifecycleDeviations, OfSubmissionAndDiscovery) {
  EngineBench accepting({}, {.unknown_block_accepted = true});
  accepting.start("u", {step("missing")});
  EXPECT_EQ(accepting.state("u"), "RUNNING");

  EngineBench without_jobs({}, {.acquire_jobs_missing = true});
  without_jobs.start("u", {step("pure", {"d1"})});
  EXPECT_EQ(without_jobs.state("u"), "RUNNING");

  EngineBench hasty({}, {.discovery_ends_with_first_result = true});
  hasty.start("u", {step("pure", {"d1"}), step("pure", {"d2"})});
  hasty.finish_next();
  EXPECT_EQ(hasty.state("u"), "RUNNING");
  hasty.finish_next();
  EXPECT_EQ(hasty.path("u"), path_to_running);

  EngineBench careless({}, {.failed_acquire_ignored = true});
  careless.start("u", {step("pure", {"d1"})});
  careless.finish_next(false);
  EXPECT_EQ(careless.state("u"), "RUNNING");
}

TEST(LifecycleDeviations, OfLocks) {
  EngineBench shared({}, {.lock_given_to_two = true});
  contend(shared);
  EXPECT_EQ(shared.state("u1"), "RUNNING");
  EXPECT_EQ(shared.state("u2"), "RUNNING");

  EngineBench ignoring({}, {.lock_failure_ignored = true});
  ignoring.engine.set_lock_service_available(false);
  ignoring.start_locking("u", {"d1"});
  EXPECT_EQ(ignoring.state("u"), "RUNNING");

  EngineBench after_completion({}, {.lock_kept_after_completion = true});
  contend(after_completion);
  after_completion.finish_next();
  EXPECT_EQ(after_completion.state("u1"), "COMPLETED");
  EXPECT_EQ(after_completion.state("u2"), "SCHEDULED");

  EngineBench after_one_step({}, {.lock_kept_after_several_steps = true});
  contend(after_one_step);
  after_one_step.finish_next();
  EXPECT_EQ(after_one_step.state("u2"), "RUNNING");
  EngineBench after_two_steps({}, {.lock_kept_after_several_steps = true});
  after_two_steps.start("u1", {step("pure", {"d1"}), step("pure")});
  after_two_steps.start("u2", {step("pure", {"d1"})});
  for (int job = 0; job < 4; ++job) after_two_steps.finish_next();
  EXPECT_EQ(after_two_steps.state("u1"), "COMPLETED");
  EXPECT_EQ(after_two_steps.state("u2"), "SCHEDULED");

  EngineBench after_failure({}, {.lock_kept_after_failure = true});
  contend(after_failure);
  after_failure.finish_next(false);
  EXPECT_EQ(after_failure.state("u1"), "FAILED_SAFE");
  EXPECT_EQ(after_failure.state("u2"), "SCHEDULED");

  EngineBench after_abort({}, {.lock_kept_after_abort = true});
  contend(after_abort);
  after_abort.engine.abort("u1", after_abort.now);
  EXPECT_EQ(after_abort.state("u1"), "FAILED_SAFE");
  EXPECT_EQ(after_abort.state("u2"), "SCHEDULED");
}

/// The state of a one-step execution whose step failed.
std::string failed(const Deviations& deviations, const char* block,
                   const std::vector<StepDefinition>& skipped = {}) {
  EngineBench bench({}, deviations);
  std::vector<StepDefinition> steps = skipped;
  steps.push_back(step(block));
  bench.start("u", steps);
  bench.finish_next(false);
  return bench.state("u");
}

TEST(LifecycleDeviations, OfFailures) {
  EXPECT_EQ(failed({.impure_failure_called_safe = true}, "impure"), "FAILED_SAFE");
  EXPECT_EQ(failed({.impure_failure_called_safe = true}, "pure"), "FAILED_SAFE");
  EXPECT_EQ(failed({.pure_failure_called_unsafe = true}, "pure"), "FAILED_UNSAFE");
  EXPECT_EQ(failed({.pure_failure_called_unsafe = true}, "impure"), "FAILED_UNSAFE");
  EXPECT_EQ(failed({.skipped_impure_step_taints = true}, "pure", {step("impure", {}, false)}),
            "FAILED_UNSAFE");
  EXPECT_EQ(failed({.step_failure_ignored = true}, "impure"), "COMPLETED");

  EngineBench hasty({}, {.completes_after_first_step = true});
  hasty.start("u", {step("pure"), step("pure")});
  hasty.finish_next();
  EXPECT_EQ(hasty.state("u"), "COMPLETED");
}

TEST(LifecycleDeviations, OfEnds) {
  EngineBench late({}, {.late_result_changes_outcome = true});
  late.start("u", {step("pure")});
  const std::string job = late.poll();
  late.engine.abort("u", late.now);
  late.push(job);
  EXPECT_EQ(late.state("u"), "COMPLETED");

  EngineBench crossing({}, {.acknowledgement_crosses_outcomes = true});
  crossing.start("u", {step("pure")});
  crossing.finish_next();
  crossing.engine.acknowledge("u", crossing.now);
  EXPECT_EQ(crossing.state("u"), "FAILED_UNSAFE_ACK");

  EngineBench reopening({}, {.abort_reopens_outcome = true});
  reopening.start("u", {step("pure")});
  reopening.finish_next();
  reopening.engine.abort("u", reopening.now);
  EXPECT_EQ(reopening.state("u"), "FAILED_UNSAFE");

  EngineBench listing({}, {.ended_executions_listed_active = true});
  listing.start("u", {step("missing")});
  EXPECT_EQ(listing.engine.active(0, 10).size(), 1U);
}

TEST(LifecycleDeviations, OfJobs) {
  EngineBench twice({}, {.job_handed_to_two_workers = true});
  twice.start("u", {step("pure"), step("pure")});
  EXPECT_EQ(twice.poll(), "j1");
  EXPECT_EQ(twice.poll(), "j1");
  EXPECT_EQ(twice.poll(), "");
  twice.push("j1");
  EXPECT_EQ(twice.poll(), "j2");
  twice.push("j2");
  EXPECT_EQ(twice.poll(), "");

  EngineBench patient({}, {.stuck_job_never_fails = true});
  patient.start("u", {step("pure")});
  patient.poll();
  patient.engine.advance_to(patient.now + std::chrono::hours(10000));
  EXPECT_EQ(patient.state("u"), "RUNNING");

  EngineBench leaving({}, {.abort_leaves_jobs = true});
  leaving.start("u", {step("pure")});
  leaving.engine.abort("u", leaving.now);
  EXPECT_EQ(leaving.poll(), "j1");
}

}  // namespace
}  // namespace assay::lifecycle
