#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/status/anomaly.h"
#include "reference_impl/model/status/first_seen.h"
#include "reference_impl/model/status/layers.h"

namespace assay::status {

/// One step. `id` is its name.
struct Step {
  std::string id;
  State state = State::pending;
  /// The last move was loop.done's, so that a step.done of the same round is no second outcome.
  bool ended_by_loop = false;
  std::uint32_t open_runs = 0;  ///< step runs that were begun and have no outcome
};

/// The step layer, in both vocabularies (STM-STEP-*, EVT-TAX-STEP).
///
/// A step goes RUNNING on step.enter, command.issued, step.scheduled and step.started, again too
/// once it has ended: that is a new round. It ends by step.exit's status (a step's word in any
/// case, or specification 001's success and error), by step.done or step.failed, or by loop.done;
/// while another of its step runs is open it stays RUNNING (two tokens on one step). step.exit with
/// an iteration moves nothing (STM-STEP-R2).
class StepLayer {
 public:
  static constexpr std::size_t no_step = SIZE_MAX;

  /// step.enter, step.scheduled or step.started.
  std::optional<Reason> begin(const events::EventView& event);
  /// A command was issued for the step of that name.
  void command_issued(std::string_view step);
  /// step.exit.
  std::optional<Reason> exit(const events::EventView& event);
  /// step.done or step.failed.
  std::optional<Reason> outcome(const events::EventView& event);
  /// loop.done with no iteration open.
  std::optional<Reason> loop_done(const events::EventView& event);

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_.entries(); }
  /// The position in steps() of the step that the newest begin() moved, or no_step.
  [[nodiscard]] std::size_t newest() const { return newest_; }

 private:
  /// After loop.done a step.done may still follow; after that nothing.
  enum class Phase : std::uint8_t { open, loop_done, ended };

  struct Run {
    std::string id;
    std::uint32_t step = 0;
    Phase phase = Phase::open;
  };

  /// The position of the step that the event names or whose run it names, or no_step.
  [[nodiscard]] std::size_t known_step(const events::EventView& event);
  [[nodiscard]] std::optional<Reason> end(const events::EventView& event, State to);
  void run_step(std::size_t step);
  void close_run(Run& run, Phase phase);

  FirstSeen<Step> steps_;
  FirstSeen<Run> runs_;
  std::size_t newest_ = no_step;
};

}  // namespace assay::status
