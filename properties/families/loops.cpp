// Specification 001, 3.5: loops, their iterations and what comes after them.
#include <algorithm>
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/playbooks.h"
#include "properties/families/steps.h"

namespace assay::properties::loop_families {
namespace {

using core::Step;

const std::vector<Kind>& parts() {
  static const std::vector<Kind> kinds = {{"step", 4}, {"loop", 5}, {"router", 2}};
  return kinds;
}

Opening open_loops(const Draft& draft) {
  std::vector<Move> construction = draft.construction;
  // One loop at least, at the entry.
  construction.insert(construction.begin(),
                      Move{1, construction.empty() ? Move{}.operands : construction[0].operands});
  construction.front().operands[0] = 0;
  return {playbook_of(construction, parts()), {operate("executions.start", {}, "main")}};
}

const Value* loop_of(const Value& playbook, std::string_view step) {
  const Value* found = step_of_playbook(playbook, step);
  return found == nullptr ? nullptr : found->find("loop");
}

/// How many items a loop goes over.
std::size_t items_of(const Value& playbook, const Value& loop) {
  const Value* in = loop.find("in");
  if (in != nullptr && in->is_list()) return in->as_list().size();
  const Value* rows = playbook.at_pointer("/workload/rows");
  return rows == nullptr ? 0 : rows->as_list().size();
}

/// Steps with a token that is scheduled, or running too.
std::vector<std::string> open_steps(const View& view, bool may_run) {
  std::vector<std::string> steps;
  for (const Value& token : tokens_of(view)) {
    const auto status = token.string_at("status");
    if (status == "scheduled" || (may_run && status == "running")) {
      steps.push_back(token.string_at("step").value_or(""));
    }
  }
  return steps;
}

/// The outcomes of a loop's iterations by the bits of an operand; "some" leaves the last ones open.
std::vector<std::string> outcomes_of(const Move& move, std::size_t items, bool all) {
  std::size_t count = items;
  if (!all && items > 0) count = 1 + move.operands[3] % items;
  std::vector<std::string> outcomes;
  for (std::size_t iteration = 0; iteration < count; ++iteration) {
    outcomes.emplace_back((move.operands[2] >> iteration) % 2 == 1 ? "failed" : "done");
  }
  return outcomes;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "cancel") return operate("executions.cancel");
  const std::vector<std::string> steps = open_steps(view, kind != "all");
  if (steps.empty()) return std::nullopt;
  core::Play play;
  play.step = steps[move.operands[0] % steps.size()];
  if (const Value* loop = loop_of(view.playbook(), play.step)) {
    play.iterations = outcomes_of(move, items_of(view.playbook(), *loop), kind == "all");
  } else {
    play.outcome = move.operands[1] % 4 == 3 ? "failed" : "done";
    play.result = Object{{"n", move.operands[2] % 3}};
  }
  if (kind == "twice") play.times = 2;
  Step step;
  step.action = std::move(play);
  return step;
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

bool is_empty_loop(const Value& playbook, const Value& step) {
  const Value* loop = step.find("loop");
  return loop != nullptr && items_of(playbook, *loop) == 0;
}

/// Which iterations each loop has scheduled, and whether it is done: an empty one is at once.
std::vector<Observation> observe_loops(const TakenStep& taken) {
  const Value& playbook = taken.view.playbook();
  std::vector<Observation> observations;
  for (const Value& step : playbook.find("workflow")->as_list()) {
    if (step.find("loop") == nullptr) continue;
    const std::string name = step.string_at("step").value_or("");
    const Object done{{"event_type", "loop.done"}, {"entity_id", name}};
    const std::string clause = is_empty_loop(playbook, step) ? "RTE-QUIET-DONE" : "EVT-LOOP-ORDER";
    observations.push_back({"events.list", {"event_type"}, {clause}, done});
    Observation status{"events.list", {"status"}, {"EVT-LOOP-ORDER"}, done};
    status.given = {"event_type"};
    observations.push_back(status);
    observations.push_back({"events.list",
                            {"iteration"},
                            {"EVT-LOOP-ORDER"},
                            {{"event_type", "loop.iteration.scheduled"}, {"entity_id", name}}});
  }
  return observations;
}

std::vector<Observation> observe(const TakenStep& taken) {
  std::vector<Observation> observations = observe_loops(taken);
  Observation steps{"executions.marking", {"tokens.step"}, {"RTE-ROUTE-WHEN"}};
  steps.in_any_order = true;
  observations.push_back(steps);
  const std::string now = driven_state(taken.view);
  const bool ends = is_end(now) && !is_end(taken.before);
  const std::string clause = is_end(taken.before) ? "STM-EXEC-R1"
                             : now == "CANCELLED" ? "STM-EXEC-T4"
                             : ends               ? "RTE-QUIET-DONE"
                                                  : "RTE-QUIET-INFLIGHT";
  observations.push_back({"executions.status", {"ended_at"}, {clause}});
  if (ends && now != "CANCELLED") {
    Observation state{"executions.status", {"state"}, {"RTE-STATUS"}};
    state.given = {"ended_at"};
    observations.push_back(state);
  }
  return observations;
}

bool plays_twice(const Step& step) {
  const auto* play = std::get_if<core::Play>(&step.action);
  return play != nullptr && play->times > 1;
}

/// A repeated outcome of an iteration is in the log as the worker sent it.
std::vector<Observation> observe_log_end(const View& view) {
  std::vector<Observation> observations = observe_log();
  if (std::any_of(view.steps().begin(), view.steps().end(), plays_twice)) {
    std::erase_if(observations, [](const Observation& observation) {
      return observation.keeps == "EVT-LOOP-ORDER";
    });
  }
  return observations;
}

}  // namespace

std::vector<Family> all() {
  Family loops;
  loops.id = "properties/loops-in-order";
  loops.title = "A loop ends once, after its last iteration, whatever became of each";
  loops.clauses = with_log_clauses({"RTE-QUIET-DONE", "RTE-STATUS", "STM-EXEC-T4"});
  loops.kinds = {{"all", 8}, {"some", 8}, {"twice", 1}, {"cancel", 1}};
  loops.parts = parts();
  loops.most_parts = 8;
  loops.open = open_loops;
  loops.step = step_of;
  loops.answer = answer_of;
  loops.observe = observe;
  loops.observe_end = observe_log_end;
  loops.state = driven_state;
  loops.needs = {"executions.driven", "executions.marking", "playbook.loops"};
  return {loops};
}

}  // namespace assay::properties::loop_families
