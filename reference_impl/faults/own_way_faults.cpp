// What is shown of an execution or a run that nobody moves: it goes its way, or its client cancels
// it, and that is all that is ever asked of it.
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

constexpr const char* own_run_route = "GET /runs/*";
constexpr const char* own_runs_route = "GET /runs";
constexpr const char* own_audit_route = "GET /runs/*/audit";
constexpr const char* own_cancel_route = "POST /executions/*/cancel";

/// A status of a run that is shown as another.
struct MisreadRun {
  std::string_view id;
  std::string_view clause;
  std::string_view title;
  std::string_view from;
  std::string_view to;
};

constexpr std::array<MisreadRun, 13> misread_runs = {{
    {"running-reads-created", "RUN-T1", "A run that runs is shown as created", "running",
     "created"},
    {"success-reads-running", "RUN-T4", "A run that succeeded is shown as running", "success",
     "running"},
    {"failure-reads-success", "RUN-T5", "A failed run is shown as success", "failed", "success"},
    {"failure-reads-running", "RUN-T5", "A failed run is shown as running", "failed", "running"},
    {"denial-reads-canceled", "RUN-T6", "A denied run is shown as canceled", "denied", "canceled"},
    {"timeout-reads-failed", "RUN-T7", "A run that timed out is shown as failed", "timeout",
     "failed"},
    {"running-reads-waiting", "RUN-T1", "A run that runs is shown as waiting", "running",
     "waiting"},
    {"success-reads-failed", "RUN-T4", "A run that succeeded is shown as failed", "success",
     "failed"},
    {"failure-reads-canceled", "RUN-T5", "A failed run is shown as canceled", "failed", "canceled"},
    {"denial-reads-running", "RUN-T6", "A denied run is shown as running", "denied", "running"},
    {"timeout-reads-running", "RUN-T7", "A run that timed out is shown as running", "timeout",
     "running"},
    {"cancel-of-a-run-reads-failed", "RUN-T8", "A canceled run is shown as failed", "canceled",
     "failed"},
    {"cancel-of-a-run-reads-running", "RUN-T8", "A canceled run is shown as running", "canceled",
     "running"},
}};

Intercept shows_run(const std::function<void(Value& run)>& change) {
  return alters_answers(own_run_route,
                        [change](const service::Request&, Value& run) { change(run); });
}

/// A run in that status shows nothing in that member.
Intercept hides_of_run(const std::string& status, const std::string& name) {
  return shows_run([=](Value& run) {
    if (has_text(run, "status", status)) run.as_object()[name] = Value();
  });
}

bool has_ended_run(const Value& run) {
  const Value* ended = run.find("ended_at");
  return ended != nullptr && ended->is_string();
}

/// Every second look at an ended run, or at an ended execution's status, shows it working.
Intercept flickers(const std::string& route, const std::string& name, const std::string& word) {
  return [=, looks = std::make_shared<Memory>()](service::Service& sound,
                                                 const service::Request& request) {
    const auto change = [&](const service::Request&, Value& shown) {
      if (!has_ended_run(shown)) return;
      if (looks->has(request.target)) {
        looks->forget(request.target);
        shown.as_object()[name] = word;
        shown.as_object()["ended_at"] = Value();
      } else {
        looks->keep(request.target);
      }
    };
    return alters_answers(route, change)(sound, request);
  };
}

