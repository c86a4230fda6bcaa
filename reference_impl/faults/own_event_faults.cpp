// Specification 001: a control plane's own events: their names, their envelopes and payloads.
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// Changes each event of the server's own in the log.
Intercept changes_own_events(const std::function<void(Object& event)>& change) {
  return changes_events([change](Value& event) {
    if (has_text(event, "source", "server")) change(event.as_object());
  });
}

/// playbook.request.evaluated, which nothing else waits for, is listed under another name.
Intercept renames_the_evaluation(const std::string& name) {
  return changes_own_events([name](Object& event) {
    Value& type = event["event_type"];
    if (type == Value("playbook.request.evaluated")) type = name;
  });
}

std::vector<Fault> name_faults() {
  return {
      {"own-type-has-a-capital", "EVT-NAME-LOWER",
       "playbook.request.evaluated is listed with a capital",
       renames_the_evaluation("Playbook.request.evaluated")},
      {"own-type-has-slashes", "EVT-NAME-DOTS",
       "playbook.request.evaluated is listed with slashes for dots",
       renames_the_evaluation("playbook/request/evaluated")},
      {"own-type-has-four-segments", "EVT-NAME-SHAPE",
       "playbook.request.evaluated is listed with a fourth segment",
       renames_the_evaluation("playbook.execution.request.evaluated")},
      {"own-aliases-are-the-types", "EVT-ALIAS-1",
       "The alias of the server's own events is their type",
       changes_own_events([](Object& event) { event["event_alias"] = event["event_type"]; })},
      {"retries-have-events-of-their-own", "EVT-LOG-OLD",
       "The log has a retry.started behind each start of a second attempt",
       changes_log([](List& events) {
         List all;
         for (Value& event : events) {
           const Value* attempt = event.find("attempt");
           Value retry = event;
           all.push_back(std::move(event));
           if (!is_type(retry, "task.attempt.started") || attempt == nullptr) continue;
           if (*retry.find("attempt") == Value(1)) continue;
           retry.as_object()["event_type"] = "retry.started";
           retry.as_object()["event_id"] = text_of(retry, "event_id") + "-retry";
           all.push_back(std::move(retry));
         }
         events = std::move(all);
       })},
  };
}

std::vector<Fault> envelope_faults() {
  return {
      {"own-times-have-no-zone", "EVT-ENV-TIME",
       "The events that the server makes have a time without a zone",
       changes_own_events([](Object& event) {
         Value& time = event["timestamp"];
         if (!time.is_string()) return;
         std::string text = time.as_string();
         if (text.ends_with("Z")) text.pop_back();
         time = std::move(text);
       })},
      {"own-parents-are-objects", "EVT-ENV-PARENT",
       "The parent_id of the server's own events is an object",
       changes_own_events([](Object& event) {
         const auto parent = event.find("parent_id");
         if (parent != event.end()) parent->second = Object{{"id", parent->second}};
       })},
      {"own-parents-are-the-entities", "EVT-ENV-PARENT",
       "The parent_id of the server's own events is their entity_id",
       changes_own_events([](Object& event) { event["parent_id"] = event["entity_id"]; })},
      {"own-errors-are-texts", "EVT-PAY-FIELDS",
       "payload.error of a failed execution's playbook.finished is a text",
       changes_own_events([](Object& event) {
         if (event["event_type"] != Value("playbook.finished")) return;
         if (event["status"] != Value("error")) return;
         Value& payload = event["payload"];
         if (!payload.is_object()) payload = Object{};
         payload.as_object()["error"] = "a branch failed";
       })},
      {"found-by-type-without-a-time", "EVT-IDX-1",
       "Events that are looked up by their type have no timestamp",
       alters_answers(log_route,
                      [](const service::Request& request, Value& body) {
                        if (query_parameter(request, "event_type").empty()) return;
                        each_item(body, "events",
                                  [](Value& event) { event.as_object().erase("timestamp"); });
                      })},
      {"final-step-gets-nothing", "RTE-FINAL-ARGS", "The final step gets no summary",
       changes_own_events([](Object& event) {
         Value& payload = event["payload"];
         if (payload.at_pointer("/args/counts") == nullptr) return;
         payload.as_object()["args"] = Object{};
       })},
  };
}

}  // namespace

std::vector<Fault> own_event_faults() {
  std::vector<Fault> all = name_faults();
  std::vector<Fault> more = envelope_faults();
  std::move(more.begin(), more.end(), std::back_inserter(all));
  return all;
}

}  // namespace assay::faults
