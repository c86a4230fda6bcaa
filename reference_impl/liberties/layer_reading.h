#pragma once

#include "base/value.h"

namespace assay::liberties {

/// Another reading of an execution's log, where the specifications say less than the reference
/// does. All false: as the reference reads it.
struct LayerReading {
  bool ended_steps_stay = false;         ///< a step that ended is not RUNNING again
  bool step_words_only = false;          ///< step.exit with success or error moves nothing
  bool calls_end_steps = false;          ///< step.exit without status: as the last call ended
  bool loop_done_moves_nothing = false;  ///< of a replay: loop.done moves no step
  bool loop_done_may_be_late = false;    ///< of a replay: loop.done after the end is no anomaly
  bool second_enter_is_odd = false;      ///< step.enter of a RUNNING step is an anomaly
  bool second_schedule_is_odd = false;   ///< so is a second step.scheduled of one run
  bool odd_iteration_start = false;      ///< so is the start of an iteration that is not open
  bool command_needs_id = false;         ///< so is a command.* event without command_id
  bool unknown_name_is_odd = false;      ///< so is a name outside the taxonomies

  [[nodiscard]] bool is_plain() const;
};

/// Changes steps and anomalies of an execution's detail as that reading of its log has them.
void read_again(const LayerReading& reading, const List& log, Value& detail);

}  // namespace assay::liberties
