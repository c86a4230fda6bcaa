#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/storing.h"
#include "reference_impl/model/events/timestamp.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// The cap of payload.inputs and payload.outcome as compact JSON.
constexpr std::size_t payload_cap_bytes = 65'536;

/// One standard type is refused.
Intercept refuses_type(const std::string& type) {
  return refuses(
      post_route,
      [type](const service::Request&, const Value& body) {
        return has_text(body, "event_type", type);
      },
      422, "UNKNOWN_EVENT_TYPE");
}

/// The listing leaves one type out.
Intercept hides_type(const std::string& type) {
  return alters_answers(log_route, [type](const service::Request&, Value& body) {
    remove_items(body, "events",
                 [&](const Value& event) { return has_text(event, "event_type", type); });
  });
}

/// A list of next.evaluated's payload is always empty.
Intercept empties_choice(const std::string& list) {
  return changes_events([list](Value& event) {
    if (!has_text(event, "event_type", "next.evaluated")) return;
    Value* payload = member(event, "payload");
    if (payload != nullptr && payload->is_object()) payload->as_object()[list] = List{};
  });
}

/// One type is listed under another name.
Intercept lists_type_as(const std::string& from, const std::string& to) {
  return changes_events([=](Value& event) { replace_text(event, "event_type", from, to); });
}

/// Changes the type of a posted event.
Intercept changes_types(const std::function<std::string(const std::string& type)>& change) {
  return alters_requests(post_route, [change](Value& event) {
    Value* type = member(event, "event_type");
    if (type != nullptr && type->is_string()) *type = change(type->as_string());
  });
}

/// A filter of the listing, given with its equals sign, is not read.
Intercept ignores_filter(const std::string& parameter) {
  return [parameter](service::Service& sound, const service::Request& request) {
    service::Request changed = request;
    const std::size_t at = changed.target.find(parameter);
    if (is_on_route(request, log_route) && at != std::string::npos) changed.target[at] = 'x';
    return sound.handle(changed);
  };
}

/// Every second number of seq is left out, wherever seq is answered.
Intercept doubles_seq() {
  const auto change = [](const service::Request&, Value& body) {
    const auto double_it = [](Value& item) {
      const Value* seq = item.find("seq");
      if (seq != nullptr && seq->to_int64()) item.as_object()["seq"] = 2 * *seq->to_int64();
    };
    double_it(body);
    for (const char* list : {"results", "events", "anomalies"}) each_item(body, list, double_it);
  };
  return alters_answers_on({post_route, "POST /executions/*/events/batch", log_route, detail_route},
                           change);
}

/// A step.started of no scheduled step is answered as if it were stored.
Intercept accepts_unscheduled_starts() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    const Value event = json_of(request.body);
    if (!is_on_route(request, post_route) || !is_type(event, "step.started") ||
        !has_text(json_of(reply.body), "code", "STEP_NOT_SCHEDULED")) {
      return reply;
    }
    const auto seq = static_cast<std::int64_t>(log_of(sound, request).size()) + 1;
    const Value stored =
        Object{{"event_id", text_of(event, "event_id")}, {"seq", seq}, {"duplicate", false}};
    reply = {201, "application/json", service::write_json(stored), {}};
    return reply;
  };
}

