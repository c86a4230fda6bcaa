// What is kept is right, and what is shown of one transition is not: each breaks the clause of that
// transition and nothing beside it.
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/problem.h"

namespace assay::faults {
namespace {

/// A word of a layer that is shown as another.
struct Misread {
  std::string_view id;
  std::string_view clause;
  std::string_view title;
  /// The member of the detail that lists the layer; empty: the member `field` itself.
  std::string_view list;
  std::string_view field;
  std::string_view from;
  std::string_view to;
};

constexpr std::array<Misread, 6> misread_words = {{
    {"claim-reads-running", "STM-CMD-T2", "A claimed command is shown as RUNNING", "commands",
     "state", "CLAIMED", "RUNNING"},
    {"failed-command-is-issued-again", "STM-CMD-T5",
     "A failed command is shown as ISSUED, for another try", "commands", "state", "FAILED",
     "ISSUED"},
    {"tool-error-waits-for-a-retry", "STM-TOOL-T3",
     "A tool's ERROR is shown as RUNNING, as if it were called again", "tools", "outcome", "ERROR",
     "RUNNING"},
    {"tool-break-reads-error", "STM-TOOL-T4", "A tool's BREAK is shown as ERROR", "tools",
     "outcome", "BREAK", "ERROR"},
    {"workflow-failure-reads-cancelled", "STM-WF-T3", "A failed workflow is shown as CANCELLED", "",
     "workflow_state", "FAILED", "CANCELLED"},
    {"detail-state-in-lower-case", "STM-STATE-1", "The detail has RUNNING in lower case", "",
     "state", "RUNNING", "running"},
}};

Intercept shows_misread(const Misread& misread) {
  return alters_answers(detail_route, [misread](const service::Request&, Value& body) {
    if (misread.list.empty()) {
      replace_text(body, misread.field, misread.from, misread.to);
      return;
    }
    each_item(body, misread.list, [&misread](Value& item) {
      replace_text(item, misread.field, misread.from, misread.to);
    });
  });
}

using OfItem = std::function<bool(const List& events, const Value& item)>;

/// An item of a layer's list is shown as `to` where it is `from` and the log is as `holds` says.
Intercept misreads_where(const std::string& list, const std::string& field, const std::string& from,
                         const std::string& to, const OfItem& holds) {
  return alters_by_log(detail_route, [=](const List& events, Value& body) {
    each_item(body, list, [&](Value& item) {
      if (holds(events, item)) replace_text(item, field, from, to);
    });
  });
}

/// There is an event of the type about the step.
OfItem step_has(const std::string& type) {
  return [type](const List& events, const Value& step) {
    return has_event(events, type, "node_name", text_of(step, "step"));
  };
}

std::vector<Fault> command_reading_faults() {
  return {
      {"command-starts-in-an-entered-step-only", "STM-CMD-T3",
       "A started command is shown as CLAIMED where its step was not entered",
       misreads_where("commands", "state", "RUNNING", "CLAIMED",
                      [](const List& events, const Value& command) {
                        return !has_event(events, "step.enter", "node_name",
                                          text_of(command, "step"));
                      })},
      {"completion-needs-a-status", "STM-CMD-T4",
       "A command completes only where command.completed has the status COMPLETED",
       misreads_where("commands", "state", "COMPLETED", "RUNNING",
                      [](const List& events, const Value& command) {
                        return std::none_of(events.begin(), events.end(), [&](const Value& event) {
                          return is_type(event, "command.completed") &&
                                 has_text(event, "status", "COMPLETED") &&
                                 has_text(event, "command_id", text_of(command, "command_id"));
                        });
                      })},
      {"claimed-command-is-not-cancelled", "STM-CMD-T6",
       "A command that was claimed is not cancelled any more",
       misreads_where("commands", "state", "CANCELLED", "CLAIMED",
                      [](const List& events, const Value& command) {
                        return has_event(events, "command.claimed", "command_id",
                                         text_of(command, "command_id"));
                      })},
      {"command-failure-fails-its-step", "STM-CMD-R1",
       "A step is shown as FAILED once its command is",
       misreads_where("steps", "state", "RUNNING", "FAILED", step_has("command.failed"))},
      {"commands-go-with-their-workflow", "STM-LAYER-WF",
       "An ended workflow has no commands any more",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (has_text(body, "workflow_state", "COMPLETED") ||
                            has_text(body, "workflow_state", "FAILED")) {
                          body.as_object()["commands"] = List{};
                        }
                      })},
  };
}

