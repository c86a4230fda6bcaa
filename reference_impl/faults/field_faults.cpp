// Faults of what single members show: current_step, started_at, an event's payload, a job's result.
#include <algorithm>
#include <cstddef>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/retelling.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// The cap of a payload as compact JSON.
constexpr std::size_t whole_payload_cap_bytes = 262'144;

/// The state is the one that a variable of this place names.
Intercept reads_state_from(const std::string& pointer) {
  return [pointer](service::Service& sound, const service::Request& request) {
    const auto change = [&](const service::Request&, Value& body) {
      const Value variables = ask(sound, execution_path(request) + "/variables");
      const Value* state = variables.at_pointer(pointer);
      if (state != nullptr && state->is_string()) body.as_object()["state"] = *state;
    };
    return alters_answers(status_route, change)(sound, request);
  };
}

std::vector<Fault> variable_faults() {
  return {
      {"workload-decides-the-state", "STM-VARS-1", "workload.state is shown as the state",
       reads_state_from("/workload/state")},
      {"ctx-decides-the-state", "STM-VARS-1", "ctx.state is shown as the state",
       reads_state_from("/ctx/state")},
      {"payload-decides-the-state", "STM-VARS-1",
       "payload.state of the newest event is shown as the state",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (events.empty()) return;
                       const Value* state = events.back().at_pointer("/payload/state");
                       if (state != nullptr) body.as_object()["state"] = *state;
                     })},
      {"variables-without-ctx", "STM-API-VIEW", "The view of variables has no ctx",
       alters_answers(
           "GET /executions/*/variables",
           [](const service::Request&, Value& body) { body.as_object()["ctx"] = Object{}; })},
      {"anomalies-of-none", "API-ANOMALY", "An anomaly does not say which event it is about",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        each_item(body, "anomalies",
                                  [](Value& anomaly) { anomaly.as_object().erase("seq"); });
                      })},
  };
}

/// A command that is only ISSUED is shown in that state once there is such an event of it.
Intercept ends_issued_commands(const std::string& type, const std::string& state) {
  return alters_by_log(detail_route, [=](const List& events, Value& body) {
    each_item(body, "commands", [&](Value& command) {
      if (has_event(events, type, "command_id", text_of(command, "command_id"))) {
        replace_text(command, "state", "ISSUED", state);
      }
    });
  });
}

std::vector<Fault> transition_faults() {
  return {
      {"issued-command-completes", "STM-TRANS-ONLY", "A command completes from ISSUED",
       ends_issued_commands("command.completed", "COMPLETED")},
      {"issued-command-fails", "STM-TRANS-ONLY", "A command fails from ISSUED",
       ends_issued_commands("command.failed", "FAILED")},
      {"workflow-completes-unstarted", "STM-TRANS-ONLY", "A workflow completes from PENDING",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       if (count_type(events, "workflow.completed") > 0) {
                         replace_text(body, "workflow_state", "PENDING", "COMPLETED");
                       }
                     })},
  };
}

/// The status shows another current_step, which follows from the log.
Intercept shows_step(const std::function<Value(const List& events)>& step) {
  return alters_by_log(status_route, [step](const List& events, Value& body) {
    body.as_object()["current_step"] = step(events);
  });
}

std::vector<Fault> current_step_faults() {
  return {
      {"current-step-is-the-first", "STM-API-STEP", "current_step stays the step entered first",
       shows_step([](const List& events) {
         const auto first = std::find_if(events.begin(), events.end(), [](const Value& event) {
           return is_type(event, "step.enter") || is_type(event, "step.scheduled");
         });
         if (first == events.end()) return Value();
         const std::string node = text_of(*first, "node_name");
         return Value(node.empty() ? text_of(*first, "entity_id") : node);
       })},
      {"current-step-ends-with-its-exit", "STM-API-STEP",
       "current_step is null once the step has exited",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (ends_in(events, "step.exit")) body.as_object()["current_step"] = Value();
                     })},
      {"current-step-follows-commands", "STM-API-STEP",
       "current_step is the node of the newest command.issued",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (!ends_in(events, "command.issued")) return;
                       body.as_object()["current_step"] = text_of(events.back(), "node_name");
                     })},
  };
}

std::vector<Fault> started_at_faults() {
  return {
      {"started-at-is-never-set", "STM-API-STARTED", "started_at stays null",
       alters_answers(status_route, [](const service::Request&,
                                       Value& body) { body.as_object()["started_at"] = Value(); })},
      {"started-at-is-the-first-events-time", "STM-API-STARTED",
       "started_at is the time of the first event, whatever that is",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (events.empty()) return;
                       body.as_object()["started_at"] = text_of(events.front(), "timestamp");
                     })},
      {"started-at-is-lost-at-the-end", "STM-API-STARTED",
       "started_at is null once the execution has ended",
       alters_answers(status_route,
                      [](const service::Request&, Value& body) {
                        const Value* end = body.find("ended_at");
                        if (end == nullptr || end->is_null()) return;
                        body.as_object()["started_at"] = Value();
                      })},
  };
}