/// A cancel of a run that has ended is answered as if it were made.
Intercept answers_late_cancels() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /runs/*/transitions") && reply.status == 409 &&
        has_text(json_of(request.body), "to", "canceled")) {
      reply.status = 200;
    }
    return reply;
  };
}

/// A run that has ended may be canceled.
void take_late_cancels(service::ServiceOptions& options) {
  options.run_policy.allows = [](runs::Status from, runs::Status to) {
    return runs::is_defined(from, to) ||
           (to == runs::Status::canceled && runs::is_terminal(from) && from != to);
  };
}

/// A member of a run's diagnostic is shown as something else.
Intercept shows_in_diagnostic(const std::string& name, const std::function<void(Value&)>& change) {
  return shows_run([=](Value& run) {
    Value* diagnostic = member(run, "diagnostic");
    if (diagnostic == nullptr || !diagnostic->is_object()) return;
    if (Value* part = member(*diagnostic, name)) change(*part);
  });
}

/// The audit lacks the events for which `unwanted` holds, and counts on.
Intercept lacks_in_audit(const std::function<bool(const Value& event)>& unwanted) {
  return alters_answers(own_audit_route, [unwanted](const service::Request&, Value& body) {
    remove_items(body, "events", unwanted);
  });
}

bool is_audited_start(const Value& event) {
  return has_text(event, "outcome", "success") && has_text(event, "before_state", "created");
}

bool is_audited_end(const Value& event) {
  constexpr std::array<std::string_view, 4> ends = {"success", "failed", "denied", "timeout"};
  const std::string after = text_of(event, "after_state");
  return has_text(event, "outcome", "success") &&
         std::find(ends.begin(), ends.end(), after) != ends.end();
}

/// The start of a run and its end are audited as one move.
void join_start_and_end(const service::Request& /*request*/, Value& body) {
  const List* events = list_at(body, "events");
  if (events == nullptr || std::none_of(events->begin(), events->end(), is_audited_end)) return;
  remove_items(body, "events", is_audited_start);
  each_item(body, "events", [](Value& event) {
    if (is_audited_end(event)) replace_text(event, "before_state", "running", "created");
  });
}

std::vector<Fault> runs_by_themselves() {
  return {
      {"run-has-no-start", "RUN-T1", "A run that runs has no started_at",
       hides_of_run("running", "started_at")},
      {"success-has-no-start", "RUN-T4", "A run that succeeded has no started_at",
       hides_of_run("success", "started_at")},
      {"timeout-has-no-end", "RUN-T7", "A run that timed out has no ended_at",
       hides_of_run("timeout", "ended_at")},
      {"ended-run-flickers", "RUN-TERMINAL", "Every second look at an ended run shows it running",
       [] { return flickers(own_run_route, "status", "running"); }},
      {"late-cancel-cancels", "RUN-TERMINAL", "A run that has ended may be canceled",
       take_late_cancels},
      {"late-cancel-answers-200", "RUN-INVALID-REJECT",
       "A cancel of a run that has ended is answered as if it were made", answers_late_cancels()},
      {"denial-hides-its-diagnostic", "RUN-DIAG", "A denied run shows no diagnostic",
       hides_of_run("denied", "diagnostic")},
      {"diagnostic-has-no-cause", "RUN-DIAG", "A diagnostic is shown without its likely cause",
       shows_in_diagnostic("likely_cause", [](Value& part) { part = Value(); })},
      {"diagnostic-says-retryable-as-text", "RUN-DIAG", "retryable of a diagnostic is a text",
       shows_in_diagnostic("retryable",
                           [](Value& part) {
                             const bool is_retryable = part == Value(true);
                             part = is_retryable ? "true" : "false";
                           })},
      {"starts-are-not-audited", "RUN-AUDIT", "created to running is not audited",
       lacks_in_audit(is_audited_start)},
      {"ends-are-not-audited", "RUN-AUDIT", "What ends a run is not audited",
       lacks_in_audit(is_audited_end)},
      {"audit-goes-straight-to-the-end", "RUN-NO-OTHER",
       "The audit of an ended run leads from created to its end",
       alters_answers(own_audit_route, join_start_and_end)},
  };
}

/// A failed run of that kind is shown in another status.
Intercept fails_otherwise(const std::string& kind, const std::string& word) {
  return [=, known = std::make_shared<Memory>()](service::Service& sound,
                                                 const service::Request& request) {
    if (known->has(request.target)) {
      return shows_run([&](Value& run) { replace_text(run, "status", "failed", word); })(sound,
                                                                                         request);
    }
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /runs") && has_text(json_of(request.body), "run_kind", kind)) {
      known->keep("/runs/" + text_of(json_of(reply.body), "run_id"));
    }
    return reply;
  };
}