std::vector<Fault> storing_faults() {
  return {
      {"stores-duplicates", "EVT-IDEM-1", "A repeated event is stored again", stores_duplicates()},
      {"stores-concurrent-duplicates", "EVT-IDEM-1",
       "One event sent by several clients at once is stored more than once",
       stores_concurrent_duplicates},
      {"conflict-overwrites", "API-CONFLICT",
       "Other content under a known event_id replaces the event", overwrites_on_conflict},
      {"conflict-counts-as-duplicate", "API-CONFLICT",
       "Other content under a known event_id is answered as a duplicate",
       takes_conflicts_for_duplicates()},
      {"takes-zoneless-time", "API-TIME", "A timestamp without a zone is taken for UTC",
       alters_requests(post_route,
                       [](Value& event) {
                         const std::string time = text_of(event, "timestamp");
                         if (!events::parse_timestamp(time) &&
                             events::parse_timestamp(time + "Z")) {
                           event.as_object()["timestamp"] = time + "Z";
                         }
                       })},
      {"takes-large-payloads", "EVT-PAY-CAP", "Inputs and outcomes have no cap",
       [](service::ServiceOptions& options) {
         options.limits.max_inputs_or_outcome_bytes = SIZE_MAX;
       }},
      {"cap-is-one-byte-low", "EVT-PAY-CAP", "An outcome of exactly the cap's size is refused",
       refuses(
           post_route,
           [](const service::Request&, const Value& body) {
             const Value* outcome = body.at_pointer("/payload/outcome");
             return outcome != nullptr && service::write_json(*outcome).size() == payload_cap_bytes;
           },
           413, "EXTERNALISE_RESULT")},
      {"inputs-cap-is-one-byte-low", "EVT-PAY-CAP", "Inputs of exactly the cap's size are refused",
       refuses(
           post_route,
           [](const service::Request&, const Value& body) {
             const Value* inputs = body.at_pointer("/payload/inputs");
             return inputs != nullptr && service::write_json(*inputs).size() == payload_cap_bytes;
           },
           413, "EXTERNALISE_RESULT")},
      {"seq-has-gaps", "API-SEQ", "Every second number of seq is left out", doubles_seq()},
      {"seq-counts-from-zero", "API-SEQ", "seq begins with 0 in listings",
       changes_events([](Value& event) {
         const Value* seq = event.find("seq");
         if (seq != nullptr && seq->to_int64()) event.as_object()["seq"] = *seq->to_int64() - 1;
       })},
  };
}

std::vector<Fault> listing_faults() {
  return {
      {"lists-newest-first", "EVT-ENV-SEQ", "Events are listed against the order of seq",
       changes_log([](List& events) { std::reverse(events.begin(), events.end()); })},
      {"type-filter-is-ignored", "EVT-IDX-1", "event_type filters nothing",
       ignores_filter("event_type=")},
      {"entity-filter-is-ignored", "EVT-IDX-1", "entity_id filters nothing",
       ignores_filter("entity_id=")},
      {"payload-loses-its-meta", "EVT-PAY-FIELDS", "Payloads are listed without their meta",
       changes_events([](Value& event) {
         if (Value* payload = member(event, "payload");
             payload != nullptr && payload->is_object()) {
           payload->as_object().erase("meta");
         }
       })},
      {"late-events-are-dropped", "EVT-LOG-1",
       "Events behind the end are acknowledged and not in the log", changes_log([](List& events) {
         const auto end = std::find_if(events.begin(), events.end(), [](const Value& event) {
           return is_type(event, "execution.cancelled") || is_type(event, "playbook.completed");
         });
         if (end != events.end()) events.erase(end + 1, events.end());
       })},
      {"log-is-sorted-by-time", "EVT-LOG-1", "Events are listed by their timestamps",
       changes_log([](List& events) {
         std::stable_sort(events.begin(), events.end(), [](const Value& one, const Value& other) {
           return text_of(one, "timestamp") < text_of(other, "timestamp");
         });
       })},
      {"cuts-large-outcomes", "EVT-REF-1",
       "An event over the cap is stored without its outcome instead of being refused",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (!is_on_route(request, post_route) || reply.status != 413) return reply;
         return alters_requests(post_route, [](Value& body) {
           Value* payload = member(body, "payload");
           if (payload != nullptr && payload->is_object()) payload->as_object().erase("outcome");
         })(sound, request);
       }},
  };
}

