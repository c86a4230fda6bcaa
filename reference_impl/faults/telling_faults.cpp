// What the log tells of an execution: who said it, in which order, how often and under which name.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// Changes a posted event before it is stored.
Intercept changes_posted(const ChangeRequest& change) {
  return alters_requests(post_route, change);
}

/// Changes the type of a posted event, where that is a text.
Intercept changes_posted_type(const std::function<void(std::string& type)>& change) {
  return changes_posted([change](Value& event) {
    Value* type = member(event, "event_type");
    if (type == nullptr || !type->is_string()) return;
    std::string text = type->as_string();
    change(text);
    *type = text;
  });
}

bool is_in_capitals(const std::string& type) {
  return std::any_of(type.begin(), type.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::none_of(type.begin(), type.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::vector<Fault> lenient_name_faults() {
  return {
      {"types-in-capitals-are-taken", "EVT-NAME-LOWER",
       "An event type in capitals throughout is stored in lower case",
       changes_posted_type([](std::string& type) {
         if (is_in_capitals(type)) type = lowered(type);
       })},
      {"slashes-count-as-dots", "EVT-NAME-DOTS", "A slash in an event type is taken for a dot",
       changes_posted_type(
           [](std::string& type) { std::replace(type.begin(), type.end(), '/', '.'); })},
      {"types-may-begin-with-a-digit", "EVT-NAME-SHAPE",
       "An event type that begins with a digit is stored without it",
       changes_posted_type([](std::string& type) {
         if (!type.empty() && type.front() >= '0' && type.front() <= '9') type.erase(0, 1);
       })},
      {"numbers-are-taken-as-ids", "EVT-ENV-ID", "An event_id that is a number is taken as a text",
       changes_posted([](Value& event) {
         Value* id = member(event, "event_id");
         if (id != nullptr && id->is_integer()) *id = service::write_json(*id);
       })},
      {"numbers-are-taken-as-types", "EVT-ENV-TYPE",
       "An event_type that is a number is given a name", changes_posted([](Value& event) {
         Value* type = member(event, "event_type");
         if (type != nullptr && type->is_integer()) *type = "event.n" + service::write_json(*type);
       })},
      {"null-is-taken-for-now", "EVT-ENV-TIME", "A timestamp of null is given a value",
       changes_posted([](Value& event) {
         Value* time = member(event, "timestamp");
         if (time != nullptr && time->is_null()) *time = "2026-01-01T00:00:00Z";
       })},
  };
}

/// The events of an entity, of which one that came with an alias is listed under it.
struct Aliased {
  std::string_view id;
  std::string_view clause;
  std::string_view title;
  std::string_view begins;
};

constexpr std::array<Aliased, 6> aliased_entities = {{
    {"playbook-alias-is-listed", "EVT-TAX-PLAYBOOK",
     "A playbook event that came with an alias is listed under it", "playbook."},
    {"workflow-alias-is-listed", "EVT-TAX-WORKFLOW",
     "A workflow event that came with an alias is listed under it", "workflow."},
    {"step-alias-is-listed", "EVT-TAX-STEP",
     "A step event that came with an alias is listed under it", "step."},
    {"task-alias-is-listed", "EVT-TAX-TASK",
     "A task event that came with an alias is listed under it", "task."},
    {"loop-alias-is-listed", "EVT-TAX-LOOP",
     "A loop event that came with an alias is listed under it", "loop."},
    {"policy-alias-is-listed", "EVT-TAX-POLICY",
     "A policy event that came with an alias is listed under it", "policy."},
}};

Intercept lists_alias(std::string_view begins) {
  return changes_events([begins](Value& event) {
    const std::string alias = text_of(event, "event_alias");
    if (!alias.empty() && text_of(event, "event_type").starts_with(begins)) {
      event.as_object()["event_type"] = alias;
    }
  });
}

/// Two events that follow each other change places where the second is as `holds` says.
Intercept swaps_events(const std::string& first,
                       const std::function<bool(const Value& second)>& holds) {
  return changes_log([=](List& events) {
    for (std::size_t at = 1; at < events.size(); ++at) {
      if (is_type(events[at - 1], first) && holds(events[at]))
        std::swap(events[at - 1], events[at]);
    }
  });
}

bool ends_an_iteration(const Value& event) {
  return is_type(event, "loop.iteration.done") || is_type(event, "loop.iteration.failed");
}

/// Where every run of a step has ended, each is listed as the newest one when it was scheduled.
void rename_ended_runs(const List& log, Value& body) {
  std::set<std::string> ended;
  std::map<std::string, std::string> newest;
  for (const Value& event : log) {
    const std::string run = text_of(event, "step_run_id");
    if (is_type(event, "step.scheduled")) newest[text_of(event, "entity_id")] = run;
    if (is_type(event, "step.done") || is_type(event, "step.failed")) ended.insert(run);
  }
  each_item(body, "events", [&](Value& event) {
    const std::string& run = newest[text_of(event, "entity_id")];
    if (is_type(event, "step.scheduled") && ended.contains(run)) {
      event.as_object()["step_run_id"] = run;
    }
  });
}

/// Of the starts of one task run's attempts the newest alone is listed.
void keep_newest_attempt(List& events) {
  std::map<std::string, std::string> newest;
  for (const Value& event : events) {
    if (is_type(event, "task.attempt.started")) {
      newest[text_of(event, "task_run_id")] = text_of(event, "event_id");
    }
  }
  std::erase_if(events, [&](const Value& event) {
    return is_type(event, "task.attempt.started") &&
           !has_text(event, "event_id", newest[text_of(event, "task_run_id")]);
  });
}

/// The outcome of a task run that was tried again is listed twice.
void repeat_outcome_of_retried(const List& log, Value& body) {
  List* listed = list_at(body, "events");
  if (listed == nullptr || count_type(log, "task.attempt.failed") == 0) return;
  const auto outcome = std::find_if(listed->begin(), listed->end(), [](const Value& event) {
    return is_type(event, "task.done") || is_type(event, "task.failed");
  });
  if (outcome == listed->end()) return;
  Value twin = *outcome;
  listed->insert(std::next(outcome), std::move(twin));
}

std::vector<Fault> order_faults() {
  return {
      {"second-run-renames-the-first", "EVT-STEP-SCHED",
       "Where a step ran again, each step.scheduled names the newest run once that has ended",
       alters_by_log(log_route, rename_ended_runs)},
      {"newest-attempt-hides-the-others", "EVT-TASK-RETRY",
       "Of the attempts of a task run the newest alone is listed as started",
       changes_log(keep_newest_attempt)},
      {"retried-task-ends-twice", "EVT-TASK-FINAL",
       "The outcome of a task that was tried again is in the log twice",
       alters_by_log(log_route, repeat_outcome_of_retried)},
      {"iteration-starts-behind-its-end", "EVT-LOOP-ORDER",
       "An iteration is listed as started behind its outcome",
       swaps_events("loop.iteration.started", ends_an_iteration)},
      {"no-match-is-not-recorded", "EVT-POL-NEXT",
       "next.evaluated is not in the log where no arc matched", changes_log([](List& events) {
         std::erase_if(events, [](const Value& event) {
           const Value* matched = event.at_pointer("/payload/matched");
           return is_type(event, "next.evaluated") && matched != nullptr &&
                  *matched == Value(List{});
         });
       })},
      {"last-attempt-is-not-listed", "EVT-EMIT-WORKER",
       "The attempt that succeeds after a failed one is not in the log as done",
       changes_log([](List& events) {
         if (count_type(events, "task.attempt.failed") == 0) return;
         std::erase_if(events,
                       [](const Value& event) { return is_type(event, "task.attempt.done"); });
       })},
  };
}

/// A step.scheduled of a worker is answered as if it were stored.
service::Reply take_scheduling(service::Service& sound, const service::Request& request) {
  service::Reply reply = sound.handle(request);
  const Value event = json_of(request.body);
  if (!is_on_route(request, post_route) || reply.status != 409 ||
      !is_type(event, "step.scheduled")) {
    return reply;
  }
  const Value stored =
      Object{{"event_id", text_of(event, "event_id")}, {"seq", 1}, {"duplicate", false}};
  return {201, "application/json", service::write_json(stored), {}};
}

std::vector<Fault> content_faults() {
  return {
      {"extracted-fields-are-lost", "EVT-REF-1",
       "What was extracted of a large result is not kept beside its reference",
       changes_events([](Value& event) {
         Value* payload = member(event, "payload");
         if (payload != nullptr && payload->is_object()) payload->as_object().erase("extracted");
       })},
      {"case-matched-stays", "EVT-LOG-OLD", "case.matched alone keeps its old name",
       changes_events([](Value& event) {
         const Value* was = event.at_pointer("/payload/meta/legacy_type");
         if (was != nullptr && *was == Value("case.matched")) {
           event.as_object()["event_type"] = "case.matched";
         }
       })},
      {"worker-may-schedule", "EVT-EMIT-NOSTART",
       "step.scheduled from a worker is answered as stored", take_scheduling},
  };
}

}  // namespace

std::vector<Fault> telling_faults() {
  std::vector<Fault> all;
  for (const Aliased& each : aliased_entities) {
    all.push_back({each.id, each.clause, each.title, lists_alias(each.begins)});
  }
  for (const auto family : {lenient_name_faults, order_faults, content_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
