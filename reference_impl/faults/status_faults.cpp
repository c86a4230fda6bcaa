#include <algorithm>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/misreadings.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/retelling.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// The status shows another word for one state.
Intercept shows_state(const std::string& from, const std::string& to) {
  return alters_answers(status_route, [from, to](const service::Request&, Value& body) {
    replace_text(body, "state", from, to);
  });
}

/// The detail shows another word in a list of a layer.
Intercept shows_layer(const std::string& list, const std::string& name, const std::string& from,
                      const std::string& to) {
  return alters_answers(detail_route, [=](const service::Request&, Value& body) {
    each_item(body, list, [&](Value& item) { replace_text(item, name, from, to); });
  });
}

Intercept shows_workflow(const std::string& from, const std::string& to) {
  return alters_answers(detail_route, [=](const service::Request&, Value& body) {
    replace_text(body, "workflow_state", from, to);
  });
}

Intercept changes_status(ChangeBody change) {
  return alters_answers(status_route, std::move(change));
}

/// A command that is shown as `from` is shown as `to` once there is such an event of it.
Intercept ends_commands(const std::string& from, const std::string& type, const std::string& to) {
  return alters_by_log(detail_route, [=](const List& events, Value& body) {
    each_item(body, "commands", [&](Value& command) {
      if (has_event(events, type, "command_id", text_of(command, "command_id"))) {
        replace_text(command, "state", from, to);
      }
    });
  });
}

/// A tool's outcome gives way to another once there is such an event of its command.
Intercept replaces_outcomes(const std::string& from, const std::string& type,
                            const std::string& to) {
  return alters_by_log(detail_route, [=](const List& events, Value& body) {
    each_item(body, "tools", [&](Value& tool) {
      if (has_event(events, type, "command_id", text_of(tool, "command_id"))) {
        replace_text(tool, "outcome", from, to);
      }
    });
  });
}

/// Where the tools are as `applies` says, each running command without a tool has one that is OK.
Intercept adds_outcomes(const std::function<bool(const List& tools)>& applies) {
  return alters_answers(detail_route, [applies](const service::Request&, Value& body) {
    List* tools = list_at(body, "tools");
    if (tools == nullptr || !applies(*tools)) return;
    each_item(body, "commands", [&](Value& command) {
      const std::string id = text_of(command, "command_id");
      const bool has_tool = std::any_of(tools->begin(), tools->end(), [&](const Value& tool) {
        return has_text(tool, "command_id", id);
      });
      if (has_tool || !has_text(command, "state", "RUNNING")) return;
      tools->emplace_back(Object{{"command_id", id}, {"outcome", "OK"}});
    });
  });
}

/// The server's own command.cancelled, as a cancel appends it, does not come.
Intercept leaves_commands_at_cancel() {
  const Retell retell = without([](const Value& event) {
    return is_type(event, "command.cancelled") && has_text(event, "source", "server");
  });
  return [in_log = changes_log(retell), elsewhere = reads_layers_as(retell)](
             service::Service& sound, const service::Request& request) {
    return is_on_route(request, log_route) ? in_log(sound, request) : elsewhere(sound, request);
  };
}

/// Each cancel of an ended execution adds an execution.cancelled.
Intercept repeats_cancel() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    const Value body = json_of(reply.body);
    const Value* already = body.find("already_terminal");
    if (already == nullptr || *already != Value(true)) return reply;
    const List events = log_of(sound, request);
    const Value event = Object{{"event_id", "cancelled-again-" + std::to_string(events.size())},
                               {"event_type", "execution.cancelled"},
                               {"timestamp", text_of(events.back(), "timestamp")}};
    service::Request posts = with_body(request, event);
    posts.target = execution_path(request) + "/events";
    posts.headers = {{"Content-Type", "application/json"}};
    static_cast<void>(sound.handle(posts));
    return reply;
  };
}

/// The status has what /variables has.
Intercept shows_variables() {
  return [](service::Service& sound, const service::Request& request) {
    const auto add = [&](const service::Request&, Value& body) {
      body.as_object()["variables"] = ask(sound, execution_path(request) + "/variables");
    };
    return alters_answers(status_route, add)(sound, request);
  };
}

bool all_commands_completed(Value& body) {
  const List* commands = list_at(body, "commands");
  if (commands == nullptr || commands->empty()) return false;
  for (const Value& command : *commands) {
    if (!has_text(command, "state", "COMPLETED")) return false;
  }
  return true;
}

