// Specification 003, 2, 6.2 and 7: where it begins, the final step, and what the end is called.
#include <algorithm>
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/playbooks.h"
#include "properties/families/steps.h"

namespace assay::properties::ending_families {
namespace {

const std::vector<Kind>& parts() {
  static const std::vector<Kind> kinds = {{"step", 6},  {"arc", 1},    {"router", 3}, {"fan", 3},
                                          {"final", 4}, {"policy", 4}, {"entry", 1},  {"again", 2}};
  return kinds;
}

Opening open_settings(const Draft& draft) {
  return {playbook_of(draft.construction, parts()), {operate("executions.start", {}, "main")}};
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  if (taken.made == "executions.cancel") return {"API-CANCEL"};
  return {};
}

bool ends_by_the_final_step(const TakenStep& taken) {
  const Played played = played_in(taken);
  return played.ended && played.step == setting_of(taken.view.playbook(), "final_step");
}

bool only_the_final_step_runs(const View& view) {
  const std::string step = setting_of(view.playbook(), "final_step");
  const List tokens = tokens_of(view);
  return !step.empty() && !tokens.empty() &&
         std::all_of(tokens.begin(), tokens.end(),
                     [&](const Value& token) { return token.string_at("step") == step; });
}

/// Whether a step without arcs ended it well: that it leads nowhere is no error of its own.
bool is_success_of_a_leaf(const TakenStep& taken, const Played& played) {
  return played.ended && arcs_of(taken.view.playbook(), played.step).empty() &&
         taken.view.read("executions.detail").string_at("outcome") == "success";
}

/// What the end is called, and by whose rule: where the final step failed under a status policy it
/// may be either's.
std::vector<Observation> observe_outcome(const TakenStep& taken) {
  if (!is_end(driven_state(taken.view)) || is_end(taken.before)) return {};
  const Played played = played_in(taken);
  std::string clause = "RTE-STATUS";
  if (is_no_match_an_error(taken.view.playbook())) {
    if (has_no_match(taken.view.playbook(), played)) {
      clause = "RTE-NOMATCH-ERR";
    } else {
      // Where an earlier step matched nothing, it may be either's.
      if (!is_success_of_a_leaf(taken, played)) return {};
      clause = "RTE-LEAF";
    }
  }
  if (ends_by_the_final_step(taken) && played.failed) {
    if (!setting_of(taken.view.playbook(), "status_policy").empty()) return {};
    clause = "RTE-FINAL-FAIL";
  }
  Observation outcome{"executions.detail", {"outcome"}, {clause}};
  outcome.given = {"ended_at"};
  return {outcome};
}

/// How often the final step is scheduled, and what it is told of the run.
std::vector<Observation> observe_final_step(const TakenStep& taken) {
  const std::string step = setting_of(taken.view.playbook(), "final_step");
  if (step.empty()) return {};
  const Object filter{{"event_type", "step.scheduled"}, {"entity_id", step}};
  Observation once{"events.list", {"entity_id"}, {"RTE-FINAL-ONCE"}, filter};
  Observation summary{"events.list",
                      {"payload.args.execution_id", "payload.args.counts",
                       "payload.args.failures.step", "payload.args.result_refs"},
                      {"RTE-FINAL-ARGS"},
                      filter};
  summary.given = {"entity_id"};
  return {once, summary};
}

/// A workflow ends as its playbook does; of a partial outcome that is not said.
std::vector<Observation> observe_workflow(const TakenStep& taken) {
  const std::string now = driven_state(taken.view);
  const Value& playbook = taken.view.playbook();
  const bool may_be_partial = setting_of(playbook, "status_policy") == "allow_partial" ||
                              setting_of(playbook, "final_failure") == "partial";
  if ((now != "COMPLETED" && now != "FAILED") || is_end(taken.before) || may_be_partial) return {};
  Observation told{"events.list", {"status"}, {"STM-WF-R3"}, {{"event_type", "workflow.finished"}}};
  Observation order{"events.list", {}, {"STM-WF-R3"}};
  order.before.emplace_back(object({{"event_type", literal("workflow.finished")}}),
                            object({{"event_type", literal("playbook.finished")}}));
  return {
      {"executions.detail", {"workflow_state"}, {"STM-WF-R3"}, {}, "main", {"ended_at", "state"}},
      told,
      order};
}

void append(std::vector<Observation>& observations, std::vector<Observation> more) {
  for (Observation& observation : more) observations.push_back(std::move(observation));
}

/// Whether the execution ends by fail_fast: at the first failure, whatever else runs.
bool fails_at_once(const TakenStep& taken) {
  return setting_of(taken.view.playbook(), "status_policy") == "fail_fast" &&
         !is_end(taken.before) && is_end(driven_state(taken.view)) && played_in(taken).failed;
}

std::vector<Observation> observe(const TakenStep& taken) {
  Observation steps{"executions.marking",
                    {"tokens.step"},
                    {fails_at_once(taken) ? "RTE-STATUS" : clause_of_tokens(taken)}};
  steps.in_any_order = true;
  const bool ends = is_end(driven_state(taken.view));
  std::vector<Observation> ending = observe_end_of_execution(taken);
  if (fails_at_once(taken)) {
    for (Observation& one : ending) one.clauses = {"RTE-STATUS"};
  } else {
    // The state is told by the clause of its outcome.
    std::erase_if(ending, [](const Observation& observation) {
      return observation.clauses == std::vector<std::string>{"RTE-STATUS"};
    });
  }
  std::vector<Observation> observations = {steps};
  // That the final step is there is told before that it is waited for.
  const bool is_last = ends || only_the_final_step_runs(taken.view);
  observations.insert(is_last ? observations.end() : observations.begin(), ending.begin(),
                      ending.end());
  append(observations, observe_outcome(taken));
  append(observations, observe_workflow(taken));
  append(observations, observe_final_step(taken));
  // What events are called in guards is another family's: here it is only a way on.
  for (Observation& observation : observations) {
    std::replace(observation.clauses.begin(), observation.clauses.end(),
                 std::string("EVT-ENV-NAME"), std::string("RTE-ROUTE-WHEN"));
  }
  return observations;
}

}  // namespace

std::vector<Family> all() {
  Family endings;
  endings.id = "properties/settings-decide-the-end";
  endings.title = "entry_step, final_step and the policies decide what runs and how it ends";
  endings.clauses = {
      "API-CANCEL",       "RTE-ENTRY-FIRST", "RTE-ENTRY-OVERRIDE", "RTE-FINAL-ARGS",
      "RTE-FINAL-END",    "RTE-FINAL-FAIL",  "RTE-FINAL-ONCE",     "RTE-GUARD-DEFAULT",
      "RTE-GUARD-STATE",  "RTE-LEAF",        "RTE-MODE-EXCL",      "RTE-MODE-INCL",
      "RTE-NOMATCH",      "RTE-NOMATCH-ERR", "RTE-QUIET-DONE",     "RTE-QUIET-INFLIGHT",
      "RTE-QUIET-TOKENS", "RTE-ROUTE-WHEN",  "RTE-STATUS",         "STM-EXEC-R1",
      "STM-EXEC-T4",      "STM-TOOL-R1",     "STM-WF-R3"};
  endings.kinds = {{"play", 20}, {"begin", 1}, {"end", 1}, {"late", 1}, {"cancel", 2}};
  endings.parts = parts();
  endings.most_parts = 10;
  endings.open = open_settings;
  endings.step = driven_step;
  endings.answer = answer_of;
  endings.observe = observe;
  endings.state = driven_state;
  endings.needs = {"executions.driven", "executions.marking", "playbook.entry_step",
                   "playbook.final_step"};
  return {endings};
}

}  // namespace assay::properties::ending_families
