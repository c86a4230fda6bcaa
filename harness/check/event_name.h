#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/words.h"

namespace assay::check {

/// The event types that rules about logs name (specification 001 3, specification 000); `other`
/// stands for all the rest.
enum class EventName : std::uint8_t {
  other,
  playbook_execution_requested,
  playbook_request_evaluated,
  playbook_started,
  playbook_paused,
  playbook_finished,
  playbook_processed,
  playbook_initialized,
  playbook_completed,
  playbook_failed,
  execution_cancelled,
  workflow_started,
  workflow_finished,
  step_scheduled,
  step_started,
  step_done,
  step_failed,
  step_exit,
  task_started,
  task_attempt_started,
  task_attempt_done,
  task_attempt_failed,
  task_done,
  task_failed,
  policy_admit_evaluated,
  policy_task_evaluated,
  next_evaluated,
  loop_started,
  loop_done,
  loop_iteration_scheduled,
  loop_iteration_started,
  loop_iteration_done,
  loop_iteration_failed,
};

/// One part for each.
template <typename Part>
using EventNameTable = EnumTable<EventName::loop_iteration_failed, Part>;

/// The name that an event_type says, by one look-up: a log has millions.
[[nodiscard]] EventName event_name_of(std::string_view type);

/// "playbook.started"; empty for `other`.
[[nodiscard]] std::string_view text_of(EventName name);

}  // namespace assay::check