std::vector<Fault> execution_faults() {
  return {
      {"late-work-reopens", "STM-EXEC-R1", "A late step.enter makes an ended execution run again",
       reads_log_as(forget_ends_before_work)},
      {"last-close-wins", "STM-EXEC-R1", "A later lifecycle event replaces the terminal state",
       reads_log_as(keep_last_end)},
      {"backdated-close-wins", "STM-EXEC-R1",
       "Of two closing events the one with the earlier timestamp wins, not the one stored first",
       reads_log_as(keep_earliest_end)},
      {"close-needs-start", "STM-EXEC-R1", "A closing event before the start event is lost",
       reads_log_as(lose_ends_before_start)},
      {"second-start-moves-start", "STM-API-FIELDS", "started_at follows the newest start event",
       reads_log_as(keep_last_start)},
      {"late-events-move-end", "STM-API-ENDED", "ended_at follows later events",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       Value* end = member(body, "ended_at");
                       if (end != nullptr && end->is_string() && !events.empty()) {
                         *end = text_of(events.back(), "timestamp");
                       }
                     })},
      {"late-steps-move-current", "STM-EXEC-R1", "current_step follows steps after the end",
       reads_log_as(put_ends_last)},
      {"says-inferred-while-live", "STM-API-INFER", "completion_inferred is true after any close",
       changes_status([](const service::Request&, Value& body) {
         const Value* end = body.find("ended_at");
         if (end != nullptr && !end->is_null()) body.as_object()["completion_inferred"] = true;
       })},
      {"infers-an-end-at-every-step", "STM-API-INFER",
       "completion_inferred is true of a running execution that has entered a step",
       changes_status([](const service::Request&, Value& body) {
         const Value* step = body.find("current_step");
         const Value* end = body.find("ended_at");
         if (step == nullptr || step->is_null() || end == nullptr || !end->is_null()) return;
         body.as_object()["completion_inferred"] = true;
       })},
      {"never-starts", "STM-EXEC-T1", "An execution that was started is shown as PENDING",
       shows_state("RUNNING", "PENDING")},
      {"never-completes", "STM-EXEC-T2", "A completed execution is shown as RUNNING",
       shows_state("COMPLETED", "RUNNING")},
      {"failure-reads-completed", "STM-EXEC-T3", "A failed execution is shown as COMPLETED",
       shows_state("FAILED", "COMPLETED")},
      {"cancel-reads-running", "STM-EXEC-T4", "A cancelled execution is shown as RUNNING",
       shows_state("CANCELLED", "RUNNING")},
  };
}

std::vector<Fault> word_faults() {
  return {
      {"cancelled-reads-failed", "STM-VOC-1", "CANCELLED is shown as FAILED",
       shows_state("CANCELLED", "FAILED")},
      {"cancelled-spelt-with-one-l", "STM-VOC-1", "CANCELLED is spelt CANCELED",
       shows_state("CANCELLED", "CANCELED")},
      {"pending-has-a-word-of-its-own", "STM-STATE-1", "PENDING is shown as QUEUED",
       shows_state("PENDING", "QUEUED")},
      {"cancel-repeats-its-event", "API-CANCEL", "Cancelling an ended execution adds an event",
       repeats_cancel()},
      {"end-dated-before-start-is-lost", "STM-EXEC-T2",
       "An end that is dated before the start does not complete the execution",
       changes_status([](const service::Request&, Value& body) {
         const auto start = body.string_at("started_at");
         const auto end = body.string_at("ended_at");
         if (start && end && *end < *start) replace_text(body, "state", "COMPLETED", "RUNNING");
       })},
      {"finished-with-error-reads-completed", "STM-EXEC-T3",
       "playbook.finished with status error completes the execution",
       changes_status([](const service::Request&, Value& body) {
         if (has_text(body, "terminal_event", "playbook.finished")) {
           replace_text(body, "state", "FAILED", "COMPLETED");
         }
       })},
      {"cancel-before-the-start-is-lost", "STM-EXEC-T4",
       "An execution that was cancelled before it started is PENDING",
       changes_status([](const service::Request&, Value& body) {
         const Value* start = body.find("started_at");
         if (start != nullptr && start->is_null()) {
           replace_text(body, "state", "CANCELLED", "PENDING");
         }
       })},
      {"paused-has-a-word-of-its-own", "STM-STATE-1",
       "The state is PAUSED while playbook.paused is the newest event",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (ends_in(events, "playbook.paused")) {
                         replace_text(body, "state", "RUNNING", "PAUSED");
                       }
                     })},
      {"v10-start-is-no-start", "STM-EXEC-T1",
       "playbook.started, the start under specification 001's name, leaves the execution PENDING",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (count_type(events, "playbook.initialized") == 0) {
                         replace_text(body, "state", "RUNNING", "PENDING");
                       }
                     })},
  };
}

