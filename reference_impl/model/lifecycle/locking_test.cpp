#include <gtest/gtest.h>

#include <map>

#include "reference_impl/model/lifecycle/engine_bench.h"

namespace assay::lifecycle {
namespace {

/// Starts executions u1, u2 … over these entities and finishes their ACQUIRE jobs, oldest first.
void start_all(EngineBench& bench, const std::vector<std::vector<std::string>>& needs) {
  for (std::size_t index = 0; index < needs.size(); ++index) {
    bench.start("u" + std::to_string(index + 1), {step("pure", needs[index])});
  }
  for (std::size_t index = 0; index < needs.size(); ++index) bench.finish_next();
}

TEST(Locking, AnExecutionWaitsInScheduledForWhatAnotherLocks) {
  EngineBench bench;
  start_all(bench, {{"d1", "d2"}, {"d2", "d3"}});
  EXPECT_EQ(bench.path("u1"), path_to_running);
  EXPECT_EQ(bench.path("u2"), "NEW VALID READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED SCHEDULED");
  bench.finish_next();
  EXPECT_EQ(bench.state("u1"), "COMPLETED");
  EXPECT_EQ(bench.path("u2"), path_to_running);
}

TEST(Locking, DisjointExecutionsRunSideBySide) {
  EngineBench bench;
  start_all(bench, {{"d1"}, {"d2"}});
  EXPECT_EQ(bench.state("u1"), "RUNNING");
  EXPECT_EQ(bench.state("u2"), "RUNNING");
}

TEST(Locking, EachEndReleasesTheLocks) {
  for (const bool success : {true, false}) {
    for (const char* block : {"pure", "impure"}) {
      EngineBench bench;
      bench.start("u1", {step(block, {"d1"})});
      bench.start("u2", {step(block, {"d1"})});
      bench.finish_next();
      bench.finish_next();
      ASSERT_EQ(bench.state("u2"), "SCHEDULED");
      bench.finish_next(success);
      EXPECT_EQ(bench.state("u2"), "RUNNING") << block << success;
      EXPECT_EQ(bench.engine.lock_holder("d1")->uuid, "u2");
    }
  }
}

TEST(Locking, TenExecutionsOverOneEntityRunInOrderOfArrival) {
  EngineBench bench;
  start_all(bench, std::vector<std::vector<std::string>>(10, {"d1"}));
  for (int running = 1; running <= 10; ++running) {
    for (int other = 1; other <= 10; ++other) {
      EXPECT_EQ(bench.state("u" + std::to_string(other)), other < running    ? "COMPLETED"
                                                          : other == running ? "RUNNING"
                                                                             : "SCHEDULED");
    }
    bench.finish_next();
  }
  EXPECT_EQ(bench.engine.lock_holder("d1"), nullptr);
}

TEST(Locking, AStuckHolderGivesWayWhenItsTimeIsUp) {
  EngineBench bench;
  start_all(bench, {{"d1"}, {"d1"}});
  bench.poll();
  bench.engine.advance_to(bench.now + std::chrono::hours(1));
  EXPECT_EQ(bench.state("u1"), "FAILED_SAFE");
  EXPECT_EQ(bench.state("u2"), "RUNNING");
  EXPECT_EQ(bench.engine.find("u2")->history.back().at, bench.now + std::chrono::minutes(12));
}

TEST(Locking, WithoutTheLockServiceARequestFails) {
  EngineBench bench;
  bench.engine.set_lock_service(LockService::failing, bench.now);
  const Execution& execution = bench.start_locking("u", {"d1"}, "impure");
  EXPECT_EQ(
      bench.path("u"),
      "NEW VALID READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED SCHEDULED LOCKING FAILED_SAFE");
  EXPECT_EQ(execution.reason, "the lock request failed");
  EXPECT_EQ(bench.engine.lock_holder("d1"), nullptr);
  bench.engine.set_lock_service(LockService::available, bench.now);
  bench.start_locking("v", {"d1"});
  EXPECT_EQ(bench.state("v"), "RUNNING");
}

TEST(Locking, WithoutEntitiesThereIsNoRequestToFail) {
  EngineBench bench;
  bench.engine.set_lock_service(LockService::failing, bench.now);
  bench.start("u", {step("pure")});
  EXPECT_EQ(bench.path("u"), path_to_running);
}

TEST(Locking, WithoutAnAnswerARequestStaysInLockingAndSaysSoAfterTheTimeout) {
  EngineBench bench;
  bench.engine.set_lock_service(LockService::hanging, bench.now);
  const Execution& execution = bench.start_locking("u", {"d1"});
  bench.engine.advance_to(bench.now + std::chrono::minutes(12) - std::chrono::milliseconds(1));
  EXPECT_EQ(bench.state("u"), "LOCKING");
  EXPECT_EQ(execution.reason, std::nullopt);
  bench.now += std::chrono::minutes(12);
  bench.engine.advance_to(bench.now);
  EXPECT_EQ(bench.state("u"), "LOCKING");
  EXPECT_EQ(execution.reason, "the lock service does not answer");
  EXPECT_EQ(execution.outcome, std::nullopt);
  bench.engine.set_lock_service(LockService::available, bench.now);
  EXPECT_EQ(bench.path("u"), path_to_running);
  EXPECT_EQ(execution.reason, std::nullopt);
}

TEST(Locking, ARequestWithoutAnAnswerCanFailOrBeAborted) {
  EngineBench bench;
  bench.engine.set_lock_service(LockService::hanging, bench.now);
  bench.start_locking("u1", {"d1"});
  bench.start_locking("u2", {"d2"});
  bench.engine.abort("u1", bench.now);
  EXPECT_EQ(bench.state("u1"), "FAILED_SAFE");
  EXPECT_EQ(bench.engine.lock_holder("d1"), nullptr);
  bench.engine.set_lock_service(LockService::failing, bench.now);
  EXPECT_EQ(bench.state("u2"), "FAILED_SAFE");
}

TEST(Locking, EveryWaiterFailsWhenItsRequestComesWithoutTheLockService) {
  EngineBench bench;
  start_all(bench, {{"d1"}, {"d1"}, {"d1"}});
  bench.engine.set_lock_service(LockService::failing, bench.now);
  EXPECT_EQ(bench.state("u2"), "SCHEDULED");
  bench.finish_next();
  EXPECT_EQ(bench.state("u1"), "COMPLETED");
  EXPECT_EQ(bench.state("u2"), "FAILED_SAFE");
  EXPECT_EQ(bench.state("u3"), "FAILED_SAFE");
}

TEST(Locking, AThousandExecutionsOverAHundredEntitiesAllEndAndNeverShare) {
  EngineBench bench;
  constexpr int executions = 1000;
  for (int index = 0; index < executions; ++index) {
    const std::string first = "d" + std::to_string(index % 100);
    const std::string second = "d" + std::to_string((index * 7 + 3) % 100);
    bench.start("u" + std::to_string(index), {step("pure", {first, second}), step("impure")});
  }
  // Eight workers, each with at most one job in hand; the oldest in hand is reported first.
  std::map<std::string, std::string> holders;
  std::vector<std::string> in_hand;
  int finished = 0;
  while (true) {
    while (in_hand.size() < 8) {
      const std::string job = bench.poll();
      if (job.empty()) break;
      in_hand.push_back(job);
    }
    if (in_hand.empty()) break;
    const Job& job = *bench.engine.find_job(in_hand.front());
    in_hand.erase(in_hand.begin());
    if (job.type == JobType::execute) {
      for (const std::string& entity : bench.engine.find(job.uuid)->entities) {
        ASSERT_EQ(bench.engine.lock_holder(entity)->uuid, job.uuid);
      }
    }
    ASSERT_EQ(bench.push(job.job_id, ++finished % 10 != 0), PushOutcome::accepted);
  }
  EXPECT_TRUE(bench.engine.active(0, executions).empty());
  for (int index = 0; index < 100; ++index) {
    EXPECT_EQ(bench.engine.lock_holder("d" + std::to_string(index)), nullptr);
  }
}

}  // namespace
}  // namespace assay::lifecycle
