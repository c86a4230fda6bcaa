#include <algorithm>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/misreadings.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/retelling.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// A condition on the newest event of a log.
LogCondition newest(std::string type, std::function<bool(const Value& event)> also) {
  return [type = std::move(type), also = std::move(also)](const List& events) {
    return ends_in(events, type) && also(events.back());
  };
}
LogCondition newest(std::string type) {
  return newest(std::move(type), [](const Value&) { return true; });
}

/// The newest event is step.exit with that status, in the spelling that is given.
LogCondition newest_exit(const std::string& status) {
  return newest("step.exit",
                [status](const Value& event) { return has_text(event, "status", status); });
}

/// There is an issued command, and of each there is an event of one of the types.
bool every_command_has(const List& events, const std::vector<std::string_view>& types) {
  return count_type(events, "command.issued") > 0 &&
         std::all_of(events.begin(), events.end(), [&](const Value& event) {
           if (!is_type(event, "command.issued")) return true;
           const std::string id = text_of(event, "command_id");
           return std::any_of(types.begin(), types.end(), [&](std::string_view type) {
             return has_event(events, type, "command_id", id);
           });
         });
}

/// There are several commands, and each step that a command was issued for has exited.
bool every_step_has_exited(const List& events) {
  return count_type(events, "command.issued") > 1 &&
         std::all_of(events.begin(), events.end(), [&](const Value& event) {
           return !is_type(event, "command.issued") ||
                  has_event(events, "step.exit", "node_name", text_of(event, "node_name"));
         });
}

bool says_nothing_is_pending(const Value& event) {
  const Value* count = event.at_pointer("/payload/pending_count");
  return is_type(event, "batch.completed") && count != nullptr && *count == Value(0);
}

bool has_batch_with_nothing_pending(const List& events) {
  return std::any_of(events.begin(), events.end(), says_nothing_is_pending);
}

using OfEvent = std::function<bool(const Value& event)>;

OfEvent of_type(const std::string& type) {
  return [type](const Value& event) { return is_type(event, type); };
}

/// An event of the type on a node named end.
OfEvent is_on_end(const std::string& type) {
  return [type](const Value& event) {
    return is_type(event, type) && has_text(event, "node_name", "end");
  };
}

bool is_iteration_exit(const Value& event) {
  return is_type(event, "step.exit") &&
         (event.find("iteration") != nullptr || event.find("iteration_id") != nullptr);
}

EventCondition each(const OfEvent& holds) {
  return [holds](const Value& event, std::span<const Value>) { return holds(event); };
}

/// The first such event completes the execution for good.
Intercept completes_at(const OfEvent& holds) {
  return reads_log_as(ends_at("playbook.completed", each(holds)));
}

/// The event completes the last command of those that were issued.
bool completes_last_command(const Value& event, std::span<const Value> before) {
  if (!is_type(event, "command.completed")) return false;
  List events(before.begin(), before.end());
  events.push_back(event);
  return every_command_has(events, {"command.completed"});
}

