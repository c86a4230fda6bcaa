// Who decides the status of an execution, told by what engines have been seen to guess it from.
#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/retelling.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// The status shows the execution as open in that state.
void reopen_as(Value& status, std::string_view state) {
  Object& answer = status.as_object();
  answer["state"] = state;
  answer["ended_at"] = Value();
  answer["terminal_event"] = Value();
}

/// An execution that is shown as `from` is open, in the state `to`, while its log is as `holds`
/// says.
Intercept holds_open(const std::string& from, const std::string& to, const LogCondition& holds) {
  return alters_by_log(status_route, [=](const List& events, Value& body) {
    if (has_text(body, "state", from) && holds(events)) reopen_as(body, to);
  });
}

/// The ids of the commands that have an event of the type, in the order of the log.
std::vector<std::string> commands_with(const List& events, std::string_view type) {
  std::vector<std::string> ids;
  for (const Value& event : events) {
    if (is_type(event, type)) ids.push_back(text_of(event, "command_id"));
  }
  return ids;
}

/// There is such a command, and each has an event of the other type.
bool each_with_has(const List& events, std::string_view type, std::string_view other) {
  const std::vector<std::string> ids = commands_with(events, type);
  return !ids.empty() && std::all_of(ids.begin(), ids.end(), [&](const std::string& id) {
    return has_event(events, other, "command_id", id);
  });
}

bool has_type(const List& events, std::string_view type) { return count_type(events, type) > 0; }

/// No engine runs: the client posts every event.
bool is_replay(const List& events) { return !has_type(events, "playbook.execution.requested"); }

/// The newest event is of the type and about the node of the step that was entered last.
bool ends_in_the_last_step(const List& events, std::string_view type) {
  if (!ends_in(events, type)) return false;
  std::string entered;
  for (const Value& event : events) {
    if (is_type(event, "step.enter")) entered = text_of(event, "node_name");
  }
  return !entered.empty() && has_text(events.back(), "node_name", entered);
}

/// The newest event has an end's word as its status, and is of another layer.
std::string word_of_the_newest(const List& events) {
  if (events.empty() || text_of(events.back(), "event_type").starts_with("playbook.")) return "";
  const std::string word = text_of(events.back(), "status");
  return word == "COMPLETED" || word == "FAILED" ? word : "";
}

std::string tool_word(const Value& event) {
  const Value* word = event.at_pointer("/payload/outcome/status");
  return is_type(event, "call.done") && word != nullptr && word->is_string() ? word->as_string()
                                                                             : "";
}

std::vector<Fault> guessing_faults() {
  return {
      {"newest-status-is-the-state", "STM-CORE-1",
       "The execution's state is the status of its newest event of a lower layer",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       const std::string word = word_of_the_newest(events);
                       if (!word.empty()) replace_text(body, "state", "RUNNING", word);
                     })},
      {"calls-and-commands-together-close", "STM-CORE-2",
       "The execution completes once every command has its completion and its call.done",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return each_with_has(events, "command.issued", "command.completed") &&
                           each_with_has(events, "command.issued", "call.done");
                  })},
      {"start-behind-the-end-reopens", "STM-OWN-1",
       "An ended execution whose start is stored behind its end is RUNNING once work follows",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       const bool is_late =
                           events.size() > 2 && is_start(events[1]) && !is_end(events.back());
                       if (is_late && is_end(events.front())) reopen_as(body, "RUNNING");
                     })},
      {"playbook-cancelled-counts", "STM-EXEC-R2",
       "playbook.cancelled, which is not a lifecycle event, cancels the execution",
       infers_end("CANCELLED",
                  [](const List& events) { return ends_in(events, "playbook.cancelled"); })},
      {"batch-without-a-count-closes", "STM-INF-BATCH",
       "A batch.completed that does not say what is pending closes the execution",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return ends_in(events, "batch.completed") &&
                           events.back().at_pointer("/payload/pending_count") == nullptr;
                  })},
      {"last-visible-command-closes", "STM-INF-CMD",
       "command.completed closes the execution on the step that was entered last",
       infers_end(
           "COMPLETED",
           [](const List& events) { return ends_in_the_last_step(events, "command.completed"); })},
      {"last-visible-call-closes", "STM-INF-CALL",
       "call.done closes the execution on the step that was entered last",
       infers_end("COMPLETED",
                  [](const List& events) { return ends_in_the_last_step(events, "call.done"); })},
  };
}