/// A step whose name begins with this one's has failed.
bool longer_name_has_failed(const List& events, const Value& step) {
  const std::string name = text_of(step, "step");
  return std::any_of(events.begin(), events.end(), [&](const Value& event) {
    return is_type(event, "step.exit") && lower_text_of(event, "status") == "failed" &&
           text_of(event, "node_name").starts_with(name);
  });
}

std::vector<Fault> step_reading_faults() {
  return {
      {"entered-step-waits-for-a-command", "STM-STEP-T1",
       "A step that was entered is shown as PENDING until a command is issued for it",
       misreads_where("steps", "state", "RUNNING", "PENDING",
                      [](const List& events, const Value& step) {
                        return !step_has("command.issued")(events, step);
                      })},
      {"call-done-completes-its-step", "STM-STEP-T2",
       "A step is shown as COMPLETED from its call.done on",
       misreads_where("steps", "state", "RUNNING", "COMPLETED", step_has("call.done"))},
      {"call-error-fails-its-step", "STM-STEP-T3",
       "A step is shown as FAILED from its call.error on",
       misreads_where("steps", "state", "RUNNING", "FAILED", step_has("call.error"))},
      {"case-handled-is-known-in-upper-case", "STM-STEP-T4",
       "A step whose exit carries CASE_HANDLED in other letters stays RUNNING",
       misreads_where("steps", "state", "CASE_HANDLED", "RUNNING",
                      [](const List& events, const Value&) {
                        return !std::any_of(events.begin(), events.end(), [](const Value& event) {
                          return has_text(event, "status", "CASE_HANDLED");
                        });
                      })},
      {"exit-ends-steps-by-prefix", "STM-STEP-R1",
       "A failed step.exit ends every step that its name begins with",
       misreads_where("steps", "state", "RUNNING", "FAILED", longer_name_has_failed)},
  };
}

std::vector<Fault> tool_reading_faults() {
  return {
      {"unanswered-tool-is-an-error", "STM-TOOL-T1",
       "The tool of a running command is ERROR until its call is answered",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        List* tools = list_at(body, "tools");
                        if (tools == nullptr || !tools->empty()) return;
                        each_item(body, "commands", [&](Value& command) {
                          if (!has_text(command, "state", "RUNNING")) return;
                          tools->emplace_back(Object{{"command_id", text_of(command, "command_id")},
                                                     {"outcome", "ERROR"}});
                        });
                      })},
      {"call-without-a-payload-is-no-outcome", "STM-TOOL-T2",
       "A call.done without a payload leaves its tool without an outcome",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       remove_items(body, "tools", [&](const Value& tool) {
                         return std::any_of(events.begin(), events.end(), [&](const Value& event) {
                           return is_type(event, "call.done") && event.find("payload") == nullptr &&
                                  has_text(event, "command_id", text_of(tool, "command_id"));
                         });
                       });
                     })},
  };
}

std::vector<Fault> workflow_reading_faults() {
  return {
      {"evict-forgets-that-a-workflow-runs", "STM-WF-T1",
       "A running workflow is PENDING again once the live state is gone",
       [] {
         return after_evict(alters_answers(detail_route, [](const service::Request&, Value& body) {
           replace_text(body, "workflow_state", "RUNNING", "PENDING");
         }));
       }},
      {"workflow-completes-with-its-playbook", "STM-WF-T2",
       "A completed workflow is shown as RUNNING until the execution ends",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        if (!has_text(body, "state", "RUNNING")) return;
                        replace_text(body, "workflow_state", "COMPLETED", "RUNNING");
                      })},
      {"step-named-end-completes-the-workflow", "STM-WF-R2",
       "The workflow is shown as COMPLETED once a step named end has exited",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       if (!has_event(events, "step.exit", "node_name", "end")) return;
                       replace_text(body, "workflow_state", "RUNNING", "COMPLETED");
                     })},
  };
}

/// A transition of a run.
struct Transition {
  std::string_view id;
  std::string_view clause;
  std::string_view title;
  std::string_view from;
  std::string_view to;
};

constexpr std::array<Transition, 8> answered_late = {{
    {"answer-to-a-start-is-old", "RUN-T1",
     "The answer to created to running shows the run as created", "created", "running"},
    {"answer-to-a-wait-is-old", "RUN-T2",
     "The answer to running to waiting shows the run as running", "running", "waiting"},
    {"answer-to-a-success-is-old", "RUN-T4",
     "The answer to running to success shows the run as running", "running", "success"},
    {"answer-to-a-failure-is-old", "RUN-T5",
     "The answer to running to failed shows the run as running", "running", "failed"},
    {"answer-to-a-denial-is-old", "RUN-T6",
     "The answer to running to denied shows the run as running", "running", "denied"},
    {"answer-to-a-timeout-is-old", "RUN-T7",
     "The answer to running to timeout shows the run as running", "running", "timeout"},
    {"answer-to-a-cancel-is-old", "RUN-T8",
     "The answer to running to canceled shows the run as running", "running", "canceled"},
    {"answer-to-a-canceled-wait-is-old", "RUN-T9",
     "The answer to waiting to canceled shows the run as waiting", "waiting", "canceled"},
}};