std::vector<Fault> core_faults() {
  return {
      {"lower-events-start-it", "STM-CORE-1",
       "Any stored event takes a PENDING execution to RUNNING",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (!events.empty()) replace_text(body, "state", "PENDING", "RUNNING");
                     })},
      {"cancelled-command-cancels-it", "STM-CORE-1",
       "command.cancelled cancels the execution of which it is the newest event",
       infers_end("CANCELLED", newest("command.cancelled"))},
      {"four-kinds-of-end-close", "STM-CORE-2",
       "The execution completes once its log has a command.completed, a call.done, a step.exit and "
       "a batch.completed",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return count_type(events, "command.completed") > 0 &&
                           count_type(events, "call.done") > 0 &&
                           count_type(events, "step.exit") > 0 &&
                           count_type(events, "batch.completed") > 0;
                  })},
      {"batch-behind-an-exit-closes", "STM-CORE-2",
       "batch.completed closes the execution where a step.exit stands right before it",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return events.size() > 1 && ends_in(events, "batch.completed") &&
                           is_type(events[events.size() - 2], "step.exit");
                  })},
      {"issued-command-outranks-the-end", "STM-OWN-1",
       "An ended execution is RUNNING while its newest event is command.issued",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (ends_in(events, "command.issued")) body.as_object()["state"] = "RUNNING";
                     })},
      {"execution-completed-counts", "STM-OWN-1",
       "execution.completed, which is not a lifecycle event, completes the execution",
       infers_end("COMPLETED", newest("execution.completed"))},
      {"rebuilds-by-inference", "STM-OWN-2",
       "After an evict the status is inferred from lower layers",
       [] {
         return after_evict(completes_at([](const Value& event) {
           return says_nothing_is_pending(event) || is_on_end("command.completed")(event) ||
                  is_on_end("call.done")(event) || is_on_end("step.exit")(event);
         }));
       }},
      {"evicted-cancel-reads-running", "STM-OWN-2",
       "A cancelled execution is RUNNING again once its live state is gone",
       [] {
         return after_evict(alters_answers(status_route, [](const service::Request&, Value& body) {
           if (!replace_text(body, "state", "CANCELLED", "RUNNING")) return;
           body.as_object()["ended_at"] = Value();
           body.as_object()["terminal_event"] = Value();
         }));
       }},
      {"failed-exit-fails-it", "STM-EXEC-R2", "step.exit with status FAILED fails the execution",
       infers_end("FAILED", newest_exit("FAILED"))},
      {"finished-closes-whatever-status", "STM-EXEC-R2",
       "playbook.finished completes the execution whatever its status",
       reads_log_as(take_each_finish_for_success)},
      {"loop-done-closes", "EVT-NAME-BOUNDARY",
       "loop.done, the end of a loop, completes the execution",
       infers_end("COMPLETED", newest("loop.done"))},
  };
}

std::vector<Fault> fallback_faults() {
  return {
      {"batch-completed-closes", "STM-INF-BATCH",
       "batch.completed with nothing pending closes the execution",
       completes_at(says_nothing_is_pending)},
      {"batch-completed-closes-after-evict", "STM-INF-BATCH",
       "batch.completed with nothing pending counts as the end once the live state is gone",
       [] { return after_evict(completes_at(says_nothing_is_pending)); }},
      {"command-on-end-closes", "STM-INF-CMD",
       "command.completed on a node named end closes the execution",
       completes_at(is_on_end("command.completed"))},
      {"command-on-end-closes-after-evict", "STM-INF-CMD",
       "command.completed on a node named end counts as the end once the live state is gone",
       [] { return after_evict(completes_at(is_on_end("command.completed"))); }},
      {"call-on-end-closes", "STM-INF-CALL", "call.done on a node named end closes the execution",
       completes_at(is_on_end("call.done"))},
      {"call-on-end-closes-after-evict", "STM-INF-CALL",
       "call.done on a node named end counts as the end once the live state is gone",
       [] { return after_evict(completes_at(is_on_end("call.done"))); }},
      {"exit-on-end-closes", "STM-INF-STEP", "step.exit on a node named end closes the execution",
       completes_at(is_on_end("step.exit"))},
      {"exit-on-end-closes-after-evict", "STM-INF-STEP",
       "step.exit on a node named end counts as the end once the live state is gone",
       [] { return after_evict(completes_at(is_on_end("step.exit"))); }},
      {"last-iteration-closes", "STM-INF-STEP",
       "The third iteration's step.exit closes the execution",
       infers_end("COMPLETED", newest("step.exit",
                                      [](const Value& event) {
                                        const Value* iteration = event.find("iteration");
                                        return iteration != nullptr && *iteration == Value(2);
                                      }))},
  };
}

