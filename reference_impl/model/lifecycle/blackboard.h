#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/value.h"
#include "base/words.h"

namespace assay::lifecycle {

/// ACQUIRE and EXECUTE jobs, and ROLLBACK jobs where the planned rollback is switched on.
enum class JobType : std::uint8_t { acquire, execute, rollback };

/// PENDING until a worker takes the job, POLLED until its result is in, then PUSHED.
enum class JobState : std::uint8_t { pending, polled, pushed };

[[nodiscard]] std::string_view to_string(JobType type);
[[nodiscard]] std::string_view to_string(JobState state);
/// The job state of that name in any case, or nothing.
[[nodiscard]] std::optional<JobState> parse_job_state(std::string_view name);

/// What a worker reports of a job.
struct JobResult {
  bool success = false;
  std::vector<std::string> entities = {};  ///< of an ACQUIRE job, besides the declared ones
  std::optional<Value> data = {};          ///< of an EXECUTE job: what results.LABEL becomes
};

/// One job on the blackboard.
struct Job {
  std::uint64_t number = 0;  ///< 1, 2, 3 … in the order of creation
  std::string job_id = {};
  JobType type = JobType::execute;
  std::uint64_t execution = 0;  ///< the number of its execution
  std::string uuid;             ///< of its execution
  std::size_t step = 0;
  std::string label;
  std::string function_block;
  JobState state = JobState::pending;
  bool withdrawn = false;  ///< its execution ended before a worker took it
  std::string worker = {};
  Instant polled_at = {};
  std::optional<JobResult> result = {};  ///< once it is PUSHED
};

/// The jobs of all executions, as workers see them (specification 002: the blackboard). It knows
/// nothing of what a result means.
class Blackboard {
 public:
  using IdSource = std::function<std::string()>;

  /// A job POLLED for `stuck_after` is stuck.
  Blackboard(IdSource next_job_id, std::chrono::milliseconds stuck_after);

  /// Posts a job; number, job_id and state are the blackboard's to give.
  const Job& add(Job job);

  /// Gives the oldest PENDING job to the worker, or the newest one, or nothing.
  enum class Pick : std::uint8_t { oldest, newest };
  const Job* poll(std::string worker, Instant now, Pick pick = Pick::oldest);

  /// The job of that id, withdrawn ones included, or nullptr.
  [[nodiscard]] const Job* find(std::string_view job_id) const;

  /// A result is in, to be shown if it is given: the job is PUSHED. Its number must be that of a
  /// POLLED job.
  void push(std::uint64_t number, std::optional<JobResult> result);

  /// Takes a PENDING job off the board: no worker gets it any more.
  void withdraw(std::uint64_t number);

  /// The job that has been stuck longest at that time, or nullptr.
  [[nodiscard]] const Job* stuck(Instant now) const;
  /// When the time of a stuck job was up.
  [[nodiscard]] Instant deadline(const Job& job) const { return job.polled_at + stuck_after_; }

  /// Up to `limit` jobs with numbers above `after`, oldest first, without the withdrawn ones.
  [[nodiscard]] std::vector<const Job*> list(std::optional<JobState> state, std::uint64_t after,
                                             std::size_t limit) const;
  [[nodiscard]] const Job& at(std::uint64_t number) const { return jobs_.at(number - 1); }

 private:
  using Numbers = std::set<std::uint64_t>;

  void move_to(Job& job, JobState state);

  IdSource next_job_id_;
  std::chrono::milliseconds stuck_after_;
  std::deque<Job> jobs_;
  std::unordered_map<std::string, std::uint64_t> by_id_;
  EnumTable<JobState::pushed, Numbers> by_state_;
  std::set<std::pair<Instant, std::uint64_t>> polled_;  // longest first
};

}  // namespace assay::lifecycle
