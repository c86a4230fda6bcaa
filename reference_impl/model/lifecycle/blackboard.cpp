#include "reference_impl/model/lifecycle/blackboard.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "reference_impl/model/lifecycle/names.h"

namespace assay::lifecycle {
namespace {

constexpr Words<JobType::rollback> job_type_names = {"ACQUIRE", "EXECUTE", "ROLLBACK"};
constexpr Words<JobState::pushed> job_state_names = {"PENDING", "POLLED", "PUSHED"};

}  // namespace

std::string_view to_string(JobType type) { return job_type_names[type]; }

std::string_view to_string(JobState state) { return job_state_names[state]; }

std::optional<JobState> parse_job_state(std::string_view name) {
  return job_state_names.parse(name, is_name);
}

Blackboard::Blackboard(IdSource next_job_id, std::chrono::milliseconds stuck_after)
    : next_job_id_(std::move(next_job_id)), stuck_after_(stuck_after) {}

const Job& Blackboard::add(Job job) {
  job.number = jobs_.size() + 1;
  job.job_id = next_job_id_();
  job.state = JobState::pending;
  by_id_.emplace(job.job_id, job.number);
  by_state_[JobState::pending].insert(job.number);
  return jobs_.emplace_back(std::move(job));
}

const Job* Blackboard::poll(std::string worker, Instant now, Pick pick) {
  const Numbers& pending = by_state_[JobState::pending];
  if (pending.empty()) return nullptr;
  Job& job = jobs_.at((pick == Pick::oldest ? *pending.begin() : *pending.rbegin()) - 1);
  job.worker = std::move(worker);
  job.polled_at = now;
  move_to(job, JobState::polled);
  polled_.emplace(now, job.number);
  return &job;
}

const Job* Blackboard::find(std::string_view job_id) const {
  const auto found = by_id_.find(std::string(job_id));
  return found == by_id_.end() ? nullptr : &at(found->second);
}

void Blackboard::push(std::uint64_t number, std::optional<JobResult> result) {
  Job& job = jobs_.at(number - 1);
  job.result = std::move(result);
  polled_.erase({job.polled_at, number});
  move_to(job, JobState::pushed);
}

void Blackboard::withdraw(std::uint64_t number) {
  by_state_[JobState::pending].erase(number);
  jobs_.at(number - 1).withdrawn = true;
}

const Job* Blackboard::stuck(Instant now) const {
  if (polled_.empty()) return nullptr;
  const Job& oldest = at(polled_.begin()->second);
  const auto polled_for = std::chrono::floor<std::chrono::milliseconds>(now - oldest.polled_at);
  return polled_for >= stuck_after_ ? &oldest : nullptr;
}

std::vector<const Job*> Blackboard::list(std::optional<JobState> state, std::uint64_t after,
                                         std::size_t limit) const {
  std::vector<const Job*> listed;
  if (state) {
    const Numbers& numbers = by_state_[*state];
    for (auto next = numbers.upper_bound(after); next != numbers.end() && listed.size() < limit;
         ++next) {
      listed.push_back(&at(*next));
    }
    return listed;
  }
  for (std::uint64_t number = after + 1; number <= jobs_.size() && listed.size() < limit;
       ++number) {
    if (!at(number).withdrawn) listed.push_back(&at(number));
  }
  return listed;
}

void Blackboard::move_to(Job& job, JobState state) {
  by_state_[job.state].erase(job.number);
  job.state = state;
  by_state_[state].insert(job.number);
}

}  // namespace assay::lifecycle