std::vector<Fault> layer_faults() {
  return {
      {"break-completes-it", "STM-LAYER-TOOL", "A tool's BREAK completes the execution",
       infers_end("COMPLETED", newest("call.done",
                                      [](const Value& event) {
                                        const Value* word =
                                            event.at_pointer("/payload/outcome/status");
                                        return word != nullptr && *word == Value("BREAK");
                                      }))},
      {"third-tool-error-fails-it", "STM-LAYER-TOOL", "The third call.error fails the execution",
       infers_end("FAILED",
                  [](const List& events) { return count_type(events, "call.error") > 2; })},
      {"second-command-completes-it", "STM-LAYER-CMD",
       "The second command.completed completes the execution",
       infers_end("COMPLETED",
                  [](const List& events) { return count_type(events, "command.completed") > 1; })},
      {"ended-commands-with-a-failure-fail-it", "STM-LAYER-CMD",
       "Once every command has ended and one has failed, the execution has failed",
       infers_end("FAILED",
                  [](const List& events) {
                    return count_type(events, "command.failed") > 0 &&
                           every_command_has(events, {"command.completed", "command.failed",
                                                      "command.cancelled"});
                  })},
      {"case-handled-completes-it", "STM-LAYER-STEP",
       "step.exit with CASE_HANDLED completes the execution",
       infers_end("COMPLETED", newest("step.exit",
                                      [](const Value& event) {
                                        return lower_text_of(event, "status") == "case_handled";
                                      }))},
      {"failed-exit-behind-an-error-fails-it", "STM-LAYER-STEP",
       "A failed step.exit right behind a call.error fails the execution",
       infers_end("FAILED",
                  [](const List& events) {
                    return events.size() > 1 && newest_exit("FAILED")(events) &&
                           is_type(events[events.size() - 2], "call.error");
                  })},
      {"workflow-end-completes-claimed-commands", "STM-LAYER-WF",
       "workflow.completed completes the commands that are claimed",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!has_text(body, "workflow_state", "COMPLETED")) return;
                        each_item(body, "commands", [](Value& command) {
                          replace_text(command, "state", "CLAIMED", "COMPLETED");
                        });
                      })},
      {"workflow-failure-cancels-commands", "STM-LAYER-WF",
       "workflow.failed cancels the commands that are claimed",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!has_text(body, "workflow_state", "FAILED")) return;
                        each_item(body, "commands", [](Value& command) {
                          replace_text(command, "state", "CLAIMED", "CANCELLED");
                        });
                      })},
      {"workflow-failure-fails-it", "STM-LAYER-EXEC", "workflow.failed fails the execution",
       infers_end("FAILED", newest("workflow.failed"))},
      {"workflow-and-steps-complete-it", "STM-LAYER-EXEC",
       "workflow.completed completes the execution where every step has exited",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return count_type(events, "workflow.completed") > 0 &&
                           every_step_has_exited(events);
                  })},
  };
}

std::vector<Fault> machine_faults() {
  return {
      {"workflow-completed-closes", "STM-WF-R1", "workflow.completed closes the execution",
       completes_at(of_type("workflow.completed"))},
      {"workflow-completed-closes-after-evict", "STM-WF-R1",
       "workflow.completed counts as the end once the live state is gone",
       [] { return after_evict(completes_at(of_type("workflow.completed"))); }},
      {"detail-ends-with-the-workflow", "STM-WF-R1",
       "The detail shows the execution as COMPLETED from workflow.completed on",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!has_text(body, "workflow_state", "COMPLETED")) return;
                        replace_text(body, "state", "RUNNING", "COMPLETED");
                      })},
      {"playbook-ends-before-its-workflow", "STM-WF-R3",
       "playbook.finished is listed before workflow.finished", changes_log([](List& events) {
         for (std::size_t at = 1; at < events.size(); ++at) {
           if (is_type(events[at - 1], "workflow.finished") &&
               is_type(events[at], "playbook.finished")) {
             std::swap(events[at - 1], events[at]);
           }
         }
       })},
      {"workflow-ends-well-whatever-the-playbook", "STM-WF-R3",
       "workflow.finished has status success where the playbook fails",
       changes_log([](List& events) {
         for (Value& event : events) {
           if (is_type(event, "workflow.finished")) event.as_object()["status"] = "success";
         }
       })},
      {"workflow-outlives-its-playbook", "STM-WF-R3",
       "The workflow of a driven execution is RUNNING for ever",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       if (count_type(events, "workflow.finished") == 0) return;
                       body.as_object()["workflow_state"] = "RUNNING";
                     })},
      {"iteration-exit-closes", "STM-STEP-R2", "step.exit of an iteration closes the execution",
       completes_at(is_iteration_exit)},
      {"lower-case-exit-closes", "STM-CASE-1",
       "step.exit closes the execution where its status is written in lower case",
       completes_at([](const Value& event) {
         return is_type(event, "step.exit") && has_text(event, "status", "completed");
       })},
      {"lower-case-failure-fails-it", "STM-CASE-1",
       "step.exit fails the execution where its status is failed, in lower case",
       infers_end("FAILED", newest_exit("failed"))},
      {"call-error-fails-execution", "STM-TOOL-R2", "call.error fails the execution",
       reads_log_as(ends_at("playbook.failed", each(of_type("call.error"))))},
      {"tool-error-is-the-state", "STM-TOOL-R2",
       "The execution's state is ERROR while its newest event is call.error",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (ends_in(events, "call.error")) body.as_object()["state"] = "ERROR";
                     })},
  };
}