std::vector<Fault> envelope_faults() {
  return {
      {"takes-upper-case-types", "EVT-NAME-LOWER", "An event type with upper-case letters is taken",
       forgives(post_route, "/event_type", "step.started")},
      {"invents-event-ids", "EVT-ENV-ID", "An event without event_id is given one",
       forgives(post_route, "/event_id", "made-up")},
      {"takes-events-without-time", "EVT-ENV-TIME", "An event without a valid time is given one",
       forgives(post_route, "/timestamp", "2026-01-01T00:00:00Z")},
      {"takes-events-of-others", "EVT-ENV-EXEC", "An event that names another execution is taken",
       forgives(post_route, "/execution_id")},
      {"stored-event-lacks-execution", "EVT-ENV-EXEC", "Listed events have no execution_id",
       changes_events([](Value& event) { event.as_object().erase("execution_id"); })},
      {"stored-event-lacks-id", "EVT-ENV-ID", "Listed events have no event_id",
       changes_events([](Value& event) { event.as_object().erase("event_id"); })},
      {"stored-type-is-changed", "EVT-ENV-TYPE", "Listed events have an X before their type",
       changes_events([](Value& event) {
         if (Value* type = member(event, "event_type"); type != nullptr && type->is_string()) {
           event.as_object()["event_type"] = "X" + type->as_string();
         }
       })},
      {"stored-time-lacks-zone", "EVT-ENV-TIME", "Listed times have no zone",
       changes_events([](Value& event) {
         Value* time = member(event, "timestamp");
         if (time != nullptr && time->is_string() && time->as_string().ends_with('Z')) {
           std::string text = time->as_string();
           text.pop_back();
           *time = text;
         }
       })},
      {"takes-any-alias", "EVT-ALIAS-1", "An alias of another type is taken",
       forgives(post_route, "/event_alias")},
      {"takes-any-source", "EVT-ENV-SOURCE", "A source other than server and worker is taken",
       forgives(post_route, "/source")},
      {"takes-any-entity-type", "EVT-ENV-ENTITY", "An unknown entity_type is taken",
       forgives(post_route, "/entity_type")},
      {"takes-any-entity-id", "EVT-ENV-ENTITYID", "An entity_id that is not text is taken",
       forgives(post_route, "/entity_id")},
      {"takes-any-parent", "EVT-ENV-PARENT", "A parent_id that is not text is taken",
       forgives(post_route, "/parent_id")},
      {"takes-any-task-run", "EVT-COR-IDS", "A task_run_id that is not text is taken",
       forgives(post_route, "/task_run_id")},
      {"takes-any-iteration", "EVT-COR-ITER", "An iteration that is not an integer is taken",
       forgives(post_route, "/iteration")},
      {"takes-any-attempt", "EVT-COR-ATTEMPT", "An attempt of 0 is taken",
       forgives(post_route, "/attempt")},
      {"takes-any-status-word", "EVT-COR-STATUS", "An unknown status is taken",
       forgives(post_route, "/status")},
      {"takes-any-duration", "EVT-COR-DURATION", "A duration that is not an integer is taken",
       forgives(post_route, "/duration_ms")},
      {"takes-any-payload", "EVT-PAY-FIELDS", "A payload that is not an object is taken",
       forgives(post_route, "/payload")},
  };
}

std::vector<Fault> naming_faults() {
  return {
      {"lowers-upper-case-types", "EVT-NAME-LOWER",
       "An event type with upper-case letters is stored in lower case", changes_types(lowered)},
      {"takes-types-without-dots", "EVT-NAME-DOTS",
       "An event type without a dot is stored with an end of its own",
       changes_types([](const std::string& type) {
         return type.empty() || type.find('.') != std::string::npos ? type : type + ".done";
       })},
      {"takes-empty-segments", "EVT-NAME-DOTS",
       "Two dots in a row in an event type are taken for one", changes_types([](std::string type) {
         const std::size_t at = type.find("..");
         if (at != std::string::npos) type.erase(at, 1);
         return type;
       })},
      {"takes-four-segments", "EVT-NAME-SHAPE",
       "An event type of four segments is stored with three of them",
       changes_types([](const std::string& type) {
         return std::count(type.begin(), type.end(), '.') < 3 ? type
                                                              : type.substr(0, type.rfind('.'));
       })},
      {"refuses-unlisted-entities", "EVT-NAME-SHAPE",
       "A well-formed event type of three segments that is not in the taxonomy is refused",
       refuses_type("quantum.job.submitted")},
      {"invents-event-types", "EVT-ENV-TYPE", "An event without a type is given one",
       [](service::Service& sound, const service::Request& request) {
         if (request.body.find("\"event_type\"") != std::string::npos) {
           return sound.handle(request);
         }
         return forgives(post_route, "/event_type", "step.enter")(sound, request);
       }},
  };
}

std::vector<Fault> taxonomy_faults() {
  return {
      {"refuses-playbook-paused", "EVT-TAX-PLAYBOOK", "playbook.paused is refused",
       refuses_type("playbook.paused")},
      {"refuses-workflow-finished", "EVT-TAX-WORKFLOW", "workflow.finished is refused",
       refuses_type("workflow.finished")},
      {"refuses-step-failed", "EVT-TAX-STEP", "step.failed is refused",
       refuses_type("step.failed")},
      {"refuses-attempt-failed", "EVT-TAX-TASK", "task.attempt.failed is refused",
       refuses_type("task.attempt.failed")},
      {"refuses-iteration-failed", "EVT-TAX-LOOP", "loop.iteration.failed is refused",
       refuses_type("loop.iteration.failed")},
      {"refuses-task-policy", "EVT-TAX-POLICY", "policy.task.evaluated is refused",
       refuses_type("policy.task.evaluated")},
      {"refuses-manifest-updated", "EVT-TAX-RESULT", "result.manifest.updated is refused",
       refuses_type("result.manifest.updated")},
      {"refuses-stored-results", "EVT-TAX-RESULT", "result.stored is refused",
       refuses_type("result.stored")},
  };
}

