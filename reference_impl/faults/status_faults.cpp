#include "reference_impl/faults/families.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/switches.h"

namespace assay::faults {
namespace {

using status::Deviations;

constexpr const char* status_route = "GET /executions/*/status";
constexpr const char* detail_route = "GET /executions/*";

/// The status shows another word for one state.
Intercept shows_state(std::string from, std::string to) {
  return alters_answers(status_route, [from, to](const service::Request&, Value& body) {
    replace_text(body, "state", from, to);
  });
}

/// The detail shows another word in a list of a layer.
Intercept shows_layer(std::string list, std::string name, std::string from, std::string to) {
  return alters_answers(detail_route, [=](const service::Request&, Value& body) {
    each_item(body, list, [&](Value& item) { replace_text(item, name, from, to); });
  });
}

Intercept shows_workflow(std::string from, std::string to) {
  return alters_answers(detail_route, [=](const service::Request&, Value& body) {
    replace_text(body, "workflow_state", from, to);
  });
}

Intercept changes_status(ChangeBody change) {
  return alters_answers(status_route, std::move(change));
}

bool all_commands_completed(Value& body) {
  const List* commands = list_at(body, "commands");
  if (commands == nullptr || commands->empty()) return false;
  for (const Value& command : *commands) {
    if (!has_text(command, "state", "COMPLETED")) return false;
  }
  return true;
}

std::vector<Fault> inference_faults() {
  return {
      {"batch-completed-closes", "STM-INF-BATCH",
       "batch.completed with nothing pending closes the execution",
       switch_on<&Deviations::batch_closes>},
      {"command-on-end-closes", "STM-INF-CMD",
       "command.completed on a node named end closes the execution",
       switch_on<&Deviations::command_on_end_closes>},
      {"last-command-closes", "STM-CMD-R2",
       "The execution completes once every issued command has completed",
       switch_on<&Deviations::last_command_closes>},
      {"call-on-end-closes", "STM-INF-CALL", "call.done on a node named end closes the execution",
       switch_on<&Deviations::call_on_end_closes>},
      {"exit-on-end-closes", "STM-INF-STEP", "step.exit on a node named end closes the execution",
       switch_on<&Deviations::exit_on_end_closes>},
      {"iteration-exit-closes", "STM-STEP-R2", "step.exit of an iteration closes the execution",
       switch_on<&Deviations::iteration_exit_closes>},
      {"lower-case-exit-closes", "STM-CASE-1",
       "step.exit closes the execution where its status is written in lower case",
       switch_on<&Deviations::lower_case_exit_closes>},
      {"call-error-fails-execution", "STM-TOOL-R2", "call.error fails the execution",
       switch_on<&Deviations::call_error_fails>},
      {"command-failed-fails-execution", "STM-POS-FAIL", "command.failed fails the execution",
       switch_on<&Deviations::command_failed_fails>},
      {"workflow-completed-closes", "STM-WF-R1", "workflow.completed closes the execution",
       switch_on<&Deviations::workflow_completed_closes>},
      {"rebuilds-by-inference", "STM-OWN-2",
       "After an evict the status is inferred from lower layers",
       switch_on<&service::Deviations::rebuilds_by_inference>},
  };
}

std::vector<Fault> execution_faults() {
  return {
      {"late-work-reopens", "STM-EXEC-R1", "A late step.enter makes an ended execution run again",
       switch_on<&Deviations::work_reopens>},
      {"last-close-wins", "STM-EXEC-R1", "A later lifecycle event replaces the terminal state",
       switch_on<&Deviations::last_close_wins>},
      {"backdated-close-wins", "STM-EXEC-R1",
       "Of two closing events the one with the earlier timestamp wins, not the one stored first",
       switch_on<&Deviations::backdated_close_wins>},
      {"close-needs-start", "STM-EXEC-R1", "A closing event before the start event is lost",
       switch_on<&Deviations::close_needs_start>},
      {"second-start-moves-start", "STM-EXEC-T1", "started_at follows the newest start event",
       switch_on<&Deviations::second_start_moves_start>},
      {"finished-closes-whatever-status", "STM-EXEC-R2",
       "playbook.finished completes the execution whatever its status",
       switch_on<&Deviations::finish_closes_whatever_status>},
      {"late-events-move-end", "STM-API-ENDED", "ended_at follows later events",
       switch_on<&Deviations::late_events_move_end>},
      {"late-steps-move-current", "STM-EXEC-R1", "current_step follows steps after the end",
       switch_on<&Deviations::late_steps_move_current>},
      {"says-inferred-while-live", "STM-API-INFER", "completion_inferred is true after any close",
       switch_on<&Deviations::says_inferred_while_live>},
      {"never-starts", "STM-EXEC-T1", "An execution that was started is shown as PENDING", nullptr,
       shows_state("RUNNING", "PENDING")},
      {"never-completes", "STM-EXEC-T2", "A completed execution is shown as RUNNING", nullptr,
       shows_state("COMPLETED", "RUNNING")},
      {"failure-reads-completed", "STM-EXEC-T3", "A failed execution is shown as COMPLETED",
       nullptr, shows_state("FAILED", "COMPLETED")},
      {"cancel-reads-running", "STM-EXEC-T4", "A cancelled execution is shown as RUNNING", nullptr,
       shows_state("CANCELLED", "RUNNING")},
      {"cancelled-reads-failed", "STM-VOC-1", "CANCELLED is shown as FAILED",
       switch_on<&service::Deviations::cancelled_reads_failed>},
      {"cancelled-spelt-with-one-l", "STM-VOC-1", "CANCELLED is spelt CANCELED", nullptr,
       shows_state("CANCELLED", "CANCELED")},
      {"pending-has-a-word-of-its-own", "STM-STATE-1", "PENDING is shown as QUEUED", nullptr,
       shows_state("PENDING", "QUEUED")},
      {"cancel-repeats-its-event", "API-CANCEL", "Cancelling an ended execution adds an event",
       switch_on<&service::Deviations::cancel_is_repeated>},
  };
}

std::vector<Fault> lower_layer_faults() {
  return {
      {"exit-status-knows-case", "STM-STEP-T2", "step.exit counts only with an upper-case status",
       switch_on<&Deviations::exit_is_case_sensitive>},
      {"iteration-exit-ends-step", "STM-STEP-R2", "step.exit of an iteration ends its step",
       switch_on<&Deviations::iteration_exit_moves_step>},
      {"case-handled-reads-completed", "STM-STEP-T4", "CASE_HANDLED is shown as COMPLETED",
       switch_on<&Deviations::case_handled_is_completed>},
      {"running-command-cancels", "STM-CMD-T6", "command.cancelled cancels a RUNNING command too",
       switch_on<&Deviations::running_command_cancels>},
      {"command-needs-no-issue", "STM-CMD-T2", "A command moves that was never issued",
       switch_on<&Deviations::unissued_command_moves>},
      {"command-needs-no-claim", "STM-CMD-T3", "A command starts that was never claimed",
       switch_on<&Deviations::unclaimed_command_starts>},
      {"last-tool-outcome-wins", "API-ANOMALY", "A repeated call changes its outcome",
       switch_on<&Deviations::last_tool_outcome_wins>},
      {"break-reads-ok", "STM-TOOL-T4", "BREAK and NOOP are shown as OK",
       switch_on<&Deviations::break_is_ok>},
      {"hides-anomalies", "API-ANOMALY", "Nothing is listed under anomalies",
       switch_on<&Deviations::hides_anomalies>},
      {"workflow-never-starts", "STM-WF-T1", "A started workflow is shown as PENDING", nullptr,
       shows_workflow("RUNNING", "PENDING")},
      {"workflow-never-completes", "STM-WF-T2", "A completed workflow is shown as RUNNING", nullptr,
       shows_workflow("COMPLETED", "RUNNING")},
      {"workflow-failure-reads-completed", "STM-WF-T3", "A failed workflow is shown as COMPLETED",
       nullptr, shows_workflow("FAILED", "COMPLETED")},
      {"commands-complete-the-workflow", "STM-WF-R2",
       "The workflow is shown as COMPLETED once all commands are", nullptr,
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!all_commands_completed(body)) return;
                        replace_text(body, "workflow_state", "RUNNING", "COMPLETED");
                        replace_text(body, "workflow_state", "PENDING", "COMPLETED");
                      })},
      {"step-never-starts", "STM-STEP-T1", "A running step is shown as PENDING", nullptr,
       shows_layer("steps", "state", "RUNNING", "PENDING")},
      {"step-never-completes", "STM-STEP-T2", "A completed step is shown as RUNNING", nullptr,
       shows_layer("steps", "state", "COMPLETED", "RUNNING")},
      {"step-failure-reads-completed", "STM-STEP-T3", "A failed step is shown as COMPLETED",
       nullptr, shows_layer("steps", "state", "FAILED", "COMPLETED")},
      {"case-handled-reads-failed", "STM-STEP-T4", "CASE_HANDLED is shown as FAILED", nullptr,
       shows_layer("steps", "state", "CASE_HANDLED", "FAILED")},
      {"step-completion-spreads", "STM-STEP-R1",
       "Once one step has completed, every step is shown as completed", nullptr,
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        bool completed = false;
                        each_item(body, "steps", [&](Value& item) {
                          completed = completed || has_text(item, "state", "COMPLETED");
                        });
                        each_item(body, "steps", [&](Value& item) {
                          if (completed) replace_text(item, "state", "RUNNING", "COMPLETED");
                        });
                      })},
      {"issued-reads-claimed", "STM-CMD-T1", "An issued command is shown as CLAIMED", nullptr,
       shows_layer("commands", "state", "ISSUED", "CLAIMED")},
      {"claim-is-not-shown", "STM-CMD-T2", "A claimed command is shown as ISSUED", nullptr,
       shows_layer("commands", "state", "CLAIMED", "ISSUED")},
      {"command-start-is-not-shown", "STM-CMD-T3", "A running command is shown as CLAIMED", nullptr,
       shows_layer("commands", "state", "RUNNING", "CLAIMED")},
      {"command-never-completes", "STM-CMD-T4", "A completed command is shown as RUNNING", nullptr,
       shows_layer("commands", "state", "COMPLETED", "RUNNING")},
      {"command-failure-reads-completed", "STM-CMD-T5", "A failed command is shown as COMPLETED",
       nullptr, shows_layer("commands", "state", "FAILED", "COMPLETED")},
      {"command-cancel-reads-failed", "STM-CMD-T6", "A cancelled command is shown as FAILED",
       nullptr, shows_layer("commands", "state", "CANCELLED", "FAILED")},
      {"cancel-leaves-commands", "API-CANCEL", "Cancelling leaves issued commands as they were",
       switch_on<&service::Deviations::cancel_leaves_commands>},
      {"tool-ok-reads-noop", "STM-TOOL-T2", "A tool's OK is shown as NOOP", nullptr,
       shows_layer("tools", "outcome", "OK", "NOOP")},
      {"tool-error-reads-ok", "STM-TOOL-T3", "A tool's ERROR is shown as OK", nullptr,
       shows_layer("tools", "outcome", "ERROR", "OK")},
      {"tool-noop-reads-break", "STM-TOOL-T4", "A tool's NOOP is shown as BREAK", nullptr,
       shows_layer("tools", "outcome", "NOOP", "BREAK")},
  };
}

