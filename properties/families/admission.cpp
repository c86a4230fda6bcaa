// Specification 003, 3: who is let in, who waits, and who is sent away.
#include <algorithm>
#include <set>
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/playbooks.h"
#include "properties/families/steps.h"

namespace assay::properties::admission_families {
namespace {

const std::vector<Kind>& parts() {
  static const std::vector<Kind> kinds = {
      {"step", 5}, {"router", 2}, {"gate", 6}, {"workload", 1}, {"discard", 1}};
  return kinds;
}

/// Behind an entry that also begins a step which nobody plays: a denied token is never the last.
Opening open_gates(const Draft& draft) {
  Value playbook = playbook_of(draft.construction, parts());
  List& workflow = playbook.as_object().at("workflow").as_list();
  const Object both{{"spec", Object{{"mode", "inclusive"}}},
                    {"arcs", List{Object{{"step", hold_step}}, Object{{"step", "a"}}}}};
  workflow.insert(workflow.begin(), Object{{"step", "entry"}, {"next", both}});
  workflow.emplace_back(Object{{"step", hold_step}});
  core::Play play;
  play.step = "entry";
  core::Step enter;
  enter.action = std::move(play);
  return {std::move(playbook), {operate("executions.start", {}, "main"), std::move(enter)}};
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

/// Whether the step was let in by what another one brought, and not by an arc.
bool is_opened_by(const TakenStep& taken, const std::string& step) {
  const auto* play = std::get_if<core::Play>(&taken.step.action);
  if (play == nullptr || play->ctx.is_null()) return false;
  const List selected = played_in(taken).selected;
  return std::none_of(selected.begin(), selected.end(),
                      [&step](const Value& arc) { return arc.string_at("step") == step; });
}

/// Steps that had to be admitted in this moment: those that the arcs led to, and those that wait.
std::set<std::string> asked_for(const TakenStep& taken) {
  std::set<std::string> steps;
  for (const Value& arc : played_in(taken).selected) {
    steps.insert(arc.string_at("step").value_or(""));
  }
  for (const Value& token : tokens_of(taken.view)) {
    const std::string step = token.string_at("step").value_or("");
    const bool waits = token.string_at("status") == "pending";
    const bool may_be_opened = taken.made == "executions.ctx" || is_opened_by(taken, step);
    if (waits || (may_be_opened && step != hold_step)) steps.insert(step);
  }
  return steps;
}

bool is_waiting(const View& view, std::string_view step) {
  for (const Value& token : tokens_of(view)) {
    if (token.string_at("step") == step && token.string_at("status") == "pending") return true;
  }
  return false;
}

/// What came of it may be told before what was decided: by either it can be wrong. Which is first
/// changes from playbook to playbook.
bool is_told_by_runs(const View& view) {
  return view.playbook().find("workflow")->as_list().size() % 3 == 1;
}

bool tells_runs_first(const TakenStep& taken) {
  return taken.made == "executions.ctx" || is_told_by_runs(taken.view);
}

/// What admission decided of a step, by its own event.
std::vector<Observation> observe_decisions(const TakenStep& taken, const std::string& step) {
  const Value* policy = step_of_playbook(taken.view.playbook(), step)->at_pointer("/spec/policy");
  const Object filter{{"event_type", "policy.admit.evaluated"}, {"entity_id", step}};
  Observation each{"events.list", {"entity_id"}, {"EVT-EMIT-SERVER"}, filter};
  Observation allowed{"events.list",
                      {"payload.allow"},
                      {policy == nullptr ? "RTE-ADMIT-DEFAULT" : "RTE-ADMIT-RULES"},
                      filter};
  allowed.given = {"entity_id"};
  // Where each token went as was decided, it is only said otherwise.
  if (is_told_by_runs(taken.view) && policy != nullptr) allowed.clauses = {"EVT-POL-ADMIT"};
  std::vector<Observation> observations{each, allowed};
  // Where no rule decided the member may be null, or left out.
  const Value* decisions = taken.view.read("events.list", "main", filter).find("items");
  const Value* rule = decisions == nullptr || decisions->as_list().empty()
                          ? nullptr
                          : decisions->as_list().back().at_pointer("/payload/rule");
  if (rule != nullptr && !rule->is_null()) {
    Observation decided{"events.list", {"payload.rule"}, {"EVT-POL-ADMIT"}, filter};
    decided.newest = true;
    decided.of_the_binding = true;
    observations.push_back(decided);
  }
  return observations;
}

Observation observe_runs(const TakenStep& taken, const std::string& step) {
  const bool waits = is_waiting(taken.view, step);
  const bool is_opened = !waits && (taken.made == "executions.ctx" || is_opened_by(taken, step));
  return {"events.list",
          {"event_type"},
          {is_opened ? "RTE-ADMIT-PENDING" : "RTE-ADMIT-DENY"},
          {{"event_type", "step.scheduled"}, {"entity_id", step}}};
}

Observation observe_waiting(const TakenStep& taken) {
  const bool discards = setting_of(taken.view.playbook(), "denied_token") == "discard";
  Observation tokens{"executions.marking",
                     {"tokens.step", "tokens.status"},
                     {discards ? "RTE-ADMIT-DISCARD" : "RTE-ADMIT-PENDING"}};
  tokens.in_any_order = true;
  return tokens;
}

bool was_denied(const View& view) {
  const Value* items =
      view.read("events.list", "main", {{"event_type", "policy.admit.evaluated"}}).find("items");
  if (items == nullptr) return false;
  const List& decisions = items->as_list();
  return std::any_of(decisions.begin(), decisions.end(), [](const Value& decision) {
    const Value* allow = decision.at_pointer("/payload/allow");
    return allow != nullptr && *allow == Value(false);
  });
}

/// A token that was sent away holds nothing, and is no failure.
std::vector<Observation> observe_ending(const TakenStep& taken) {
  if (is_end(taken.before) || !was_denied(taken.view)) return {};
  const bool ends_first = taken.view.playbook().find("workflow")->as_list().size() % 2 == 0;
  return {{"executions.status", {"state"}, {ends_first ? "RTE-QUIET-DONE" : "RTE-ADMIT-DISCARD"}}};
}

/// The last step that runs beside all that waits.
core::Step let_go() {
  core::Play play;
  play.step = hold_step;
  core::Step step;
  step.action = std::move(play);
  return step;
}

std::optional<core::Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind != "let go") return driven_step(kind, move, view);
  const List tokens = tokens_of(view);
  const bool holds = std::any_of(tokens.begin(), tokens.end(), [](const Value& token) {
    return token.string_at("step") == hold_step;
  });
  return holds ? std::optional(let_go()) : std::nullopt;
}

/// A token that is let in later shows that it waited before it shows who decided.
std::vector<Observation> observe(const TakenStep& taken) {
  if (is_end(driven_state(taken.view))) return observe_ending(taken);
  const bool is_patch = tells_runs_first(taken);
  std::vector<Observation> observations;
  std::vector<Observation> later;
  std::vector<Observation>& decisions = is_patch ? later : observations;
  std::vector<Observation>& runs = is_patch ? observations : later;
  for (const std::string& step : asked_for(taken)) {
    for (Observation& observation : observe_decisions(taken, step))
      decisions.push_back(std::move(observation));
    runs.push_back(observe_runs(taken, step));
  }
  for (Observation& observation : later) observations.push_back(std::move(observation));
  observations.push_back(observe_waiting(taken));
  return observations;
}

std::vector<Observation> observe_log_end(const View& /*view*/) { return observe_log(); }

}  // namespace

std::vector<Family> all() {
  Family admission;
  admission.id = "properties/admission-decides";
  admission.title = "A token is scheduled when admission lets it in, and not before";
  admission.clauses =
      with_log_clauses({"EVT-POL-ADMIT", "RTE-ADMIT-DEFAULT", "RTE-ADMIT-DENY", "RTE-ADMIT-DISCARD",
                        "RTE-ADMIT-PENDING", "RTE-ADMIT-RULES", "RTE-QUIET-DONE"});
  admission.kinds = {{"play", 10}, {"ctx", 8}, {"begin", 1}, {"end", 1}, {"let go", 1}};
  admission.parts = parts();
  admission.most_parts = 10;
  admission.open = open_gates;
  admission.step = step_of;
  admission.answer = answer_of;
  admission.observe = observe;
  admission.observe_end = observe_log_end;
  admission.state = driven_state;
  admission.needs = {"executions.driven", "executions.marking"};
  return {admission};
}

}  // namespace assay::properties::admission_families