std::vector<Fault> runs_in_other_answers() {
  return {
      {"list-shows-ended-runs-as-running", "RUN-STATUSES",
       "Runs that succeeded are listed as running",
       alters_answers(own_runs_route,
                      [](const service::Request&, Value& body) {
                        each_item(body, "runs", [](Value& run) {
                          replace_text(run, "status", "success", "running");
                        });
                      })},
      {"list-has-no-denied-runs", "RUN-STATUSES", "Denied runs are not listed",
       alters_answers(own_runs_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "runs", [](const Value& run) {
                          return has_text(run, "status", "denied");
                        });
                      })},
      {"next-of-success-is-wait", "RUN-ORCH", "The next action of a run that succeeded is wait",
       alters_answers("GET /runs/*/next-action",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "action", "stop", "wait");
                      })},
      {"next-action-has-read-no-status", "RUN-ORCH",
       "The next action of a run that succeeded says that it is running",
       alters_answers("GET /runs/*/next-action",
                      [](const service::Request&, Value& body) {
                        Value* because = member(body, "because");
                        if (because != nullptr) {
                          replace_text(*because, "status", "success", "running");
                        }
                      })},
      {"retry-is-its-own-root", "RUN-RETRY", "A retry is the root of its own chain",
       shows_run([](Value& run) {
         const Value* parent = run.find("parent_run_id");
         if (parent != nullptr && parent->is_string()) {
           run.as_object()["root_run_id"] = text_of(run, "run_id");
         }
       })},
      {"tools-fail-as-denied", "RUN-KINDS", "A failed run of kind tool is shown as denied",
       [] { return fails_otherwise("tool", "denied"); }},
      {"workflows-fail-as-timeout", "RUN-KINDS",
       "A failed run of kind workflow is shown as timeout",
       [] { return fails_otherwise("workflow", "timeout"); }},
      {"next-of-running-is-retry", "RUN-ORCH", "The next action of a run that runs is retry",
       alters_answers("GET /runs/*/next-action",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "action", "wait", "retry");
                      })},
  };
}

/// Changes the status of executions for which a cancel was asked after their end.
Intercept after_late_cancel(const std::string& route, const ChangeBody& change) {
  return [=, late = std::make_shared<Memory>()](service::Service& sound,
                                                const service::Request& request) {
    const std::string path = execution_path(request);
    if (is_on_route(request, own_cancel_route) && has_ended_run(ask(sound, path + "/status"))) {
      late->keep(path);
    }
    if (!is_on_route(request, route) || !late->has(path)) return sound.handle(request);
    return alters_answers(route, change)(sound, request);
  };
}

/// The newest event is the cancel that the server wrote because it was called.
bool is_cancelled_by_call(const List& events) {
  return ends_in(events, "execution.cancelled") && has_text(events.back(), "source", "server");
}

Intercept shows_called_cancel(const ChangeBody& change) {
  return alters_by_log(status_route, [change](const List& events, Value& body) {
    if (is_cancelled_by_call(events)) change({}, body);
  });
}

std::vector<Fault> executions_by_themselves() {
  return {
      {"late-cancel-call-wins", "STM-EXEC-R1",
       "An ended execution is shown as CANCELLED once it was cancelled",
       [] {
         return after_late_cancel(status_route, [](const service::Request&, Value& body) {
           body.as_object()["state"] = "CANCELLED";
         });
       }},
      {"late-cancel-call-fails-it", "STM-EXEC-R1",
       "An ended execution is shown as FAILED once it was cancelled",
       [] {
         return after_late_cancel(status_route, [](const service::Request&, Value& body) {
           body.as_object()["state"] = "FAILED";
         });
       }},
      {"ended-execution-flickers", "STM-EXEC-R1",
       "Every second look at an ended execution shows it running",
       [] { return flickers(status_route, "state", "RUNNING"); }},
      {"late-cancel-call-names-the-end", "STM-API-TERM",
       "terminal_event is execution.cancelled once an ended execution was cancelled",
       [] {
         return after_late_cancel(status_route, [](const service::Request&, Value& body) {
           body.as_object()["terminal_event"] = "execution.cancelled";
         });
       }},
      {"cancel-call-leaves-it-running", "STM-EXEC-T4",
       "An execution that its client cancelled by the call is shown as RUNNING",
       shows_called_cancel([](const service::Request&, Value& body) {
         replace_text(body, "state", "CANCELLED", "RUNNING");
       })},
      {"cancel-call-reads-failed", "STM-POS-CANCEL",
       "An execution that its client cancelled by the call is shown as FAILED",
       shows_called_cancel([](const service::Request&, Value& body) {
         replace_text(body, "state", "CANCELLED", "FAILED");
       })},
  };
}

