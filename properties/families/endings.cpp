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

std::vector<std::string> answer_of(const Moment& moment) {
  if (moment.made == "executions.cancel") return {"API-CANCEL"};
  return {};
}

bool ends_by_the_final_step(const Moment& moment) {
  const Played played = played_in(moment);
  return played.ended && played.step == setting_of(moment.view.playbook(), "final_step");
}

bool only_the_final_step_runs(const View& view) {
  const std::string step = setting_of(view.playbook(), "final_step");
  const List tokens = tokens_of(view);
  return !step.empty() && !tokens.empty() &&
         std::all_of(tokens.begin(), tokens.end(),
                     [&](const Value& token) { return token.string_at("step") == step; });
}

/// Whether a step without arcs ended it well: that it leads nowhere is no error of its own.
bool is_success_of_a_leaf(const Moment& moment, const Played& played) {
  return played.ended && arcs_of(moment.view.playbook(), played.step).empty() &&
         moment.view.read("executions.detail").string_at("outcome") == "success";
}

/// What the end is called, and by whose rule: where the final step failed under a status policy it
/// may be either's.
std::vector<Watch> watch_outcome(const Moment& moment) {
  if (!is_end(driven_state(moment.view)) || is_end(moment.before)) return {};
  const Played played = played_in(moment);
  std::string clause = "RTE-STATUS";
  if (is_no_match_an_error(moment.view.playbook())) {
    if (has_no_match(moment.view.playbook(), played)) {
      clause = "RTE-NOMATCH-ERR";
    } else {
      // Where an earlier step matched nothing, it may be either's.
      if (!is_success_of_a_leaf(moment, played)) return {};
      clause = "RTE-LEAF";
    }
  }
  if (ends_by_the_final_step(moment) && played.failed) {
    if (!setting_of(moment.view.playbook(), "status_policy").empty()) return {};
    clause = "RTE-FINAL-FAIL";
  }
  Watch outcome{"executions.detail", {"outcome"}, {clause}};
  outcome.given = {"ended_at"};
  return {outcome};
}

/// How often the final step is scheduled, and what it is told of the run.
std::vector<Watch> watch_final_step(const Moment& moment) {
  const std::string step = setting_of(moment.view.playbook(), "final_step");
  if (step.empty()) return {};
  const Object filter{{"event_type", "step.scheduled"}, {"entity_id", step}};
  Watch once{"events.list", {"entity_id"}, {"RTE-FINAL-ONCE"}, filter};
  Watch summary{"events.list",
                {"payload.args.execution_id", "payload.args.counts", "payload.args.failures.step",
                 "payload.args.result_refs"},
                {"RTE-FINAL-ARGS"},
                filter};
  summary.given = {"entity_id"};
  return {once, summary};
}

/// A workflow ends as its playbook does; of a partial outcome that is not said.
std::vector<Watch> watch_workflow(const Moment& moment) {
  const std::string now = driven_state(moment.view);
  const Value& playbook = moment.view.playbook();
  const bool may_be_partial = setting_of(playbook, "status_policy") == "allow_partial" ||
                              setting_of(playbook, "final_failure") == "partial";
  if ((now != "COMPLETED" && now != "FAILED") || is_end(moment.before) || may_be_partial) return {};
  Watch told{"events.list", {"status"}, {"STM-WF-R3"}, {{"event_type", "workflow.finished"}}};
  Watch order{"events.list", {}, {"STM-WF-R3"}};
  order.before.emplace_back(object({{"event_type", literal("workflow.finished")}}),
                            object({{"event_type", literal("playbook.finished")}}));
  return {
      {"executions.detail", {"workflow_state"}, {"STM-WF-R3"}, {}, "main", {"ended_at", "state"}},
      told,
      order};
}

void append(std::vector<Watch>& watches, std::vector<Watch> more) {
  for (Watch& watch : more) watches.push_back(std::move(watch));
}

/// Whether the execution ends by fail_fast: at the first failure, whatever else runs.
bool fails_at_once(const Moment& moment) {
  return setting_of(moment.view.playbook(), "status_policy") == "fail_fast" &&
         !is_end(moment.before) && is_end(driven_state(moment.view)) && played_in(moment).failed;
}

std::vector<Watch> watch(const Moment& moment) {
  Watch steps{"executions.marking",
              {"tokens.step"},
              {fails_at_once(moment) ? "RTE-STATUS" : clause_of_tokens(moment)}};
  steps.in_any_order = true;
  const bool ends = is_end(driven_state(moment.view));
  std::vector<Watch> ending = watch_end_of_execution(moment);
  if (fails_at_once(moment)) {
    for (Watch& one : ending) one.clauses = {"RTE-STATUS"};
  } else {
    // The state is told by the clause of its outcome.
    std::erase_if(ending, [](const Watch& watch) {
      return watch.clauses == std::vector<std::string>{"RTE-STATUS"};
    });
  }
  std::vector<Watch> watches = {steps};
  // That the final step is there is told before that it is waited for.
  const bool is_last = ends || only_the_final_step_runs(moment.view);
  watches.insert(is_last ? watches.end() : watches.begin(), ending.begin(), ending.end());
  append(watches, watch_outcome(moment));
  append(watches, watch_workflow(moment));
  append(watches, watch_final_step(moment));
  // What events are called in guards is another family's: here it is only a way on.
  for (Watch& watch : watches) {
    std::replace(watch.clauses.begin(), watch.clauses.end(), std::string("EVT-ENV-NAME"),
                 std::string("RTE-ROUTE-WHEN"));
  }
  return watches;
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
  endings.watch = watch;
  endings.state = driven_state;
  endings.needs = {"executions.driven", "executions.marking", "playbook.entry_step",
                   "playbook.final_step"};
  return {endings};
}

}  // namespace assay::properties::ending_families
