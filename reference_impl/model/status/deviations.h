#pragma once

#include <optional>

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/status/layers.h"

namespace assay::status {

class CommandLayer;

/// Ways in which real servers leave seed 000, for reference_impl/faults only: the reference sets
/// none. Each is consulted in one place of the fold and breaks one clause.
struct Deviations {
  // A lower-layer event closes the execution.
  bool batch_closes = false;               ///< batch.completed with nothing pending: STM-INF-BATCH
  bool command_on_end_closes = false;      ///< command.completed on a node named end: STM-INF-CMD
  bool last_command_closes = false;        ///< every issued command has completed: STM-CMD-R2
  bool call_on_end_closes = false;         ///< call.done on a node named end: STM-INF-CALL
  bool exit_on_end_closes = false;         ///< step.exit on a node named end: STM-INF-STEP
  bool iteration_exit_closes = false;      ///< step.exit of an iteration: STM-STEP-R2
  bool lower_case_exit_closes = false;     ///< step.exit with status completed: STM-CASE-1
  bool call_error_fails = false;           ///< call.error: STM-TOOL-R2
  bool command_failed_fails = false;       ///< command.failed: STM-POS-FAIL
  bool workflow_completed_closes = false;  ///< workflow.completed: STM-WF-R1

  // The execution's own layer.
  bool work_reopens = false;              ///< a late step.enter or command.issued: STM-EXEC-R1
  bool last_close_wins = false;           ///< a later lifecycle event closes anew: STM-EXEC-R1
  bool backdated_close_wins = false;      ///< the earliest timestamp wins, not seq: STM-EXEC-R1
  bool close_needs_start = false;         ///< a close before the start is lost: STM-EXEC-R1
  bool second_start_moves_start = false;  ///< started_at follows the newest start: STM-API-FIELDS
  bool finish_closes_whatever_status = false;  ///< playbook.finished without success: STM-POS-DONE
  bool late_events_move_end = false;           ///< ended_at follows later events: STM-API-ENDED
  bool late_steps_move_current = false;        ///< current_step follows later steps: STM-API-FIELDS
  bool says_inferred_while_live = false;  ///< completion_inferred after any close: STM-API-INFER

  // The lower layers.
  bool exit_is_case_sensitive = false;     ///< only COMPLETED counts, not completed: STM-STEP-T2
  bool iteration_exit_moves_step = false;  ///< an iteration ends its step: STM-STEP-R2
  bool case_handled_is_completed = false;  ///< CASE_HANDLED is shown as COMPLETED: STM-STEP-T4
  bool running_command_cancels = false;    ///< from RUNNING too: STM-CMD-T6
  bool unissued_command_moves = false;     ///< a command needs no command.issued: STM-CMD-T1
  bool unclaimed_command_starts = false;   ///< from ISSUED straight to RUNNING: STM-CMD-T3
  bool last_tool_outcome_wins = false;     ///< a repeated call changes its outcome: STM-TOOL-R1
  bool break_is_ok = false;                ///< BREAK and NOOP are shown as OK: STM-TOOL-T4
  bool hides_anomalies = false;            ///< nothing is listed under anomalies: API-ANOMALY
};

/// The state that a lower-layer event wrongly closes the execution in, if any does.
[[nodiscard]] std::optional<State> wrongly_inferred_end(const Deviations& deviations,
                                                        const events::EventView& event,
                                                        const CommandLayer& commands);

/// The reference: deviates nowhere.
inline constexpr Deviations no_deviations{};

}  // namespace assay::status