/// The status is right; the log, the list or the detail beside it is not.
std::vector<Fault> views_beside_the_status() {
  return {
      {"cancel-call-has-no-event", "STM-POS-CANCEL", "The cancel call leaves no end in the log",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          return is_type(event, "execution.cancelled") &&
                                 has_text(event, "source", "server");
                        });
                      })},
      {"end-is-shown-before-its-event", "STM-POS-DONE",
       "The log of a completed execution lacks its end",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          return is_type(event, "playbook.completed");
                        });
                      })},
      {"list-lags-behind-the-end", "STM-CORE-1", "Ended executions are listed as RUNNING",
       alters_answers("GET /executions",
                      [](const service::Request&, Value& body) {
                        each_item(body, "executions", [](Value& item) {
                          replace_text(item, "state", "COMPLETED", "RUNNING");
                          replace_text(item, "state", "FAILED", "RUNNING");
                        });
                      })},
      {"detail-lags-behind-the-end", "STM-CORE-1", "The detail of a completed execution is RUNNING",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "state", "COMPLETED", "RUNNING");
                      })},
      {"workload-is-in-the-status", "STM-API-NOVARS",
       "The status shows the workload that was given",
       [](service::Service& sound, const service::Request& request) {
         const auto add = [&](const service::Request&, Value& body) {
           const Value given = ask(sound, execution_path(request) + "/variables");
           const Value* workload = given.find("workload");
           if (workload != nullptr && workload->is_object() && !workload->as_object().empty()) {
             body.as_object()["workload"] = *workload;
           }
         };
         return alters_answers(status_route, add)(sound, request);
       }},
  };
}

/// A state in the status that is shown as another, where the log has no event of the type (or
/// whatever is in it, where no type is named).
struct MisreadStatus {
  std::string_view id;
  std::string_view clause;
  std::string_view title;
  std::string_view from;
  std::string_view to;
  std::string_view without;
};

constexpr std::array<MisreadStatus, 15> misread_statuses = {{
    {"started-reads-completed", "STM-POS-DONE", "A running execution is shown as COMPLETED",
     "RUNNING", "COMPLETED", "call.error"},
    {"started-reads-failed", "STM-POS-FAIL", "A running execution is shown as FAILED", "RUNNING",
     "FAILED", "call.done"},
    {"started-reads-cancelled", "STM-POS-CANCEL", "A running execution is shown as CANCELLED",
     "RUNNING", "CANCELLED", "call.done"},
    {"starts-with-its-first-command", "STM-EXEC-T1",
     "An execution is shown as PENDING until a command was issued", "RUNNING", "PENDING",
     "command.issued"},
    {"starts-with-its-workflow", "STM-EXEC-T1",
     "An execution is shown as PENDING until its workflow was initialized", "RUNNING", "PENDING",
     "workflow.initialized"},
    {"completes-with-its-workflow-only", "STM-EXEC-T2",
     "An execution is shown as RUNNING until its workflow has completed too", "COMPLETED",
     "RUNNING", "workflow.completed"},
    {"completes-with-an-exit-only", "STM-EXEC-T2",
     "An execution is shown as RUNNING where no step has exited", "COMPLETED", "RUNNING",
     "step.exit"},
    {"fails-with-its-workflow-only", "STM-EXEC-T3",
     "An execution is shown as RUNNING until its workflow has failed too", "FAILED", "RUNNING",
     "workflow.failed"},
    {"failure-reads-cancelled", "STM-EXEC-T3", "A failed execution is shown as CANCELLED", "FAILED",
     "CANCELLED", ""},
    {"cancel-reads-completed", "STM-EXEC-T4", "A cancelled execution is shown as COMPLETED",
     "CANCELLED", "COMPLETED", ""},
    {"cancelled-reads-aborted", "STM-VOC-1", "CANCELLED is called ABORTED", "CANCELLED", "ABORTED",
     ""},
    {"completed-reads-succeeded", "STM-STATE-1", "COMPLETED is called SUCCEEDED", "COMPLETED",
     "SUCCEEDED", ""},
    {"failed-reads-error", "STM-STATE-1", "FAILED is called ERROR", "FAILED", "ERROR", ""},
    {"running-reads-active", "STM-STATE-1", "RUNNING is called ACTIVE", "RUNNING", "ACTIVE", ""},
    {"running-word-in-lower-case", "STM-STATE-1", "RUNNING is written running", "RUNNING",
     "running", ""},
}};

