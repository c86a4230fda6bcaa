// Specification 002, Locking: a thousand executions over a hundred entities, worked on by eight
// threads, and judged by what the workers saw and by the histories afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

constexpr std::size_t executions = 1000;
constexpr std::size_t entities = 100;
constexpr std::size_t workers = 8;
/// Far more polls than all jobs need: a server that never ends fails the test instead of holding
/// it.
constexpr int most_polls = 500'000;

/// A microsecond later at each look, so that what came later has a later time. Every time has as
/// many digits as any other: the order of their texts is the order of time.
class TickingClock : public Clock {
 public:
  std::int64_t now() override { return now_ += 1'000; }

 private:
  std::atomic<std::int64_t> now_ = 1'772'323'200'000'000'001;
};

/// The two entities, never the same one twice, that an execution asks for.
std::array<std::size_t, 2> entities_of(std::size_t number) {
  return {number % entities, (number * 7 + 3) % entities};
}

std::string entity_list(std::size_t number) {
  const auto [first, second] = entities_of(number);
  return R"(["d)" + std::to_string(first) + R"(","d)" + std::to_string(second) + R"("])";
}

/// From LOCKED to the outcome.
struct Hold {
  std::string from;
  std::string to;
  std::string uuid;

  auto operator<=>(const Hold&) const = default;
};

class LockContention : public ServiceTest {
 protected:
  /// Starts every execution while eight workers poll, and comes back when all have ended.
  void work(const lifecycle::Policy& policy) {
    ServiceOptions options;
    options.clock = std::make_shared<TickingClock>();
    options.lifecycle_policy = policy;
    service_ = make_reference(std::move(options));
    post("/function-blocks", R"({"name":"pure","pure":true})");
    post("/function-blocks", R"({"name":"impure","pure":false})");
    std::array<std::thread, workers> team;
    for (std::thread& worker : team) worker = std::thread([this] { work_alone(); });
    for (std::size_t number = 0; number < executions; ++number) start_execution(number);
    all_started_ = true;
    for (std::thread& worker : team) worker.join();
  }

  /// The label of each step begins with the number of its execution.
  void start_execution(std::size_t number) {
    const std::string label = std::to_string(number);
    const Answer made =
        post("/workflow-execution", R"({"workflow":{"steps":[{"label":")" + label +
                                        R"(","functionBlock":"pure","acquire":)" +
                                        entity_list(number) + R"(},{"label":")" + label +
                                        R"( again","functionBlock":"impure"}]}})");
    uuids_.push_back(made.body.string_at("uuid").value_or("none"));
  }

  void work_alone() {
    for (int polls = 0; polls < most_polls; ++polls) {
      const bool may_be_over = all_started_;
      const Answer job = post("/blackboard/jobs/poll", R"({"worker":"w"})");
      if (job.status == 200) {
        do_job(job.body);
      } else if (may_be_over && get("/workflow-execution/active").at("/executions") == "[]") {
        return;
      } else {
        std::this_thread::yield();
      }
    }
    ADD_FAILURE() << "not at an end after " << most_polls << " polls";
  }

  void do_job(const Value& job) {
    const std::size_t number = std::stoul(job.string_at("label").value_or("0"));
    const std::string id = job.string_at("job_id").value_or("");
    {
      const std::lock_guard guard(mutex_);
      EXPECT_TRUE(handed_out_.insert(id).second) << "handed out twice: " << id;
    }
    std::string result = R"({"success":true,"entities":)" + entity_list(number) + "}";
    if (job.string_at("type") == "EXECUTE") {
      for (const std::size_t entity : entities_of(number)) {
        if (users_.at(entity)++ > 0) ++shared_uses_;
      }
      std::this_thread::yield();
      for (const std::size_t entity : entities_of(number)) --users_.at(entity);
      result = ++executed_ % 10 == 0 ? R"({"success":false})" : R"({"success":true})";
    }
    EXPECT_EQ(post("/blackboard/jobs/" + id + "/result", result).status, 200);
  }

  /// Who held each entity when, by the histories.
  std::map<std::string, std::vector<Hold>> holds() {
    std::map<std::string, std::vector<Hold>> all;
    for (const std::string& uuid : uuids_) {
      const Value detail = get("/workflow-execution/id/" + uuid).body;
      Hold hold{"", "", uuid};
      for (const Value& entry : detail.find("history")->as_list()) {
        const std::string at = entry.string_at("at").value_or("");
        if (entry.string_at("status") == "LOCKED") hold.from = at;
        hold.to = at;
      }
      for (const Value& entity : detail.find("entities")->as_list()) {
        all[entity.as_string()].push_back(hold);
      }
    }
    for (auto& [entity, of_entity] : all) std::sort(of_entity.begin(), of_entity.end());
    return all;
  }

  /// Pairs of executions that held one entity at one moment. The end of one may be the beginning of
  /// the next: what releases a lock may hand it on.
  int overlaps() {
    int count = 0;
    for (const auto& [entity, of_entity] : holds()) {
      for (std::size_t index = 1; index < of_entity.size(); ++index) {
        if (of_entity[index].from < of_entity[index - 1].to) ++count;
      }
    }
    return count;
  }

  std::atomic<bool> all_started_ = false;
  std::atomic<int> executed_ = 0;
  std::atomic<int> shared_uses_ = 0;
  std::array<std::atomic<int>, entities> users_ = {};
  std::vector<std::string> uuids_;
  std::mutex mutex_;
  std::set<std::string> handed_out_;
};

TEST_F(LockContention, EveryExecutionEndsNothingIsLostAndNoEntityHasTwoHolders) {
  work({});
  EXPECT_EQ(shared_uses_, 0);
  EXPECT_EQ(overlaps(), 0);
  std::size_t held = 0;
  for (const auto& [entity, of_entity] : holds()) held += of_entity.size();
  EXPECT_EQ(held, 2 * executions);
  std::int64_t jobs = 0;
  for (const std::string& uuid : uuids_) {
    const Answer detail = get("/workflow-execution/id/" + uuid);
    EXPECT_NE(detail.at("/outcome"), "null") << detail.text;
    EXPECT_EQ(detail.at("/jobs/completed"), detail.at("/jobs/total")) << detail.text;
    jobs += detail.body.at_pointer("/jobs/total")->to_int64().value_or(0);
  }
  EXPECT_EQ(static_cast<std::size_t>(jobs), handed_out_.size());
  EXPECT_EQ(std::set<std::string>(uuids_.begin(), uuids_.end()).size(), executions);
}

TEST_F(LockContention, TheHistoriesConvictAServerThatGivesALockToTwo) {
  work({.locks = {.sharing = lifecycle::LockTable::Sharing::shared}});
  EXPECT_GT(overlaps(), 0);
}

}  // namespace
}  // namespace assay::service
