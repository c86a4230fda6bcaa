// Specification 001 section 5: what a driven execution's log says of what the server and its worker
// did, and in which words.
#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/playbooks.h"
#include "properties/families/steps.h"

namespace assay::properties::driven_log_families {
namespace {

using core::Pattern;
using core::Step;

constexpr std::string_view events = "events.list";

const std::vector<Kind>& parts() {
  static const std::vector<Kind> kinds = {{"step", 6}, {"arc", 1},   {"router", 3},
                                          {"fan", 1},  {"entry", 1}, {"again", 2}};
  return kinds;
}

Opening open_driven(const Draft& draft) {
  return {playbook_of(draft.construction, parts()), {operate("executions.start", {}, "main")}};
}

List listed(const View& view, const Object& filter = {}) {
  const Value* items = view.read(events, "main", filter).find("items");
  return items == nullptr ? List{} : items->as_list();
}

/// A step that runs, and has been scheduled once.
std::optional<std::string> running_step(const View& view) {
  for (const Value& token : tokens_of(view)) {
    std::string step = token.string_at("step").value_or("");
    const Object runs{{"event_type", "step.scheduled"}, {"entity_id", step}};
    if (token.string_at("status") == "running" && listed(view, runs).size() == 1) return step;
  }
  return std::nullopt;
}

/// What a worker's policy decided, or a job that runs elsewhere: neither ends the step run.
Object record_of(const Move& move) {
  if (move.operands[0] % 3 == 2) {
    const Object job{{"kind", "result_ref"}, {"ref", "noetl://job/77"}};
    return {{"type", "task.done"},
            {"payload", Object{{"outcome", Object{{"status", "success"}, {"job_ref", job}}}}}};
  }
  const std::string action = pick(move.operands[1], {"break", "fail", "continue", "retry", "jump"});
  return {{"type", "policy.task.evaluated"},
          {"payload", Object{{"matched_rule_index", 0}, {"action", Object{{"do", action}}}}}};
}

std::optional<Step> record(const Move& move, const View& view) {
  const std::optional<std::string> step = running_step(view);
  if (!step) return std::nullopt;
  Step run = operate(std::string(events), {{"event_type", "step.scheduled"}, {"entity_id", *step}});
  run.capture.emplace("run", "/items/0/step_run_id");
  Object event = numbered_event(view.steps().size(), record_of(move));
  event.emplace("step_run", "${run}");
  event.emplace("source", "worker");
  core::Repeat both{1, {std::move(run), post(std::move(event))}};
  Step step_of_both;
  step_of_both.action = std::move(both);
  step_of_both.clauses = {};
  return step_of_both;
}

/// A pause that is over at once.
Step pause() {
  Step step;
  step.action = core::Repeat{1, {operate("executions.pause"), operate("executions.resume")}};
  return step;
}

/// What a tool answered a step that runs.
std::optional<Step> call(const Move& move, const View& view) {
  const std::optional<std::string> step = running_step(view);
  if (!step) return std::nullopt;
  return post(numbered_event(view.steps().size(),
                             {{"type", pick(move.operands[0], {"call.done", "call.error"})},
                              {"command", "c1"},
                              {"node", *step}}));
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "record") return record(move, view);
  if (kind == "call") return call(move, view);
  if (kind != "pause") return driven_step(kind, move, view);
  if (is_end(driven_state(view))) return std::nullopt;
  return pause();
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

/// As many events of that type as the sound server lists.
Observation lists_each(std::string type, std::string clause) {
  return {
      std::string(events), {"event_type"}, {std::move(clause)}, {{"event_type", std::move(type)}}};
}

Observation lists_none(Pattern event, std::string clause) {
  Observation observation{std::string(events), {}, {std::move(clause)}};
  observation.rule = of(How::excludes, {std::move(event)});
  return observation;
}

Pattern none_of(std::vector<Pattern> patterns) { return of(How::none_of, std::move(patterns)); }

/// What the server says of each of them has this alias, or none.
std::vector<Observation> observe_aliases() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> aliases = {{
      {"playbook.started", "PlaybookStarted"},
      {"workflow.started", "WorkflowStarted"},
      {"policy.admit.evaluated", "PolicyAdmitEvaluated"},
      {"step.scheduled", "StepScheduled"},
      {"next.evaluated", "NextEvaluated"},
      {"workflow.finished", "WorkflowFinished"},
      {"playbook.finished", "PlaybookFinished"},
      {"playbook.processed", "PlaybookProcessed"},
  }};
  std::vector<Observation> observations;
  for (const auto& [type, alias] : aliases) {
    observations.push_back(lists_none(
        object(
            {{"event_type", literal(std::string(type))},
             {"event_alias", none_of({literal(std::string(alias)), literal(Value()), absent()})}}),
        "EVT-ALIAS-1"));
  }
  return observations;
}

/// Steps nest in their workflow: none is its own parent, and what is one is a text.
std::vector<Observation> observe_parents(const Value& playbook) {
  std::vector<Observation> observations;
  observations.push_back(lists_none(
      object({{"source", literal("server")},
              {"parent_id", none_of({of(By::type, "string"), literal(Value()), absent()})}}),
      "EVT-ENV-PARENT"));
  for (const Value& step : playbook.find("workflow")->as_list()) {
    const Pattern name = literal(step.string_at("step").value_or(""));
    observations.push_back(
        lists_none(object({{"entity_id", name}, {"parent_id", name}}), "EVT-ENV-PARENT"));
  }
  return observations;
}

/// Names that the current model has, and that say what they are about.
std::vector<Observation> observe_names(const Value& playbook) {
  std::vector<Observation> observations{
      lists_none(object({{"event_type", none_of({of(By::includes, ".")})}}), "EVT-NAME-DOTS"),
      lists_none(object({{"event_type", one_of({"workflow.done", "playbook.done", "next.done",
                                                "policy.admit.done"})}}),
                 "EVT-NAME-BOUNDARY"),
      lists_none(object({{"entity_type", one_of({"case", "retry", "sink"})}}), "EVT-LOG-OLD")};
  for (const char* old : {"case.", "retry.", "sink."}) {
    observations.push_back(
        lists_none(object({{"event_type", of(By::begins, old)}}), "EVT-LOG-OLD"));
  }
  std::vector<Pattern> steps;
  for (const Value& step : playbook.find("workflow")->as_list()) {
    steps.push_back(literal(step.string_at("step").value_or("")));
  }
  observations.push_back(lists_none(
      object({{"event_type", literal("step.scheduled")}, {"entity_id", none_of(std::move(steps))}}),
      "EVT-ENV-ENTITYID"));
  return observations;
}

/// An error is an object, with what belongs to it.
Observation observe_error() {
  const Pattern wrong = none_of({of(By::type, "object"), literal(Value()), absent()});
  return lists_none(object({{"event_type", literal("playbook.finished")},
                            {"payload", object({{"error", wrong}})}}),
                    "EVT-PAY-FIELDS");
}

std::size_t first_of(const List& log, std::string_view type) {
  const auto found = std::find_if(log.begin(), log.end(), [type](const Value& event) {
    return event.string_at("event_type") == type;
  });
  return static_cast<std::size_t>(found - log.begin());
}

/// What a worker did comes in the order in which it did it.
std::vector<Observation> observe_order(const View& view) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> pairs = {{
      {"step.started", "task.started"},
      {"task.started", "task.attempt.started"},
      {"task.attempt.started", "task.attempt.failed"},
      {"task.done", "step.done"},
      {"task.failed", "step.failed"},
  }};
  const List log = listed(view);
  std::vector<Observation> observations;
  for (const auto& [first, second] : pairs) {
    if (first_of(log, second) == log.size() || first_of(log, first) > first_of(log, second)) {
      continue;
    }
    Observation order{std::string(events), {}, {"RTE-PLANE-WORKER"}};
    order.before.emplace_back(object({{"event_type", literal(std::string(first))}}),
                              object({{"event_type", literal(std::string(second))}}));
    observations.push_back(std::move(order));
  }
  return observations;
}

