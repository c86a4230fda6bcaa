// What the log keeps of an event's fields: each field is lost, or comes back as another value.
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// The member at this path of names, from the outermost; nullptr where there is none.
Value* member_of(Value& event, std::initializer_list<std::string_view> path) {
  Value* at = &event;
  for (const std::string_view name : path) {
    if (at != nullptr) at = member(*at, name);
  }
  return at;
}

/// Listed events do not have this field.
Intercept loses(const std::string& field) {
  return changes_events([field](Value& event) { event.as_object().erase(field); });
}

/// The payload of listed events does not have this member.
Intercept loses_of_payload(const std::string& member_name) {
  return changes_events([member_name](Value& event) {
    Value* payload = member(event, "payload");
    if (payload != nullptr && payload->is_object()) payload->as_object().erase(member_name);
  });
}

/// Changes the text of this field in listed events.
Intercept retells(const std::string& field, const std::function<std::string(std::string)>& change) {
  return changes_events([=](Value& event) {
    Value* value = member(event, field);
    if (value != nullptr && value->is_string()) *value = change(value->as_string());
  });
}

/// One text of this field is listed as another.
Intercept confuses(const std::string& field, const std::string& from, const std::string& to) {
  return changes_events([=](Value& event) { replace_text(event, field, from, to); });
}

/// Changes the integer of this field in listed events.
Intercept recounts(const std::string& field,
                   const std::function<std::int64_t(std::int64_t)>& change) {
  return changes_events([=](Value& event) {
    Value* value = member(event, field);
    const auto number = value == nullptr ? std::nullopt : value->to_int64();
    if (number) *value = change(*number);
  });
}

/// The type of a listed event that ends so ends otherwise.
Intercept renames_ends(const std::string& end, const std::string& other) {
  return retells("event_type", [=](std::string type) {
    if (type.ends_with(end)) type.replace(type.size() - end.size(), end.size(), other);
    return type;
  });
}

/// An event that came under a legacy name is listed under another standard name; under its own
/// where that is empty.
Intercept lists_legacy_as(const std::string& legacy, const std::string& standard) {
  return changes_events([=](Value& event) {
    const Value* was = event.at_pointer("/payload/meta/legacy_type");
    if (was == nullptr || !was->is_string() || !was->as_string().starts_with(legacy)) return;
    event.as_object()["event_type"] = standard.empty() ? was->as_string() : standard;
  });
}

std::vector<Fault> kept_name_faults() {
  return {
      {"queued-instead-of-scheduled", "EVT-NAME-VERB",
       "Types that end in .scheduled end in .queued", renames_ends(".scheduled", ".queued")},
      {"ended-instead-of-finished", "EVT-NAME-VERB", "Types that end in .finished end in .ended",
       renames_ends(".finished", ".ended")},
      {"closures-are-done", "EVT-NAME-BOUNDARY", "workflow.finished is listed as workflow.done",
       confuses("event_type", "workflow.finished", "workflow.done")},
      {"decisions-are-done", "EVT-NAME-BOUNDARY", "next.evaluated is listed as next.done",
       confuses("event_type", "next.evaluated", "next.done")},
      {"alias-is-lost", "EVT-ALIAS-1", "Listed events have no alias", loses("event_alias")},
      {"alias-is-the-type", "EVT-ALIAS-1", "The alias of a listed event is its type",
       changes_events([](Value& event) {
         if (event.find("event_alias") == nullptr) return;
         event.as_object()["event_alias"] = text_of(event, "event_type");
       })},
      {"manifests-are-results", "EVT-TAX-RESULT",
       "result.manifest.updated is listed as result.stored",
       confuses("event_type", "result.manifest.updated", "result.stored")},
  };
}

