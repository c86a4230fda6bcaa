#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "harness/check/step_runs.h"
#include "harness/core/profile.h"
#include "harness/core/scenario.h"

namespace assay::run {

/// The events by which a worker plays one step run, as a script writes them: no ids and times yet.
/// Specification 001 5.2: step.started, task.started, attempts where retried, the task's outcome;
/// then the step's, which a loop does not need (loop.done is the server's).

/// From the start of the step run to the outcome of its task; empty with only_end. A run that is
/// played without an end has no task outcome either.
[[nodiscard]] std::vector<Value> begin_of_play(const core::Play& play, const check::StepRun& run);

/// The step's outcome, `times` times; empty for outcome "none" and for loops.
[[nodiscard]] std::vector<Value> end_of_play(const core::Play& play, const check::StepRun& run);

/// One iteration of a loop's run: started, then its outcome, `times` times.
[[nodiscard]] std::vector<Value> iteration_of_play(const core::Play& play,
                                                   const check::StepRun& run,
                                                   std::int64_t iteration);

/// Whether the play is over an iteration: all are without `iterations`, else those that it lists.
[[nodiscard]] bool plays_iteration(const core::Play& play, std::int64_t iteration);

/// The events of a profile's own worker (docs/writing-profiles.md), with ${step}, ${step_run_id},
/// ${outcome} (done or failed), ${status} (success or error), ${result}, ${ctx}, ${worker} and
/// ${execution_id} set. One with `when: done` or `when: failed` is left out of the other outcome.
[[nodiscard]] std::vector<Value> profile_play(const core::Profile& profile, const core::Play& play,
                                              const check::StepRun& run,
                                              const std::string& execution_id);

}  // namespace assay::run
