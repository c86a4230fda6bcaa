#pragma once

#include <cstdint>
#include <string_view>

namespace assay::status {

/// Why an event was stored and moved nothing (API-ANOMALY).
enum class Reason : std::uint8_t {
  late_lifecycle,
  second_start,
  undecided_finish,
  workflow_move,
  names_no_step,
  names_no_command,
  step_move,
  exit_without_outcome,
  step_run_ended,
  command_move,
  command_issued_twice,
  second_command_outcome,
  second_tool_outcome,
  second_task_outcome,
  iteration_never_scheduled,
  iteration_ended_twice,
  loop_done_too_early,
};

/// The reason as a sentence for a person.
[[nodiscard]] std::string_view text_of(Reason reason);

/// One event that its layer's table does not allow.
struct Anomaly {
  std::int64_t seq = 0;
  Reason reason = Reason::late_lifecycle;
  friend bool operator==(const Anomaly&, const Anomaly&) = default;
};

}  // namespace assay::status