/// Changes payload.outcome of each event in the log.
Intercept changes_outcomes(const std::function<void(Object& outcome)>& change) {
  return changes_log([change](List& events) {
    for (Value& event : events) {
      Value* payload = member(event, "payload");
      Value* outcome = payload == nullptr ? nullptr : member(*payload, "outcome");
      if (outcome != nullptr && outcome->is_object()) change(outcome->as_object());
    }
  });
}

/// Changes the payload of policy.admit.evaluated in the log.
Intercept changes_admissions(const std::function<void(Object& payload)>& change) {
  return changes_log([change](List& events) {
    for (Value& event : events) {
      Value* payload = member(event, "payload");
      if (!is_type(event, "policy.admit.evaluated") || payload == nullptr) continue;
      if (payload->is_object()) change(payload->as_object());
    }
  });
}

std::vector<Fault> payload_faults() {
  return {
      {"outcome-loses-its-status", "EVT-PAY-OUTCOME", "payload.outcome has no status in the log",
       changes_outcomes([](Object& outcome) { outcome.erase("status"); })},
      {"outcome-loses-its-result", "EVT-PAY-OUTCOME", "payload.outcome has no result in the log",
       changes_outcomes([](Object& outcome) { outcome.erase("result"); })},
      {"admission-lacks-its-rule", "EVT-POL-ADMIT", "policy.admit.evaluated names no rule",
       changes_admissions([](Object& payload) { payload["rule"] = Value(); })},
      {"admission-says-allowed", "EVT-POL-ADMIT",
       "policy.admit.evaluated says that a denied token was allowed",
       changes_admissions([](Object& payload) { payload["allow"] = true; })},
      {"admission-counts-rules-from-one", "EVT-POL-ADMIT",
       "policy.admit.evaluated counts its rules from one", changes_admissions([](Object& payload) {
         const Value* rule = &payload["rule"];
         if (rule->is_integer()) payload["rule"] = *rule->to_int64() + 1;
       })},
      {"payloads-have-no-cap", "EVT-REF-2", "A payload as a whole has no cap",
       [](service::ServiceOptions& options) { options.limits.max_payload_bytes = SIZE_MAX; }},
      {"payload-cap-is-one-byte-low", "EVT-REF-2", "A payload of exactly the cap's size is refused",
       refuses(
           post_route,
           [](const service::Request&, const Value& body) {
             const Value* payload = body.find("payload");
             return payload != nullptr &&
                    service::write_json(*payload).size() == whole_payload_cap_bytes;
           },
           413, "EXTERNALISE_RESULT")},
      {"payload-cap-is-a-quarter", "EVT-REF-2", "A payload is capped at 65,536 bytes",
       [](service::ServiceOptions& options) { options.limits.max_payload_bytes = 65'536; }},
  };
}

/// Changes each job that is listed.
Intercept changes_jobs(const std::function<void(Value& job)>& change) {
  return alters_answers("GET /blackboard/jobs", [change](const service::Request&, Value& body) {
    each_item(body, "jobs", change);
  });
}

std::vector<Fault> job_faults() {
  return {
      {"execute-jobs-are-not-listed", "WFX-RUN-JOBS", "EXECUTE jobs are in no list",
       alters_answers("GET /blackboard/jobs",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "jobs", [](const Value& job) {
                          return has_text(job, "type", "EXECUTE");
                        });
                      })},
      {"execute-jobs-are-not-handed-out", "WFX-RUN-JOBS", "No worker is handed an EXECUTE job",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /blackboard/jobs/poll") &&
             has_text(json_of(reply.body), "type", "EXECUTE")) {
           reply = {204, "", "", {}};
         }
         return reply;
       }},
      {"execute-jobs-have-no-label", "WFX-RUN-JOBS", "An EXECUTE job does not name its step",
       changes_jobs([](Value& job) {
         if (has_text(job, "type", "EXECUTE")) job.as_object()["label"] = "";
       })},
      {"results-are-not-shown", "WFX-RESULT", "A job's result stays null",
       changes_jobs([](Value& job) { job.as_object()["result"] = Value(); })},
      {"results-are-always-successes", "WFX-RESULT", "A failed job shows a success",
       changes_jobs([](Value& job) {
         Value* result = member(job, "result");
         if (result != nullptr && result->is_object()) result->as_object()["success"] = true;
       })},
      {"results-lose-their-data", "WFX-RESULT", "A job's result has no data",
       changes_jobs([](Value& job) {
         Value* result = member(job, "result");
         if (result != nullptr && result->is_object()) result->as_object().erase("data");
       })},
  };
}

}  // namespace

std::vector<Fault> field_faults() {
  std::vector<Fault> all;
  for (const auto family : {variable_faults, transition_faults, current_step_faults,
                            started_at_faults, payload_faults, job_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