std::vector<Fault> command_close_faults() {
  return {
      {"last-command-closes", "STM-CMD-R2",
       "The execution completes once every issued command has completed",
       reads_log_as(ends_at("playbook.completed", completes_last_command))},
      {"first-command-completes-it", "STM-CMD-R2",
       "The execution completes with its first command, while others are open",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return count_type(events, "command.issued") > 1 &&
                           count_type(events, "command.completed") > 0;
                  })},
      {"fifth-command-completes-it", "STM-CMD-R1",
       "The fifth command.completed completes the execution",
       infers_end("COMPLETED",
                  [](const List& events) { return count_type(events, "command.completed") > 4; })},
      {"command-end-ends-its-step", "STM-CMD-R1",
       "A step is shown as COMPLETED once its command is",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       each_item(body, "steps", [&](Value& step) {
                         if (has_event(events, "command.completed", "node_name",
                                       text_of(step, "step"))) {
                           replace_text(step, "state", "RUNNING", "COMPLETED");
                         }
                       });
                     })},
  };
}

std::vector<Fault> checklist_faults() {
  return {
      {"task-sequence-call-closes", "STM-POS-RUN",
       "call.done of a task sequence completes the execution",
       infers_end("COMPLETED",
                  newest("call.done",
                         [](const Value& event) {
                           return text_of(event, "node_name").ends_with(":task_sequence");
                         }))},
      {"batch-forgets-open-commands", "STM-POS-RUN",
       "A batch with nothing pending completes the execution though a command is open",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return has_batch_with_nothing_pending(events) &&
                           !every_command_has(events, {"command.completed"});
                  })},
      {"completion-waits-for-the-workflow", "STM-POS-DONE",
       "playbook.completed completes the execution only behind a workflow.completed",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (has_text(body, "terminal_event", "playbook.completed") &&
                           count_type(events, "workflow.completed") == 0) {
                         replace_text(body, "state", "COMPLETED", "RUNNING");
                       }
                     })},
      {"exited-steps-complete-it", "STM-POS-DONE",
       "The execution completes once every step with a command has exited",
       infers_end("COMPLETED", every_step_has_exited)},
      {"command-failed-fails-execution", "STM-POS-FAIL", "command.failed fails the execution",
       reads_log_as(ends_at("playbook.failed", each(of_type("command.failed"))))},
      {"workflow-failure-behind-a-step-fails-it", "STM-POS-FAIL",
       "workflow.failed fails the execution where a step has failed before",
       infers_end("FAILED",
                  [](const List& events) {
                    return ends_in(events, "workflow.failed") &&
                           std::any_of(events.begin(), events.end(), [](const Value& event) {
                             return is_type(event, "step.exit") &&
                                    lower_text_of(event, "status") == "failed";
                           });
                  })},
      {"late-success-outranks-the-cancel", "STM-POS-CANCEL",
       "A cancelled execution is COMPLETED once a step has exited with success after the cancel",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       bool cancelled = false;
                       for (const Value& event : events) {
                         cancelled = cancelled || is_type(event, "execution.cancelled");
                         if (cancelled && newest_exit("COMPLETED")({event})) {
                           replace_text(body, "state", "CANCELLED", "COMPLETED");
                         }
                       }
                     })},
      {"cancelled-commands-cancel-it", "STM-POS-CANCEL",
       "The execution is CANCELLED once every command is",
       infers_end("CANCELLED",
                  [](const List& events) {
                    return count_type(events, "command.cancelled") > 1 &&
                           every_command_has(events, {"command.cancelled"});
                  })},
  };
}

}  // namespace

std::vector<Fault> inference_faults() {
  std::vector<Fault> all;
  for (const auto family : {core_faults, fallback_faults, layer_faults, machine_faults,
                            command_close_faults, checklist_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