std::vector<Fault> lower_layer_faults() {
  return {
      {"exit-status-knows-case", "STM-STEP-T2", "step.exit counts only with an upper-case status",
       reads_layers_as(lose_lower_case_exits)},
      {"iteration-exit-ends-step", "STM-STEP-R2", "step.exit of an iteration ends its step",
       reads_layers_as(take_iterations_for_steps)},
      {"case-handled-reads-completed", "STM-STEP-T4", "CASE_HANDLED is shown as COMPLETED",
       shows_layer("steps", "state", "CASE_HANDLED", "COMPLETED")},
      {"running-command-cancels", "STM-CMD-T6", "command.cancelled cancels a RUNNING command too",
       ends_commands("RUNNING", "command.cancelled", "CANCELLED")},
      {"command-needs-no-issue", "STM-CMD-T1", "A command moves that was never issued",
       reads_layers_as(issue_unissued_commands)},
      {"command-needs-no-claim", "STM-CMD-T3", "A command starts that was never claimed",
       reads_layers_as(claim_before_start)},
      {"last-tool-outcome-wins", "API-ANOMALY", "A repeated call changes its outcome",
       reads_layers_as(keep_last_tool_outcomes)},
      {"break-reads-ok", "STM-TOOL-T4", "BREAK and NOOP are shown as OK",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        each_item(body, "tools", [](Value& tool) {
                          replace_text(tool, "outcome", "BREAK", "OK");
                          replace_text(tool, "outcome", "NOOP", "OK");
                        });
                      })},
      {"hides-anomalies", "API-ANOMALY", "Nothing is listed under anomalies",
       alters_answers(detail_route, [](const service::Request&,
                                       Value& body) { body.as_object()["anomalies"] = List{}; })},
  };
}

std::vector<Fault> workflow_faults() {
  return {
      {"workflow-never-starts", "STM-WF-T1", "A started workflow is shown as PENDING",
       shows_workflow("RUNNING", "PENDING")},
      {"workflow-never-completes", "STM-WF-T2", "A completed workflow is shown as RUNNING",
       shows_workflow("COMPLETED", "RUNNING")},
      {"workflow-failure-reads-completed", "STM-WF-T3", "A failed workflow is shown as COMPLETED",
       shows_workflow("FAILED", "COMPLETED")},
      {"commands-complete-the-workflow", "STM-WF-R2",
       "The workflow is shown as COMPLETED once all commands are",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!all_commands_completed(body)) return;
                        replace_text(body, "workflow_state", "RUNNING", "COMPLETED");
                        replace_text(body, "workflow_state", "PENDING", "COMPLETED");
                      })},
      {"workflow-starts-with-the-playbook", "STM-WF-T1",
       "The workflow is RUNNING as soon as the execution is",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!has_text(body, "state", "RUNNING")) return;
                        replace_text(body, "workflow_state", "PENDING", "RUNNING");
                      })},
      {"evict-reopens-a-completed-workflow", "STM-WF-T2",
       "A completed workflow is RUNNING again once the live state is gone",
       [] { return after_evict(shows_workflow("COMPLETED", "RUNNING")); }},
      {"evict-reopens-a-failed-workflow", "STM-WF-T3",
       "A failed workflow is RUNNING again once the live state is gone",
       [] { return after_evict(shows_workflow("FAILED", "RUNNING")); }},
      {"batch-completes-the-workflow", "STM-WF-R2",
       "The workflow is shown as COMPLETED from a batch.completed on",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       if (count_type(events, "batch.completed") == 0) return;
                       replace_text(body, "workflow_state", "RUNNING", "COMPLETED");
                     })},
  };
}