std::vector<Fault> server_emission_faults() {
  return {
      {"hides-playbook-requested", "EVT-EMIT-SERVER",
       "playbook.execution.requested is not in the log",
       hides_type("playbook.execution.requested")},
      {"hides-request-evaluated", "EVT-EMIT-SERVER", "playbook.request.evaluated is not in the log",
       hides_type("playbook.request.evaluated")},
      {"hides-playbook-started", "EVT-EMIT-SERVER", "playbook.started is not in the log",
       hides_type("playbook.started")},
      {"hides-workflow-started", "EVT-EMIT-SERVER", "workflow.started is not in the log",
       hides_type("workflow.started")},
      {"hides-admission", "EVT-EMIT-SERVER", "policy.admit.evaluated is not in the log",
       hides_type("policy.admit.evaluated")},
      {"forgets-what-was-scheduled", "EVT-EMIT-SERVER",
       "step.scheduled is gone from the log once its step is done", changes_log([](List& events) {
         const List all = events;
         std::erase_if(events, [&all](const Value& event) {
           return is_type(event, "step.scheduled") &&
                  has_event(all, "step.done", "step_run_id", text_of(event, "step_run_id"));
         });
       })},
      {"hides-routing", "EVT-EMIT-SERVER", "next.evaluated is not in the log",
       hides_type("next.evaluated")},
      {"hides-workflow-finished", "EVT-EMIT-SERVER", "workflow.finished is not in the log",
       hides_type("workflow.finished")},
      {"hides-playbook-finished", "EVT-EMIT-SERVER", "playbook.finished is not in the log",
       hides_type("playbook.finished")},
      {"hides-playbook-processed", "EVT-EMIT-SERVER", "playbook.processed is not in the log",
       hides_type("playbook.processed")},
      {"hides-pause", "EVT-EMIT-SERVER", "playbook.paused is not in the log",
       hides_type("playbook.paused")},
  };
}

std::vector<Fault> emission_faults() {
  return {
      {"hides-step-scheduled", "EVT-STEP-SCHED", "step.scheduled is not in the log",
       hides_type("step.scheduled")},
      {"hides-attempt-starts", "EVT-TASK-RETRY", "task.attempt.started is not in the log",
       hides_type("task.attempt.started")},
      {"hides-task-failed", "EVT-TASK-FINAL", "task.failed is not in the log",
       hides_type("task.failed")},
      {"hides-step-started", "EVT-EMIT-WORKER", "step.started is not in the log",
       hides_type("step.started")},
      {"hides-task-done", "EVT-EMIT-WORKER", "task.done is not in the log",
       hides_type("task.done")},
      {"next-evaluated-lacks-matches", "EVT-POL-NEXT", "next.evaluated says that nothing matched",
       empties_choice("matched")},
      {"next-evaluated-lacks-choice", "EVT-POL-NEXT", "next.evaluated says that nothing fired",
       empties_choice("selected")},
      {"forgets-result-references", "EVT-REF-1", "References to results are not kept",
       changes_events([](Value& event) {
         if (Value* payload = member(event, "payload");
             payload != nullptr && payload->is_object()) {
           payload->as_object().erase("result_ref");
         }
       })},
      {"loop-done-after-first-failure", "EVT-LOOP-ORDER",
       "loop.done comes as soon as an iteration has failed",
       [](service::ServiceOptions& options) {
         options.net_policy.loop_end = routing::LoopEnd::at_first_failure;
       }},
      {"unscheduled-step-accepted", "EVT-EMIT-NOSTART",
       "A worker may start a step that was never scheduled", accepts_unscheduled_starts()},
  };
}

