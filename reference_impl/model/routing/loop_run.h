#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/value.h"

namespace assay::routing {

/// One run of a loop step: which iterations are to be scheduled, are in flight or have ended
/// (specification 001 section 3.5).
class LoopRun {
 public:
  /// One iteration for each item, `in_flight_at_most` (from 1) of them at once.
  LoopRun(List items, std::size_t in_flight_at_most);

  [[nodiscard]] std::size_t size() const { return iterations_.size(); }
  [[nodiscard]] const Value& item(std::size_t iteration) const { return items_[iteration]; }

  /// Schedules the iterations that there is room for; their numbers, in order.
  [[nodiscard]] std::vector<std::size_t> schedule();

  /// False where the iteration isn't scheduled, has started already or has ended.
  [[nodiscard]] bool start(std::int64_t iteration);
  /// False where the iteration was never scheduled or has ended already.
  [[nodiscard]] bool end(std::int64_t iteration, bool failed);

  [[nodiscard]] std::size_t in_flight() const { return scheduled_ - done_ - failed_; }
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  /// Whether every iteration has ended.
  [[nodiscard]] bool complete() const { return done_ + failed_ == iterations_.size(); }

  /// Lets go of the items once the loop has ended.
  void release_items() { items_.clear(); }

 private:
  enum class Iteration : std::uint8_t { unscheduled, scheduled, running, ended };

  [[nodiscard]] Iteration* find(std::int64_t iteration);

  List items_;
  std::vector<Iteration> iterations_;
  std::size_t in_flight_at_most_;
  std::size_t scheduled_ = 0;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
};

}  // namespace assay::routing