Intercept answers_with_the_old_status(const Transition& transition) {
  return [transition](service::Service& sound, const service::Request& request) {
    constexpr const char* route = "POST /runs/*/transitions";
    if (!is_on_route(request, route)) return sound.handle(request);
    const Value before = ask(sound, request.target.substr(0, request.target.rfind('/')));
    const bool begins_there = has_text(before, "status", transition.from);
    return alters_answers(route, [&](const service::Request&, Value& body) {
      if (begins_there) replace_text(body, "status", transition.to, transition.from);
    })(sound, request);
  };
}

/// Changes what is shown of a run.
Intercept alters_run(const std::function<void(Value& run)>& change) {
  return alters_answers("GET /runs/*",
                        [change](const service::Request&, Value& run) { change(run); });
}

/// A run that was sent to CRASHED stands there.
Intercept takes_a_ninth_status() {
  return [crashed = std::make_shared<Memory>()](service::Service& sound,
                                                const service::Request& request) {
    const std::string run = request.target.substr(0, request.target.rfind('/'));
    if (is_on_route(request, "POST /runs/*/transitions") &&
        text_of(json_of(request.body), "to") == "CRASHED") {
      crashed->keep(run);
      return service::json_reply(200, ask(sound, run));
    }
    if (!crashed->has(request.target)) return sound.handle(request);
    return alters_answers("GET /runs/*", [](const service::Request&, Value& body) {
      body.as_object()["status"] = "CRASHED";
    })(sound, request);
  };
}

std::vector<Fault> run_reading_faults() {
  return {
      {"takes-a-ninth-status", "RUN-STATUSES", "A run may be CRASHED", takes_a_ninth_status},
      {"waiting-reads-paused", "RUN-STATUSES", "waiting is called paused",
       alters_run([](Value& run) { replace_text(run, "status", "waiting", "paused"); })},
      {"next-action-follows-the-code", "RUN-ORCH",
       "The next action is stop where the error code says SUCCESS, whatever the status",
       alters_answers("GET /runs/*/next-action",
                      [](const service::Request&, Value& body) {
                        Value* because = member(body, "because");
                        if (because == nullptr || !has_text(*because, "error_code", "SUCCESS"))
                          return;
                        body.as_object()["action"] = "stop";
                      })},
      {"self-transition-answers-200", "RUN-INVALID-REJECT",
       "A transition to the status that the run has is answered as if it were made",
       [](service::Service& sound, const service::Request& request) {
         if (!is_on_route(request, "POST /runs/*/transitions")) return sound.handle(request);
         const Value before = ask(sound, request.target.substr(0, request.target.rfind('/')));
         service::Reply reply = sound.handle(request);
         const std::string wanted = text_of(json_of(request.body), "to");
         if (reply.status == 409 && has_text(before, "status", wanted)) reply.status = 200;
         return reply;
       }},
      {"refusal-fails-what-has-begun", "RUN-INVALID-FAIL",
       "An undefined transition of a run that never ran leaves it created",
       alters_run([](Value& run) {
         const Value* started = run.find("started_at");
         if (started == nullptr || !started->is_null() ||
             !has_text(run, "error_code", "INVALID_STATE_TRANSITION")) {
           return;
         }
         for (const char* name : {"error_code", "retryable", "diagnostic", "ended_at"}) {
           run.as_object()[name] = Value();
         }
         run.as_object()["status"] = "created";
       })},
      {"forced-failure-has-its-category-as-code", "RUN-INVALID-CODE",
       "A run that an undefined transition failed has its diagnostic's category as its code",
       alters_run([](Value& run) {
         const Value* diagnostic = run.find("diagnostic");
         if (diagnostic == nullptr || !has_text(run, "error_code", "INVALID_STATE_TRANSITION"))
           return;
         run.as_object()["error_code"] = text_of(*diagnostic, "category");
       })},
  };
}

}  // namespace

std::vector<Fault> reading_faults() {
  std::vector<Fault> all;
  for (const Misread& each : misread_words) {
    all.push_back({each.id, each.clause, each.title, shows_misread(each)});
  }
  for (const Transition& each : answered_late) {
    all.push_back({each.id, each.clause, each.title, answers_with_the_old_status(each)});
  }
  for (const auto family : {command_reading_faults, step_reading_faults, tool_reading_faults,
                            workflow_reading_faults, run_reading_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