std::vector<Fault> kept_place_faults() {
  return {
      {"source-is-lost", "EVT-ENV-SOURCE", "Listed events have no source", loses("source")},
      {"worker-reads-server", "EVT-ENV-SOURCE", "Events of the worker are listed as the server's",
       confuses("source", "worker", "server")},
      {"entity-type-is-lost", "EVT-ENV-ENTITY", "Listed events have no entity_type",
       loses("entity_type")},
      {"loops-are-steps", "EVT-ENV-ENTITY", "The entity_type loop is listed as step",
       confuses("entity_type", "loop", "step")},
      {"entity-id-is-lost", "EVT-ENV-ENTITYID", "Listed events have no entity_id",
       loses("entity_id")},
      {"entity-id-is-the-parent", "EVT-ENV-ENTITYID",
       "The entity_id of the server's own events is the run of the step, not its name",
       changes_events([](Value& event) {
         const std::string run = text_of(event, "step_run_id");
         if (is_type(event, "step.scheduled") && !run.empty()) event.as_object()["entity_id"] = run;
       })},
      {"parent-is-lost", "EVT-ENV-PARENT", "Listed events have no parent_id", loses("parent_id")},
      {"parent-is-cut", "EVT-ENV-PARENT", "A parent_id is listed up to its first colon",
       retells("parent_id",
               [](const std::string& parent) { return parent.substr(0, parent.find(':')); })},
      {"seq-is-a-text", "EVT-ENV-SEQ", "seq is listed as a text", changes_events([](Value& event) {
         Value* seq = member(event, "seq");
         if (seq != nullptr && seq->to_int64()) *seq = std::to_string(*seq->to_int64());
       })},
      {"seq-comes-twice", "EVT-ENV-SEQ", "Each second event has the seq of the one before it",
       recounts("seq", [](std::int64_t seq) { return seq - (seq % 2 == 0 ? 1 : 0); })},
  };
}

std::vector<Fault> kept_correlation_faults() {
  return {
      {"task-run-is-lost", "EVT-COR-IDS", "Listed events have no task_run_id",
       loses("task_run_id")},
      {"workflow-run-is-cut", "EVT-COR-IDS", "A workflow_run_id is listed without its first letter",
       retells("workflow_run_id",
               [](const std::string& run) { return run.empty() ? run : run.substr(1); })},
      {"iteration-counts-from-one", "EVT-COR-ITER", "An iteration is listed one too high",
       recounts("iteration", [](std::int64_t number) { return number + 1; })},
      {"iteration-id-is-lost", "EVT-COR-ITER", "Listed events have no iteration_id",
       loses("iteration_id")},
      {"attempt-is-lost", "EVT-COR-ATTEMPT", "Listed events have no attempt", loses("attempt")},
      {"attempt-counts-from-zero", "EVT-COR-ATTEMPT", "An attempt is listed one too low",
       recounts("attempt", [](std::int64_t number) { return number - 1; })},
      {"skipped-reads-success", "EVT-COR-STATUS", "The status skipped is listed as success",
       confuses("status", "skipped", "success")},
      {"in-progress-has-a-hyphen", "EVT-COR-STATUS", "in_progress is listed as in-progress",
       confuses("status", "in_progress", "in-progress")},
      {"duration-is-lost", "EVT-COR-DURATION", "Listed events have no duration_ms",
       loses("duration_ms")},
      {"duration-in-seconds", "EVT-COR-DURATION", "duration_ms is listed in seconds",
       recounts("duration_ms", [](std::int64_t number) { return number / 1000; })},
  };
}

