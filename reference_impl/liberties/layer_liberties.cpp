#include "reference_impl/liberties/kinds.h"

namespace assay::liberties {
namespace {

constexpr const char* open_list =
    "\"anomalies is not a closed list: those that this page names must be there, others may\"";

Liberty reads(std::string_view id, std::string_view title, std::string_view words,
              bool LayerReading::* reading) {
  return {id, title, words, {}, {}, nullptr, reading};
}

}  // namespace

std::vector<Liberty> layer_liberties() {
  return {
      reads("own-reentry", "A step that ended and is entered again stays as it ended",
            "Specification 000's table has PENDING to RUNNING only",
            &LayerReading::ended_steps_stay),
      reads("exit-wants-step-words",
            "step.exit with success or error moves nothing and is an anomaly",
            "\"step.exit moves a step by its status\"; the step's words are COMPLETED, FAILED and "
            "CASE_HANDLED",
            &LayerReading::step_words_only),
      reads("exit-without-status-by-call",
            "step.exit without status ends the step as its last call ended",
            "Specification 000, table Step: \"call.done then step.exit\"",
            &LayerReading::calls_end_steps),
      reads("loop-done-moves-no-replay", "loop.done in a replay's log moves no step",
            "\"loop.done is the loop step's boundary\" is said of driven executions",
            &LayerReading::loop_done_moves_nothing),
      reads("loop-done-after-the-end",
            "loop.done of a step that has ended is not an anomaly in a replay",
            "The anomalies that are named: \"a loop.done over an open iteration\"",
            &LayerReading::loop_done_may_be_late),
      reads("second-enter-is-odd", "step.enter of a RUNNING step is an anomaly too", open_list,
            &LayerReading::second_enter_is_odd),
      reads("second-schedule-is-odd",
            "A second step.scheduled of one run, or of one open iteration, is an anomaly",
            open_list, &LayerReading::second_schedule_is_odd),
      reads("odd-iteration-start",
            "loop.iteration.started of an iteration that is not open is an anomaly", open_list,
            &LayerReading::odd_iteration_start),
      reads("command-without-id-is-odd", "A command.* event without command_id is an anomaly",
            open_list, &LayerReading::command_needs_id),
      reads("unknown-name-is-odd", "An event with a name outside the taxonomies is an anomaly too",
            open_list, &LayerReading::unknown_name_is_odd),
  };
}

}  // namespace assay::liberties
