#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace assay::check {

/// One step run as a driven execution's log shows it (standard names).
struct StepRun {
  std::string step;
  std::string id;
  bool started = false;
  /// By step.done, step.failed, or loop.done of a loop.
  bool ended = false;
  bool is_loop = false;
  /// Iterations that were scheduled and have no outcome yet, in the order of the log.
  std::vector<std::int64_t> open_iterations;

  friend bool operator==(const StepRun&, const StepRun&) = default;
};

/// The step runs of a log in the order of their scheduling.
[[nodiscard]] std::vector<StepRun> step_runs_of(const List& events);

/// Whether a lifecycle event of the log has closed the execution: nothing is scheduled any more.
[[nodiscard]] bool is_closed(const List& events);

/// The steps whose runs are scheduled or running, sorted; empty once the execution is closed.
[[nodiscard]] std::vector<std::string> scheduled_steps(const List& events);

/// The run that a worker would play next: the first open one of that step that nobody has started,
/// else the first open one. `only_end` prefers started ones, and where none is open takes the last
/// that ended: a late outcome is an outcome of a run that is over.
[[nodiscard]] std::optional<StepRun> run_to_play(const List& events, std::string_view step,
                                                 bool only_end);

}  // namespace assay::check