std::vector<Fault> kept_payload_faults() {
  return {
      {"payload-loses-its-error", "EVT-PAY-FIELDS", "payload.error is not in the log",
       loses_of_payload("error")},
      {"payload-loses-its-inputs", "EVT-PAY-FIELDS", "payload.inputs is not in the log",
       loses_of_payload("inputs")},
      {"outcome-loses-its-error", "EVT-PAY-OUTCOME", "payload.outcome has no error in the log",
       changes_events([](Value& event) {
         Value* outcome = member_of(event, {"payload", "outcome"});
         if (outcome != nullptr && outcome->is_object()) outcome->as_object().erase("error");
       })},
      {"task-policy-loses-its-rule", "EVT-POL-TASK",
       "policy.task.evaluated is listed without the index of its rule",
       loses_of_payload("matched_rule_index")},
      {"task-policies-all-continue", "EVT-POL-TASK",
       "The action of policy.task.evaluated is listed as continue",
       changes_events([](Value& event) {
         Value* action = member_of(event, {"payload", "action", "do"});
         if (action != nullptr) *action = "continue";
       })},
      {"job-reference-is-null", "EVT-JOB-REF", "The reference to an external job is listed as null",
       changes_events([](Value& event) {
         Value* reference = member_of(event, {"payload", "outcome", "job_ref"});
         if (reference != nullptr) *reference = Value();
       })},
      {"job-reference-is-a-text", "EVT-JOB-REF",
       "The reference to an external job is listed as a text", changes_events([](Value& event) {
         Value* reference = member_of(event, {"payload", "outcome", "job_ref"});
         if (reference != nullptr) *reference = "job";
       })},
  };
}

std::vector<Fault> legacy_faults() {
  return {
      {"legacy-tool-start-is-lost", "EVT-LEG-TOOL", "tool.* is listed as step.started",
       lists_legacy_as("tool.", "step.started")},
      {"legacy-retry-is-a-task", "EVT-LEG-RETRY", "retry.* is listed as task.started",
       lists_legacy_as("retry.", "task.started")},
      {"legacy-sink-keeps-its-name", "EVT-LEG-SINK", "sink.* is listed under its old name",
       lists_legacy_as("sink.", "")},
      {"legacy-case-keeps-its-name", "EVT-LEG-CASE", "case.* is listed under its old name",
       lists_legacy_as("case.", "")},
      {"legacy-names-stay", "EVT-LOG-OLD", "Legacy events are listed under their old names",
       lists_legacy_as("", "")},
      {"legacy-tool-keeps-its-name", "EVT-LEG-TOOL", "tool.* is listed under its old name",
       lists_legacy_as("tool.", "")},
      {"legacy-tools-never-fail", "EVT-LEG-TOOL", "tool.processed is always listed as task.done",
       lists_legacy_as("tool.processed", "task.done")},
      {"legacy-retry-keeps-its-name", "EVT-LEG-RETRY", "retry.* is listed under its old name",
       lists_legacy_as("retry.", "")},
      {"legacy-retry-start-stays", "EVT-LOG-OLD", "retry.started alone keeps its old name",
       lists_legacy_as("retry.started", "")},
      {"legacy-retries-never-fail", "EVT-LEG-RETRY",
       "retry.* is always listed as task.attempt.started",
       lists_legacy_as("retry.", "task.attempt.started")},
      {"legacy-sink-is-a-step", "EVT-LEG-SINK", "sink.* is listed as step.started",
       lists_legacy_as("sink.", "step.started")},
      {"legacy-sink-is-a-result", "EVT-LEG-SINK", "sink.* is listed as result.stored",
       lists_legacy_as("sink.", "result.stored")},
      {"legacy-case-is-a-step", "EVT-LEG-CASE", "case.* is listed as step.started",
       lists_legacy_as("case.", "step.started")},
      {"legacy-case-is-a-task", "EVT-LEG-CASE", "case.* is listed as task.done",
       lists_legacy_as("case.", "task.done")},
  };
}

std::vector<Fault> summary_faults() {
  const auto without = [](const std::string& name) {
    return changes_events([name](Value& event) {
      Value* arguments = member_of(event, {"payload", "args"});
      const bool is_summary = arguments != nullptr && arguments->find("counts") != nullptr;
      if (is_summary) arguments->as_object().erase(name);
    });
  };
  return {
      {"summary-lacks-failures", "RTE-FINAL-ARGS", "The final step's summary has no failures",
       without("failures")},
      {"summary-lacks-the-execution", "RTE-FINAL-ARGS",
       "The final step's summary does not name the execution", without("execution_id")},
  };
}

}  // namespace

std::vector<Fault> keeping_faults() {
  std::vector<Fault> all;
  for (const auto family : {kept_name_faults, kept_place_faults, kept_correlation_faults,
                            kept_payload_faults, legacy_faults, summary_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