void append(std::vector<Observation>& observations, std::vector<Observation> more) {
  for (Observation& observation : more) observations.push_back(std::move(observation));
}

/// The log as a whole has as many of them, and of what a worker says no more than it said.
std::vector<Observation> observe_counts(const View& view) {
  const List log = listed(view);
  std::vector<Observation> observations;
  for (const char* type :
       {"step.scheduled", "step.started", "task.started", "task.done", "task.failed",
        "task.attempt.started", "task.attempt.done", "task.attempt.failed"}) {
    const auto count =
        static_cast<std::size_t>(std::count_if(log.begin(), log.end(), [type](const Value& event) {
          return event.string_at("event_type") == type;
        }));
    const Pattern event = object({{"event_type", literal(type)}});
    const bool is_the_servers = type == std::string_view("step.scheduled");
    Observation all{
        std::string(events), {}, {is_the_servers ? "EVT-EMIT-SERVER" : "EVT-EMIT-WORKER"}};
    all.rule = of(How::contains, std::vector<Pattern>(count, event));
    observations.push_back(all);
    if (is_the_servers) continue;
    all.rule = of(How::none_of, {of(How::contains, std::vector<Pattern>(count + 1, event))});
    observations.push_back(all);
  }
  return observations;
}

/// What had to be emitted is in the log, by whoever it is emitted.
std::vector<Observation> observe_emitted(const View& view) {
  std::vector<Observation> observations;
  for (const char* type :
       {"playbook.execution.requested", "playbook.request.evaluated", "playbook.started",
        "workflow.started", "policy.admit.evaluated", "step.scheduled", "next.evaluated",
        "playbook.paused", "workflow.finished", "playbook.finished", "playbook.processed"}) {
    observations.push_back(lists_each(type, "EVT-EMIT-SERVER"));
  }
  for (const char* type :
       {"step.started", "step.done", "step.failed", "task.started", "task.done", "task.failed",
        "task.attempt.started", "task.attempt.done", "task.attempt.failed"}) {
    observations.push_back(lists_each(type, "EVT-EMIT-WORKER"));
  }
  observations.push_back(lists_each("task.done", "EVT-TASK-FINAL"));
  observations.push_back(lists_each("task.failed", "EVT-TASK-FINAL"));
  observations.push_back(lists_each("next.evaluated", "EVT-POL-NEXT"));
  if (driven_state(view) == "CANCELLED") {
    observations.push_back(lists_each("execution.cancelled", "STM-ONCE-1"));
    observations.push_back(lists_each("step.scheduled", "RTE-PLANE-SERVER"));
  }
  return observations;
}