std::vector<Fault> layer_guessing_faults() {
  return {
      {"ok-of-the-only-step-completes-it", "STM-LAYER-TOOL",
       "A tool's ok completes the execution where one step was entered",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return count_type(events, "step.enter") == 1 && !events.empty() &&
                           tool_word(events.back()) == "ok";
                  })},
      {"lone-command-failure-fails-it", "STM-LAYER-CMD",
       "command.failed fails an execution that has one command",
       infers_end("FAILED",
                  [](const List& events) {
                    return count_type(events, "command.issued") == 1 &&
                           has_type(events, "command.failed");
                  })},
      {"as-many-exits-as-steps-complete-it", "STM-LAYER-STEP",
       "The execution completes once as many steps have exited with success as were entered",
       infers_end("COMPLETED",
                  [](const List& events) {
                    const auto exits =
                        std::count_if(events.begin(), events.end(), [](const Value& event) {
                          return is_type(event, "step.exit") &&
                                 lower_text_of(event, "status") == "completed";
                        });
                    return exits > 0 &&
                           static_cast<std::size_t>(exits) == count_type(events, "step.enter");
                  })},
      {"second-iteration-fails-it", "STM-STEP-R2",
       "A second iteration that exits in the same step fails the execution",
       infers_end("FAILED",
                  [](const List& events) {
                    return std::count_if(events.begin(), events.end(), [](const Value& event) {
                             return is_type(event, "step.exit") &&
                                    (event.find("iteration") != nullptr ||
                                     event.find("iteration_id") != nullptr);
                           }) > 1;
                  })},
      {"unclaimed-commands-do-not-count", "STM-CMD-R2",
       "The execution completes once every command that was claimed has completed",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return each_with_has(events, "command.claimed", "command.completed");
                  })},
      {"tool-word-is-the-state", "STM-TOOL-R2",
       "BREAK and NOOP of the newest call.done are shown as the execution's state",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       const std::string word = events.empty() ? "" : tool_word(events.back());
                       if (word == "BREAK" || word == "NOOP") body.as_object()["state"] = word;
                     })},
      {"mixed-case-exit-fails-it", "STM-CASE-1",
       "step.exit fails the execution where its status is written Completed",
       infers_end("FAILED",
                  [](const List& events) {
                    return ends_in(events, "step.exit") &&
                           has_text(events.back(), "status", "Completed");
                  })},
  };
}

std::vector<Fault> transition_guessing_faults() {
  return {
      {"execution-runs-with-its-first-step", "STM-EXEC-T1",
       "A started execution stays PENDING until something of a lower layer is stored",
       holds_open(
           "RUNNING", "PENDING",
           [](const List& events) { return std::all_of(events.begin(), events.end(), is_start); })},
      {"finished-with-success-stays-running", "STM-EXEC-T2",
       "playbook.finished that a client posts, the end under specification 001's name, completes "
       "nothing",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (is_replay(events) && has_text(body, "state", "COMPLETED") &&
                           has_text(body, "terminal_event", "playbook.finished")) {
                         reopen_as(body, "RUNNING");
                       }
                     })},
      {"failure-waits-for-a-retry", "STM-EXEC-T3",
       "A failed replay is shown as RUNNING, as if it were tried again",
       holds_open("FAILED", "RUNNING", is_replay)},
      {"runtime-cancel-is-lost", "STM-EXEC-T4",
       "An execution.cancelled that did not come from the cancel API cancels nothing",
       holds_open("CANCELLED", "RUNNING",
                  [](const List& events) {
                    return !has_event(events, "execution.cancelled", "source", "server");
                  })},
      {"completes-between-two-commands", "STM-POS-RUN",
       "The execution completes once the command that was issued last has completed",
       infers_end("COMPLETED",
                  [](const List& events) {
                    const auto issued = commands_with(events, "command.issued");
                    return issued.size() > 1 &&
                           has_event(events, "command.completed", "command_id", issued.back());
                  })},
      {"batch-and-workflow-close-together", "STM-POS-DONE",
       "The execution completes once its log has a batch.completed and a workflow.completed",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return has_type(events, "batch.completed") &&
                           has_type(events, "workflow.completed");
                  })},
      {"failed-exit-behind-failed-commands-fails-it", "STM-POS-FAIL",
       "A failed step.exit fails the execution where no command has completed",
       infers_end("FAILED",
                  [](const List& events) {
                    return ends_in(events, "step.exit") &&
                           lower_text_of(events.back(), "status") == "failed" &&
                           has_type(events, "command.failed") &&
                           !has_type(events, "command.completed");
                  })},
      {"cancel-waits-for-its-commands", "STM-POS-CANCEL",
       "A cancelled execution is RUNNING until its started commands have ended",
       holds_open("CANCELLED", "RUNNING",
                  [](const List& events) {
                    return has_type(events, "command.started") &&
                           !each_with_has(events, "command.started", "command.completed");
                  })},
  };
}

std::vector<Fault> answer_guessing_faults() {
  return {
      {"status-has-an-eighth-field", "STM-API-FIELDS", "The status has updated_at besides",
       alters_answers(status_route,
                      [](const service::Request&, Value& body) {
                        const Value started = *body.find("started_at");
                        body.as_object()["updated_at"] = started;
                      })},
      {"terminal-event-is-the-newest", "STM-API-TERM",
       "terminal_event of an ended replay is its newest event",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       const Value* end = body.find("terminal_event");
                       if (end == nullptr || !end->is_string()) return;
                       if (events.empty() || !is_replay(events)) return;
                       body.as_object()["terminal_event"] = text_of(events.back(), "event_type");
                     })},
      {"cancel-leaves-no-event", "STM-ONCE-1", "The log has no execution.cancelled",
       changes_log([](List& events) {
         std::erase_if(events,
                       [](const Value& event) { return is_type(event, "execution.cancelled"); });
       })},
      {"cancelled-is-not-listed", "STM-VOC-1", "Cancelled executions are in no list of a state",
       alters_answers("GET /executions",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "executions", [](const Value& listed) {
                          return has_text(listed, "state", "CANCELLED");
                        });
                      })},
      {"guards-see-outcomes-as-texts", "STM-TOOL-R1",
       "Guards see the numbers of a step's outcome as texts",
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
                           const auto number = value.is_integer() ? value.to_int64() : std::nullopt;
                           if (number) value = std::to_string(*number);
                         }
                       })},
  };
}

}  // namespace

std::vector<Fault> deciding_faults() {
  std::vector<Fault> all;
  for (const auto family : {guessing_faults, layer_guessing_faults, transition_guessing_faults,
                            answer_guessing_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
