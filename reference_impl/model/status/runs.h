#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/status/anomaly.h"
#include "reference_impl/model/status/first_seen.h"

namespace assay::status {

/// Task runs and their one outcome (EVT-TASK-FINAL).
class TaskRuns {
 public:
  /// task.done or task.failed. Without a task_run_id nothing can be said.
  std::optional<Reason> outcome(const events::EventView& event);

 private:
  struct Run {
    std::string id;
    bool ended = false;
  };
  FirstSeen<Run> runs_;
};

/// Loops and their iterations (EVT-LOOP-ORDER). A loop is told by its step_run_id, else by its
/// entity_id, else by its node_name; an iteration by its number, else by its iteration_id.
class Loops {
 public:
  /// loop.iteration.scheduled; again after its outcome is a new round of the loop.
  void scheduled(const events::EventView& event);
  /// loop.iteration.done or loop.iteration.failed.
  std::optional<Reason> outcome(const events::EventView& event);
  /// loop.done.
  std::optional<Reason> done(const events::EventView& event);

 private:
  struct Loop {
    std::string id;
    std::size_t open = 0;
  };
  enum class Phase : std::uint8_t { named, open, ended };
  struct Iteration {
    std::string id;
    Phase phase = Phase::named;
  };
  FirstSeen<Loop> loops_;
  FirstSeen<Iteration> iterations_;
};

}  // namespace assay::status