std::vector<Fault> step_faults() {
  return {
      {"step-never-starts", "STM-STEP-T1", "A running step is shown as PENDING",
       shows_layer("steps", "state", "RUNNING", "PENDING")},
      {"step-never-completes", "STM-STEP-T2", "A completed step is shown as RUNNING",
       shows_layer("steps", "state", "COMPLETED", "RUNNING")},
      {"step-failure-reads-completed", "STM-STEP-T3", "A failed step is shown as COMPLETED",
       shows_layer("steps", "state", "FAILED", "COMPLETED")},
      {"case-handled-reads-failed", "STM-STEP-T4", "CASE_HANDLED is shown as FAILED",
       shows_layer("steps", "state", "CASE_HANDLED", "FAILED")},
      {"step-completion-spreads", "STM-STEP-R1",
       "Once one step has completed, every step is shown as completed",
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
      {"issued-command-starts-no-step", "STM-STEP-T1",
       "A step that only a command was issued for is shown as PENDING",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       each_item(body, "steps", [&](Value& step) {
                         const std::string name = text_of(step, "step");
                         if (has_event(events, "command.issued", "node_name", name) &&
                             !has_event(events, "step.enter", "node_name", name)) {
                           replace_text(step, "state", "RUNNING", "PENDING");
                         }
                       });
                     })},
      {"lower-case-failure-ends-no-step", "STM-STEP-T3",
       "A step that failed in lower case is shown as RUNNING",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       each_item(body, "steps", [&](Value& step) {
                         if (has_event(events, "step.exit", "status", "failed")) {
                           replace_text(step, "state", "FAILED", "RUNNING");
                         }
                       });
                     })},
      {"step-failure-spreads", "STM-STEP-R1",
       "Once one step has failed, every running step is shown as failed",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        bool failed = false;
                        each_item(body, "steps", [&](Value& step) {
                          failed = failed || has_text(step, "state", "FAILED");
                        });
                        each_item(body, "steps", [&](Value& step) {
                          if (failed) replace_text(step, "state", "RUNNING", "FAILED");
                        });
                      })},
  };
}

std::vector<Fault> command_faults() {
  return {
      {"issued-reads-claimed", "STM-CMD-T1", "An issued command is shown as CLAIMED",
       shows_layer("commands", "state", "ISSUED", "CLAIMED")},
      {"claim-is-not-shown", "STM-CMD-T2", "A claimed command is shown as ISSUED",
       shows_layer("commands", "state", "CLAIMED", "ISSUED")},
      {"command-start-is-not-shown", "STM-CMD-T3", "A running command is shown as CLAIMED",
       shows_layer("commands", "state", "RUNNING", "CLAIMED")},
      {"command-never-completes", "STM-CMD-T4", "A completed command is shown as RUNNING",
       shows_layer("commands", "state", "COMPLETED", "RUNNING")},
      {"command-failure-reads-completed", "STM-CMD-T5", "A failed command is shown as COMPLETED",
       shows_layer("commands", "state", "FAILED", "COMPLETED")},
      {"command-cancel-reads-failed", "STM-CMD-T6", "A cancelled command is shown as FAILED",
       shows_layer("commands", "state", "CANCELLED", "FAILED")},
      {"cancel-leaves-commands", "API-CANCEL", "Cancelling leaves issued commands as they were",
       leaves_commands_at_cancel()},
      {"claimed-command-completes", "STM-CMD-T4",
       "A command that was never started completes from CLAIMED",
       ends_commands("CLAIMED", "command.completed", "COMPLETED")},
      {"claimed-command-fails", "STM-CMD-T5", "A command that was never started fails from CLAIMED",
       ends_commands("CLAIMED", "command.failed", "FAILED")},
      {"second-claim-takes-over", "STM-CMD-T2",
       "A running command that is claimed again is shown as CLAIMED",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       if (count_type(events, "command.claimed") < 2) return;
                       each_item(body, "commands", [](Value& command) {
                         replace_text(command, "state", "RUNNING", "CLAIMED");
                       });
                     })},
  };
}