std::vector<Fault> renaming_faults() {
  return {
      {"playbook-requested-is-cut", "EVT-TAX-PLAYBOOK",
       "playbook.execution.requested is listed as playbook.requested",
       lists_type_as("playbook.execution.requested", "playbook.requested")},
      {"workflow-finished-reads-done", "EVT-TAX-WORKFLOW",
       "workflow.finished is listed as workflow.done",
       lists_type_as("workflow.finished", "workflow.done")},
      {"step-failed-reads-done", "EVT-TAX-STEP", "step.failed is listed as step.done",
       lists_type_as("step.failed", "step.done")},
      {"attempt-done-reads-task-done", "EVT-TAX-TASK", "task.attempt.done is listed as task.done",
       lists_type_as("task.attempt.done", "task.done")},
      {"iteration-done-reads-loop-done", "EVT-TAX-LOOP",
       "loop.iteration.done is listed as loop.done",
       lists_type_as("loop.iteration.done", "loop.done")},
      {"admission-reads-task-policy", "EVT-TAX-POLICY",
       "policy.admit.evaluated is listed as policy.task.evaluated",
       lists_type_as("policy.admit.evaluated", "policy.task.evaluated")},
      {"processed-reads-ended", "EVT-NAME-VERB", "playbook.processed is listed as playbook.ended",
       lists_type_as("playbook.processed", "playbook.ended")},
  };
}

std::vector<Fault> log_faults() {
  return {
      {"only-first-scheduling-is-listed", "EVT-STEP-SCHED",
       "A step that runs again has no further step.scheduled in the log",
       changes_log([](List& events) {
         std::set<std::string> seen;
         std::erase_if(events, [&](const Value& event) {
           return is_type(event, "step.scheduled") &&
                  !seen.insert(text_of(event, "entity_id")).second;
         });
       })},
      {"third-attempt-is-another-run", "EVT-TASK-RETRY",
       "The third attempt is listed under another task_run_id", changes_events([](Value& event) {
         const Value* attempt = event.find("attempt");
         if (attempt != nullptr && *attempt == Value(3)) {
           event.as_object()["task_run_id"] = text_of(event, "task_run_id") + "-3";
         }
       })},
      {"second-task-outcome-is-no-anomaly", "EVT-TASK-FINAL",
       "A second outcome of a task run is not listed as an anomaly",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       remove_items(body, "anomalies", [&](const Value& anomaly) {
                         const Value* seq = anomaly.find("seq");
                         return std::any_of(events.begin(), events.end(), [&](const Value& event) {
                           const Value* of_event = event.find("seq");
                           return seq != nullptr && of_event != nullptr && *seq == *of_event &&
                                  text_of(event, "event_type").starts_with("task.");
                         });
                       });
                     })},
      {"loop-done-before-its-last-iteration", "EVT-LOOP-ORDER",
       "loop.done is listed before the outcome of the last iteration",
       changes_log([](List& events) {
         for (std::size_t at = 1; at < events.size(); ++at) {
           if (is_type(events[at], "loop.done") &&
               text_of(events[at - 1], "event_type").starts_with("loop.iteration.")) {
             std::swap(events[at], events[at - 1]);
           }
         }
       })},
      {"unscheduled-failure-is-taken", "EVT-EMIT-NOSTART",
       "step.failed of a step run that was never scheduled is answered as stored",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, post_route) && reply.status == 409 &&
             request.body.find("\"step.failed\"") != std::string::npos) {
           return service::Reply{
               201, "application/json", R"({"event_id":"lost","seq":1,"duplicate":false})", {}};
         }
         return reply;
       }},
      {"task-policy-loses-its-action", "EVT-POL-TASK",
       "policy.task.evaluated is listed without its action", changes_events([](Value& event) {
         Value* payload = member(event, "payload");
         if (is_type(event, "policy.task.evaluated") && payload != nullptr &&
             payload->is_object()) {
           payload->as_object().erase("action");
         }
       })},
      {"job-references-are-lost", "EVT-JOB-REF", "The reference to an external job is not kept",
       changes_events([](Value& event) {
         Value* payload = member(event, "payload");
         Value* outcome = payload == nullptr ? nullptr : member(*payload, "outcome");
         if (outcome != nullptr && outcome->is_object()) outcome->as_object().erase("job_ref");
       })},
  };
}

}  // namespace

std::vector<Fault> event_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {storing_faults, listing_faults, envelope_faults, naming_faults, taxonomy_faults,
        server_emission_faults, emission_faults, renaming_faults, log_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