std::vector<Fault> status_answer_faults() {
  return {
      {"status-carries-variables", "STM-API-NOVARS", "The status shows ctx and workload",
       switch_on<&service::Deviations::status_carries_variables>},
      {"ended-at-while-running", "STM-API-ENDED", "ended_at is set while the execution runs",
       switch_on<&service::Deviations::ended_at_while_running>},
      {"terminal-event-is-short", "STM-API-TERM",
       "terminal_event says completed where it was playbook.completed",
       switch_on<&service::Deviations::terminal_event_is_short>},
      {"rebuilt-is-not-inferred", "STM-API-INFER", "completion_inferred stays false after an evict",
       switch_on<&service::Deviations::rebuilt_is_not_inferred>},
      {"status-lacks-current-step", "STM-API-FIELDS", "The status has no current_step", nullptr,
       changes_status(
           [](const service::Request&, Value& body) { body.as_object().erase("current_step"); })},
      {"ended-at-is-lost", "STM-API-ENDED", "ended_at stays null after a cancel", nullptr,
       changes_status([](const service::Request&, Value& body) {
         if (has_text(body, "state", "CANCELLED")) body.as_object()["ended_at"] = Value();
       })},
      {"terminal-event-of-failure-is-wrong", "STM-API-TERM",
       "terminal_event is playbook.completed after playbook.failed", nullptr,
       changes_status([](const service::Request&, Value& body) {
         replace_text(body, "terminal_event", "playbook.failed", "playbook.completed");
       })},
      {"status-carries-the-payload", "STM-API-NOVARS",
       "The status of an ended execution shows a result", nullptr,
       changes_status([](const service::Request&, Value& body) {
         if (has_text(body, "state", "COMPLETED")) body.as_object()["result"] = Object{};
       })},
      {"variables-without-workload", "STM-API-VIEW", "The view of variables has no workload",
       nullptr,
       alters_answers(
           "GET /executions/*/variables",
           [](const service::Request&, Value& body) { body.as_object()["workload"] = Object{}; })},
      {"closing-event-listed-twice", "STM-ONCE-1", "The listing shows playbook.finished twice",
       nullptr,
       alters_answers("GET /executions/*/events",
                      [](const service::Request&, Value& body) {
                        List* events = list_at(body, "events");
                        if (events == nullptr) return;
                        for (std::size_t index = 0; index < events->size(); ++index) {
                          if (!has_text(events->at(index), "event_type", "playbook.finished")) {
                            continue;
                          }
                          const Value twin = events->at(index);
                          events->push_back(twin);
                          return;
                        }
                      })},
  };
}

}  // namespace

std::vector<Fault> status_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {inference_faults, execution_faults, lower_layer_faults, status_answer_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