std::vector<Fault> tool_faults() {
  return {
      {"tool-ok-reads-noop", "STM-TOOL-T2", "A tool's OK is shown as NOOP",
       shows_layer("tools", "outcome", "OK", "NOOP")},
      {"tool-error-reads-ok", "STM-TOOL-T3", "A tool's ERROR is shown as OK",
       shows_layer("tools", "outcome", "ERROR", "OK")},
      {"tool-noop-reads-break", "STM-TOOL-T4", "A tool's NOOP is shown as BREAK",
       shows_layer("tools", "outcome", "NOOP", "BREAK")},
      {"tool-error-replaces-ok", "STM-TOOL-T2", "A later call.error turns a tool's OK into ERROR",
       replaces_outcomes("OK", "call.error", "ERROR")},
      {"tool-ok-replaces-error", "STM-TOOL-T3", "A later call.done turns a tool's ERROR into OK",
       replaces_outcomes("ERROR", "call.done", "OK")},
      {"tool-is-ok-from-its-start", "STM-TOOL-T1",
       "The tool of a running command is OK before it has answered",
       adds_outcomes([](const List& tools) { return tools.empty(); })},
      {"second-tool-has-the-first-outcome", "STM-TOOL-T1",
       "The tool of a running command has an earlier tool's outcome before it has answered",
       adds_outcomes([](const List& tools) { return !tools.empty(); })},
      {"guards-do-not-see-outcomes", "STM-TOOL-R1", "Guards do not see the outcome of a step",
       alters_requests(post_route,
                       [](Value& event) {
                         Value* payload = member(event, "payload");
                         if (is_type(event, "step.done") && payload != nullptr &&
                             payload->is_object()) {
                           payload->as_object().erase("outcome");
                         }
                       })},
      {"guards-see-flat-outcomes", "STM-TOOL-R1",
       "Guards see an outcome without the objects inside it",
       alters_requests(post_route,
                       [](Value& event) {
                         Value* payload = member(event, "payload");
                         Value* outcome =
                             payload == nullptr ? nullptr : member(*payload, "outcome");
                         if (!is_type(event, "step.done") || outcome == nullptr ||
                             !outcome->is_object()) {
                           return;
                         }
                         for (auto& [name, value] : outcome->as_object()) {
                           if (value.is_object()) value = Value();
                         }
                       })},
  };
}

std::vector<Fault> status_answer_faults() {
  return {
      {"status-carries-variables", "STM-API-NOVARS", "The status shows ctx and workload",
       shows_variables()},
      {"ended-at-while-running", "STM-API-ENDED", "ended_at is set while the execution runs",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       Value* end = member(body, "ended_at");
                       if (end != nullptr && end->is_null() && !events.empty()) {
                         *end = text_of(events.back(), "timestamp");
                       }
                     })},
      {"terminal-event-is-short", "STM-API-TERM",
       "terminal_event says completed where it was playbook.completed",
       changes_status([](const service::Request&, Value& body) {
         Value* event = member(body, "terminal_event");
         if (event == nullptr || !event->is_string()) return;
         *event = event->as_string().substr(event->as_string().find('.') + 1);
       })},
      {"rebuilt-is-not-inferred", "STM-API-INFER", "completion_inferred stays false after an evict",
       changes_status([](const service::Request&, Value& body) {
         body.as_object()["completion_inferred"] = false;
       })},
      {"status-lacks-current-step", "STM-API-FIELDS", "The status has no current_step",
       changes_status(
           [](const service::Request&, Value& body) { body.as_object().erase("current_step"); })},
      {"ended-at-is-lost", "STM-API-ENDED", "ended_at stays null after a cancel",
       changes_status([](const service::Request&, Value& body) {
         if (has_text(body, "state", "CANCELLED")) body.as_object()["ended_at"] = Value();
       })},
      {"terminal-event-of-failure-is-wrong", "STM-API-TERM",
       "terminal_event is playbook.completed after playbook.failed",
       changes_status([](const service::Request&, Value& body) {
         replace_text(body, "terminal_event", "playbook.failed", "playbook.completed");
       })},
      {"status-carries-the-payload", "STM-API-NOVARS",
       "The status of an ended execution shows a result",
       changes_status([](const service::Request&, Value& body) {
         if (has_text(body, "state", "COMPLETED")) body.as_object()["result"] = Object{};
       })},
      {"variables-without-workload", "STM-API-VIEW", "The view of variables has no workload",
       alters_answers(
           "GET /executions/*/variables",
           [](const service::Request&, Value& body) { body.as_object()["workload"] = Object{}; })},
      {"closing-event-listed-twice", "STM-ONCE-1", "The listing shows playbook.finished twice",
       alters_answers(log_route,
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
      {"cancel-adds-a-failure", "STM-ONCE-1",
       "The listing shows a playbook.failed beside each execution.cancelled",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        List* events = list_at(body, "events");
                        if (events == nullptr || !ends_in(*events, "execution.cancelled")) return;
                        Value twin = events->back();
                        twin.as_object()["event_type"] = "playbook.failed";
                        events->push_back(std::move(twin));
                      })},
  };
}

}  // namespace

std::vector<Fault> status_faults() {
  std::vector<Fault> all;
  for (const auto family : {execution_faults, word_faults, lower_layer_faults, workflow_faults,
                            step_faults, command_faults, tool_faults, status_answer_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