/// Of all that a log can say wrong a case tells one thing: what it looks for first changes from
/// case to case, so that each clause has its turn.
std::vector<Observation> observe_end(const View& view) {
  std::vector<Observation> observations = observe_names(view.playbook());
  append(observations, observe_aliases());
  append(observations, observe_parents(view.playbook()));
  observations.push_back(observe_error());
  append(observations, observe_order(view));
  append(observations, observe_emitted(view));
  append(observations, observe_counts(view));
  append(observations, observe_log());
  const std::size_t turn = view.steps().size() * 7 % observations.size();
  std::rotate(observations.begin(), observations.begin() + static_cast<std::ptrdiff_t>(turn),
              observations.end());
  return observations;
}

/// The clause by which what a worker told of its step ends nothing.
std::string clause_of_record(const TakenStep& taken) {
  const auto& repeat = std::get<core::Repeat>(taken.step.action);
  const auto* told = std::get_if<core::Post>(&repeat.steps.back().action);
  if (told == nullptr) return {};
  return told->events.front().string_at("type") == "task.done" ? "EVT-JOB-REF" : "EVT-POL-TASK";
}

Observation observe_tokens(std::string clause) {
  Observation tokens{"executions.marking", {"tokens.step"}, {std::move(clause)}};
  tokens.in_any_order = true;
  return tokens;
}

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made == "executions.start") {
    return {lists_none(object({{"event_type", literal("step.started")}}), "EVT-EMIT-WORKER"),
            lists_none(object({{"event_type", literal("task.started")}}), "EVT-EMIT-WORKER"),
            {std::string(events),
             {"event_type"},
             {"RTE-ENTRY-ONE"},
             {{"event_type", "step.scheduled"}}}};
  }
  if (taken.made == "play none") return {observe_tokens("RTE-PLANE-WORKER")};
  if (taken.made.starts_with("call.")) {
    Observation tools{"executions.detail", {"tools"}, {"STM-TOOL-R1"}};
    tools.of_the_binding = true;
    return {tools};
  }
  if (!std::holds_alternative<core::Repeat>(taken.step.action)) return {};
  const std::string clause = clause_of_record(taken);
  if (clause.empty()) return {};
  return {observe_tokens(clause)};
}

}  // namespace

std::vector<Family> all() {
  Family logs;
  logs.id = "properties/driven-logs-tell-what-happened";
  logs.title = "The log of a driven execution has what was done, by whom, in order and by its name";
  logs.clauses = with_log_clauses(
      {"EVT-ALIAS-1", "EVT-EMIT-SERVER", "EVT-EMIT-WORKER", "EVT-ENV-ENTITYID", "EVT-ENV-PARENT",
       "EVT-JOB-REF", "EVT-LOG-OLD", "EVT-NAME-BOUNDARY", "EVT-NAME-DOTS", "EVT-PAY-FIELDS",
       "EVT-POL-NEXT", "EVT-POL-TASK", "EVT-TASK-FINAL", "RTE-ENTRY-ONE", "RTE-PLANE-SERVER",
       "RTE-PLANE-WORKER", "STM-ONCE-1", "STM-TOOL-R1"});
  logs.kinds = {{"play", 10},  {"begin", 4}, {"end", 3},    {"retried", 4},
                {"record", 3}, {"call", 2},  {"cancel", 1}, {"pause", 1}};
  logs.parts = parts();
  logs.most_parts = 8;
  logs.open = open_driven;
  logs.step = step_of;
  logs.answer = answer_of;
  logs.observe = observe;
  logs.observe_end = observe_end;
  logs.state = driven_state;
  logs.needs = {"executions.driven", "executions.marking"};
  return {logs};
}

}  // namespace assay::properties::driven_log_families
