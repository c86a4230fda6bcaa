#include "reference_impl/model/routing/loop_run.h"

#include <utility>

namespace assay::routing {

LoopRun::LoopRun(List items, std::size_t in_flight_at_most)
    : items_(std::move(items)),
      iterations_(items_.size(), Iteration::unscheduled),
      in_flight_at_most_(in_flight_at_most) {}

std::vector<std::size_t> LoopRun::schedule() {
  std::vector<std::size_t> numbers;
  while (scheduled_ < iterations_.size() && in_flight() < in_flight_at_most_) {
    iterations_[scheduled_] = Iteration::scheduled;
    numbers.push_back(scheduled_++);
  }
  return numbers;
}

LoopRun::Iteration* LoopRun::find(std::int64_t iteration) {
  if (iteration < 0 || static_cast<std::size_t>(iteration) >= iterations_.size()) return nullptr;
  return &iterations_[static_cast<std::size_t>(iteration)];
}

bool LoopRun::start(std::int64_t iteration) {
  Iteration* const one = find(iteration);
  if (one == nullptr || *one != Iteration::scheduled) return false;
  *one = Iteration::running;
  return true;
}

bool LoopRun::end(std::int64_t iteration, bool failed) {
  Iteration* const one = find(iteration);
  if (one == nullptr || *one == Iteration::unscheduled || *one == Iteration::ended) return false;
  *one = Iteration::ended;
  ++(failed ? failed_ : done_);
  return true;
}

}  // namespace assay::routing