Intercept shows_misread_status(const MisreadStatus& each) {
  return alters_by_log(status_route, [each](const List& events, Value& body) {
    if (!each.without.empty() && count_type(events, each.without) > 0) return;
    replace_text(body, "state", each.from, each.to);
  });
}

/// The status of an execution in that state shows nothing in that member.
Intercept hides_of_status(const std::string& state, const std::string& name) {
  return alters_answers(status_route, [=](const service::Request&, Value& body) {
    if (has_text(body, "state", state)) body.as_object()[name] = Value();
  });
}

/// The listing has an event of that type beside each of the other.
Intercept lists_beside(const std::string& type, const std::string& other) {
  return alters_answers(log_route, [=](const service::Request&, Value& body) {
    List* events = list_at(body, "events");
    if (events == nullptr) return;
    const auto found = std::find_if(events->begin(), events->end(),
                                    [&](const Value& event) { return is_type(event, type); });
    if (found == events->end()) return;
    Value twin = *found;
    twin.as_object()["event_type"] = other;
    events->push_back(std::move(twin));
  });
}

std::vector<Fault> ends_in_other_members() {
  return {
      {"failure-is-shown-before-its-event", "STM-POS-FAIL",
       "The log of a failed execution lacks its end",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          return is_type(event, "playbook.failed");
                        });
                      })},
      {"failure-is-logged-as-a-completion-too", "STM-POS-FAIL",
       "The log of a failed execution has a playbook.completed too",
       lists_beside("playbook.failed", "playbook.completed")},
      {"completion-is-logged-twice", "STM-ONCE-1",
       "The log of a completed execution has its end twice",
       lists_beside("playbook.completed", "playbook.completed")},
      {"failure-has-no-end", "STM-API-ENDED", "A failed execution has no ended_at",
       hides_of_status("FAILED", "ended_at")},
      {"completion-has-no-start", "STM-API-STARTED", "A completed execution has no started_at",
       hides_of_status("COMPLETED", "started_at")},
      {"completion-names-no-event", "STM-API-TERM", "A completed execution has no terminal_event",
       hides_of_status("COMPLETED", "terminal_event")},
      {"list-lags-behind-the-cancel", "STM-CORE-1", "Cancelled executions are listed as RUNNING",
       alters_answers("GET /executions",
                      [](const service::Request&, Value& body) {
                        each_item(body, "executions", [](Value& item) {
                          replace_text(item, "state", "CANCELLED", "RUNNING");
                        });
                      })},
  };
}

}  // namespace

std::vector<Fault> own_way_faults() {
  std::vector<Fault> all;
  for (const MisreadRun& each : misread_runs) {
    all.push_back({each.id, each.clause, each.title, shows_run([each](Value& run) {
                     replace_text(run, "status", each.from, each.to);
                   })});
  }
  for (const MisreadStatus& each : misread_statuses) {
    all.push_back({each.id, each.clause, each.title, shows_misread_status(each)});
  }
  for (const auto family : {runs_by_themselves, runs_in_other_answers, executions_by_themselves,
                            views_beside_the_status, ends_in_other_members}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
