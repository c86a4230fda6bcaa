#include "reference_impl/model/lifecycle/blackboard.h"

#include <gtest/gtest.h>

namespace assay::lifecycle {
namespace {

using std::chrono::milliseconds;

struct Board {
  int ids = 0;
  Blackboard jobs{[this] { return "j" + std::to_string(++ids); }, milliseconds(100)};

  void add(int count) {
    for (; count > 0; --count) jobs.add({});
  }
  std::string poll(int at = 0) {
    const Job* job = jobs.poll("w", Instant(milliseconds(at)));
    return job == nullptr ? "none" : job->job_id;
  }
  std::string listed(std::optional<JobState> state, std::uint64_t after = 0,
                     std::size_t limit = 100) {
    std::string line;
    for (const Job* job : jobs.list(state, after, limit)) line += job->job_id + " ";
    return line;
  }
};

TEST(Blackboard, JobsAreHandedOutOnceOldestFirst) {
  Board board;
  EXPECT_EQ(board.poll(), "none");
  board.add(2);
  EXPECT_EQ(board.poll(), "j1");
  EXPECT_EQ(board.poll(), "j2");
  EXPECT_EQ(board.poll(), "none");
  EXPECT_EQ(board.jobs.find("j1")->worker, "w");
  EXPECT_EQ(board.jobs.find("j3"), nullptr);
}

TEST(Blackboard, AWithdrawnJobIsNeitherHandedOutNorListed) {
  Board board;
  board.add(3);
  board.jobs.withdraw(2);
  EXPECT_EQ(board.listed({}), "j1 j3 ");
  EXPECT_EQ(board.listed(JobState::pending), "j1 j3 ");
  board.poll();
  EXPECT_EQ(board.poll(), "j3");
  EXPECT_TRUE(board.jobs.find("j2")->withdrawn);
}

TEST(Blackboard, JobsAreListedByStateInPages) {
  Board board;
  board.add(5);
  board.poll();
  board.poll();
  board.jobs.push(1, JobResult{.success = true});
  EXPECT_EQ(board.listed(JobState::pushed), "j1 ");
  EXPECT_EQ(board.listed(JobState::polled), "j2 ");
  EXPECT_EQ(board.listed(JobState::pending, 0, 2), "j3 j4 ");
  EXPECT_EQ(board.listed(JobState::pending, 4, 2), "j5 ");
  EXPECT_EQ(board.listed({}, 1, 3), "j2 j3 j4 ");
}

TEST(Blackboard, AJobIsStuckOnceItsTimeIsUp) {
  Board board;
  board.add(2);
  board.poll(10);
  board.poll(20);
  EXPECT_EQ(board.jobs.stuck(Instant(milliseconds(109))), nullptr);
  ASSERT_NE(board.jobs.stuck(Instant(milliseconds(110))), nullptr);
  EXPECT_EQ(board.jobs.stuck(Instant(milliseconds(500)))->job_id, "j1");
  board.jobs.push(1, JobResult{.success = true});
  EXPECT_EQ(board.jobs.stuck(Instant(milliseconds(119))), nullptr);
  EXPECT_EQ(board.jobs.stuck(Instant(milliseconds(120)))->job_id, "j2");
}

TEST(Blackboard, StatesAndTypesHaveTheirNames) {
  EXPECT_EQ(to_string(JobType::acquire), "ACQUIRE");
  EXPECT_EQ(to_string(JobType::execute), "EXECUTE");
  EXPECT_EQ(to_string(JobType::rollback), "ROLLBACK");
  EXPECT_EQ(parse_job_state("polled"), JobState::polled);
  EXPECT_EQ(parse_job_state("PUSHED"), JobState::pushed);
  EXPECT_EQ(parse_job_state("DONE"), std::nullopt);
}

}  // namespace
}  // namespace assay::lifecycle
