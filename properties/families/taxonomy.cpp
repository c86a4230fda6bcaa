// Specification 001 sections 1 and 3: what events are called, and what each kind must carry.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "properties/families/event_types.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::taxonomy_families {
namespace {

using core::Pattern;
using core::Step;

/// payload.inputs and payload.outcome may be so long, as compact JSON.
constexpr std::size_t payload_cap_bytes = 65'536;

/// An event of the taxonomy names the kind of its entity.
Object standard_event(std::string type) {
  const std::string entity = type.substr(0, type.find('.'));
  return {{"type", std::move(type)}, {"entity_type", entity}, {"entity_id", "one"}};
}

Object any_type(const Move& move) {
  const std::size_t number = move.operands[0] + std::size_t{16} * (move.operands[1] % 2);
  return standard_event(std::string(event_types()[number % event_types().size()].name));
}

/// Names of two to five segments that nobody has given a meaning.
Object any_name(const Move& move) {
  const std::string entity = pick(move.operands[0], {"cache", "quantum", "order", "a1"});
  const std::string sub_entity = pick(move.operands[1], {"job", "item", "b_2"});
  const std::string verb = pick(move.operands[2], {"submitted", "warmed", "done"});
  switch (move.operands[3] % 8) {
    case 0:
      return {{"type", fmt::format("{}.{}", entity, verb)}};
    case 6:
      return {{"type", fmt::format("{}.{}.now.{}", entity, sub_entity, verb)}};
    case 7:
      return {{"type", fmt::format("{}.{}.here.now.{}", entity, sub_entity, verb)}};
    default:
      return {{"type", fmt::format("{}.{}.{}", entity, sub_entity, verb)}};
  }
}

/// Steps on the way of two task runs, which may come twice and in any order.
Object task_event(const Move& move) {
  Object event = standard_event(
      pick(move.operands[0], {"task.done", "task.failed", "task.started", "task.done",
                              "task.failed", "task.attempt.done", "task.attempt.failed"}));
  event.insert_or_assign("task_run_id", fmt::format("t{}", move.operands[1] % 2));
  event.insert_or_assign("attempt", 1 + move.operands[2] % 3);
  return event;
}

Object policy_event(const Move& move) {
  Object event = standard_event("policy.task.evaluated");
  event.insert_or_assign(
      "payload",
      Object{{"matched_rule_index", move.operands[1] % 4},
             {"action", Object{{"do", pick(move.operands[0],
                                           {"retry", "jump", "continue", "break", "fail"})}}}});
  return event;
}

/// A task that leaves its work to an external job, and says where that is found.
Object job_event(const Move& move) {
  const Object reference{{"provider", pick(move.operands[0], {"batch", "quantum"})},
                         {"job_id", fmt::format("j{}", move.operands[1])}};
  Object event = standard_event("task.done");
  event.insert_or_assign("payload", Object{{"outcome", Object{{"job_ref", reference}}}});
  return event;
}

/// An outcome that has to be stored elsewhere.
Object large_event(const Move& move) {
  Object event = standard_event("task.done");
  const std::string text(payload_cap_bytes + 1 + move.operands[0], 'x');
  event.insert_or_assign("payload", Object{{"outcome", text}});
  return event;
}

Object source_event(const Move& move) {
  Object event = standard_event("step.started");
  event.insert_or_assign(
      "source", pick(move.operands[0], {"worker", "server", "client", "Worker", "scheduler", ""}));
  return event;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  Object event;
  if (kind == "type") event = any_type(move);
  if (kind == "name") event = any_name(move);
  if (kind == "task") event = task_event(move);
  if (kind == "policy") event = policy_event(move);
  if (kind == "job") event = job_event(move);
  if (kind == "large") event = large_event(move);
  if (kind == "source") event = source_event(move);
  return post(numbered_event(view.steps().size(), std::move(event)));
}

const Value& event_of(const TakenStep& taken) {
  static const Value nothing;
  const auto* action = std::get_if<core::Post>(&taken.step.action);
  return action == nullptr ? nothing : action->events.front();
}

/// What is particular about an event; the simplest: its type.
std::string clause_of(const Value& event) {
  if (event.find("source") != nullptr) return "EVT-ENV-SOURCE";
  if (const Value* payload = event.find("payload")) {
    if (payload->find("action") != nullptr) return "EVT-POL-TASK";
    const Value* outcome = payload->find("outcome");
    if (outcome != nullptr) return outcome->is_string() ? "EVT-REF-1" : "EVT-JOB-REF";
  }
  std::string clause = clause_of_type(event.string_at("type").value_or(""));
  return clause.empty() ? "EVT-NAME-SHAPE" : clause;
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  if (taken.made == "executions.start") return {};
  return {clause_of(event_of(taken))};
}

Observation newest(std::string member, std::string clause) {
  Observation observation{"events.list", {std::move(member)}, {std::move(clause)}};
  observation.newest = true;
  return observation;
}

/// Every type of that kind of entity ends in one of the verbs of section 1.
Observation ends_in_a_verb(std::string entity_type) {
  constexpr std::array<std::string_view, 11> verbs = {
      ".requested", ".evaluated", ".scheduled", ".started", ".done",   ".failed",
      ".finished",  ".paused",    ".processed", ".stored",  ".updated"};
  std::vector<Pattern> endings;
  for (const std::string_view verb : verbs) endings.push_back(of(By::ends, std::string(verb)));
  const Pattern other = of(How::none_of, std::move(endings));
  Observation observation{
      "events.list", {}, {"EVT-NAME-VERB"}, {{"entity_type", std::move(entity_type)}}};
  observation.rule = of(How::excludes, {object({{"event_type", other}})});
  return observation;
}

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.acceptance != core::Acceptance::accepted || taken.made == "executions.start") {
    return {};
  }
  const Value& event = event_of(taken);
  const std::string clause = clause_of(event);
  std::vector<Observation> observations;
  if (const auto entity = event.string_at("entity_type")) {
    observations.push_back(ends_in_a_verb(*entity));
  }
  if (clause == "EVT-ENV-SOURCE") {
    observations.push_back(newest("source", clause));
  } else if (clause == "EVT-POL-TASK" || clause == "EVT-JOB-REF") {
    observations.push_back(newest("payload", clause));
  } else {
    observations.push_back(newest("event_type", clause));
  }
  if (taken.made == "task.done" || taken.made == "task.failed") {
    observations.push_back(
        {"events.list", {"event_type"}, {"EVT-TASK-FINAL"}, {{"event_type", taken.made}}});
  }
  if (event.find("task_run_id") != nullptr) {
    observations.push_back({"executions.detail", {"anomalies.seq"}, {"EVT-TASK-FINAL"}});
  }
  return observations;
}

Opening open(const Draft& /*draft*/) {
  return {std::nullopt, {operate("executions.start", {}, "main")}};
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/event-taxonomy";
  family.title = "An event keeps the name that the taxonomy gives it, and what goes with it";
  // What has another name, or none at all, is refused: the reference binding says with what.
  family.needs = {"binding.reference"};
  family.clauses = {"EVT-ENV-SOURCE",   "EVT-JOB-REF",     "EVT-NAME-SHAPE", "EVT-NAME-VERB",
                    "EVT-POL-TASK",     "EVT-REF-1",       "EVT-TASK-FINAL", "EVT-TAX-LOOP",
                    "EVT-TAX-PLAYBOOK", "EVT-TAX-POLICY",  "EVT-TAX-RESULT", "EVT-TAX-STEP",
                    "EVT-TAX-TASK",     "EVT-TAX-WORKFLOW"};
  family.kinds = {{"type", 12}, {"name", 5},  {"task", 5},  {"policy", 2},
                  {"job", 2},   {"large", 1}, {"source", 2}};
  family.open = open;
  family.step = step_of;
  family.answer = answer_of;
  family.observe = observe;
  return {family};
}

}  // namespace assay::properties::taxonomy_families
