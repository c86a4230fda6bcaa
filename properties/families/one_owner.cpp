// Specification 000: the overall state belongs to the lifecycle of the execution, each other layer
// to itself.
#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/execution_moves.h"
#include "properties/families/execution_observations.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::owner_families {
namespace {

using core::Pattern;

/// A state that ends, the event that alone leads to it, and the clause of the checklist.
struct End {
  std::string_view state;
  std::string_view clause;
};
constexpr std::array<End, 3> ends = {{
    {"COMPLETED", "STM-POS-DONE"},
    {"FAILED", "STM-POS-FAIL"},
    {"CANCELLED", "STM-POS-CANCEL"},
}};

std::string_view clause_of_end(std::string_view state) {
  for (const End& end : ends) {
    if (end.state == state) return end.clause;
  }
  return {};
}

const Value& event_of(const core::Step& step) {
  static const Value nothing;
  const auto* action = std::get_if<core::Post>(&step.action);
  return action == nullptr || action->batch ? nothing : action->events.front();
}

/// Whether a command was issued that has not ended.
bool has_open_command(const View& view) {
  const Value* commands = view.read("executions.detail").find("commands");
  if (commands == nullptr || !commands->is_list()) return false;
  const List& list = commands->as_list();
  return std::any_of(list.begin(), list.end(), [](const Value& command) {
    const std::string state = command.string_at("state").value_or("");
    return state == "ISSUED" || state == "CLAIMED" || state == "RUNNING";
  });
}

/// What section 4 says of the layer that an event belongs to.
std::vector<std::string> clauses_of_layer(const TakenStep& taken) {
  const std::string& made = taken.made;
  if (made == "command.completed") return {"STM-LAYER-CMD", "STM-CMD-R1", "STM-CMD-R2"};
  if (made.starts_with("command.")) return {"STM-LAYER-CMD", "STM-CMD-R1"};
  if (made.starts_with("call.")) return {"STM-LAYER-TOOL"};
  if (made.starts_with("workflow.")) return {"STM-LAYER-EXEC"};
  if (!made.starts_with("step.")) return {};
  if (event_of(taken.step).find("iteration") != nullptr) {
    return {"STM-LAYER-STEP", "STM-STEP-R2", "STM-INF-STEP"};
  }
  return {"STM-LAYER-STEP"};
}

/// The clauses that forbid an event which is none of the execution's lifecycle to change its state:
/// the specification says so of all events, of the four kinds of end, and of each layer once more.
std::vector<std::string> clauses_of_staying(const TakenStep& taken) {
  constexpr std::array<std::string_view, 4> ends_below = {"command.completed", "call.done",
                                                          "step.exit", "batch.completed"};
  const std::string& made = taken.made;
  std::vector<std::string> clauses{"STM-CORE-1", "STM-OWN-1"};
  if (std::find(ends_below.begin(), ends_below.end(), made) != ends_below.end()) {
    clauses.emplace_back("STM-CORE-2");
  }
  for (std::string& clause : clauses_of_layer(taken)) clauses.push_back(std::move(clause));
  if (has_open_command(taken.view)) clauses.emplace_back("STM-POS-RUN");
  return clauses;
}

bool is_lifecycle(std::string_view made) {
  constexpr std::array<std::string_view, 7> events = {
      "playbook.initialized", "playbook.started",    "playbook.completed", "playbook.failed",
      "playbook.finished",    "execution.cancelled", "executions.cancel"};
  return std::find(events.begin(), events.end(), made) != events.end();
}

/// The state is none of the ends that did not happen, and then what it is.
std::vector<Observation> observe_state(const TakenStep& taken) {
  const std::string now = execution_state(taken.view);
  std::vector<std::string> clauses;
  if (!is_lifecycle(taken.made)) clauses = clauses_of_staying(taken);
  if (const auto clause = clause_of_end(now); !clause.empty()) clauses.emplace_back(clause);
  std::vector<Observation> observations;
  for (const End& end : ends) {
    if (end.state == now) continue;
    Observation is_not{"executions.status", {"state"}, clauses};
    is_not.clauses.emplace_back(end.clause);
    is_not.rule = object({{"state", of(How::none_of, {literal(std::string(end.state))})}});
    observations.push_back(std::move(is_not));
  }
  if (!clauses.empty()) observations.push_back({"executions.status", {"state"}, clauses});
  return observations;
}

/// A variable named state, in ctx or in an event's payload, with a state's word in it.
core::Step set_variable(const Move& move, const View& view) {
  const Object variable{{"state", pick(move.operands[0], {"COMPLETED", "FAILED", "CANCELLED",
                                                          "PENDING", "RUNNING"})}};
  if (move.operands[1] % 2 == 0) return operate("executions.ctx", {{"patch", variable}});
  return post(numbered_event(view.steps().size(),
                             {{"type", "step.enter"}, {"node", "a"}, {"payload", variable}}));
}

bool sets_a_variable(const TakenStep& taken) {
  return taken.made == "executions.ctx" ||
         event_of(taken.step).at_pointer("/payload/state") != nullptr;
}

std::optional<core::Step> step_of(std::string_view kind, const Move& move, const View& view) {
  return kind == "variable" ? set_variable(move, view) : execution_step(kind, move, view);
}

/// What an event must leave alone in the layers beside its own.
std::vector<Observation> observe(const TakenStep& taken) {
  // Whatever the workload says of a state.
  if (taken.made == "executions.start") {
    return {{"executions.status", {"state"}, {"STM-VARS-1"}}};
  }
  if (sets_a_variable(taken)) return {{"executions.status", {"state"}, {"STM-VARS-1"}}};
  std::vector<Observation> observations = observe_state(taken);
  const std::string now = execution_state(taken.view);
  if (taken.made == "command.completed") {
    observations.push_back({"executions.detail", {"steps"}, {"STM-CMD-R1"}});
  }
  if (taken.made == "step.exit" && event_of(taken.step).find("iteration") != nullptr) {
    observations.push_back({"executions.detail", {"steps"}, {"STM-STEP-R2"}});
  }
  if (taken.made.starts_with("workflow.") && !is_terminal(now)) {
    observations.push_back({"executions.detail", {"outcome"}, {"STM-LAYER-EXEC"}});
  }
  if (taken.made == "workflow.completed" || taken.made == "workflow.failed") {
    observations.push_back({"executions.detail", {"commands"}, {"STM-LAYER-WF"}});
  }
  return observations;
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

/// PENDING, RUNNING with or without its workflow, or ended.
Opening open_anyhow(const Draft& draft) {
  const std::uint8_t way = draft.construction.empty() ? 0 : draft.construction[0].operands[1] % 8;
  if (way == 7) {
    Opening fresh = open_fresh(draft);
    const std::string word =
        pick(draft.construction[0].operands[0], {"COMPLETED", "FAILED", "CANCELLED", "RUNNING"});
    std::get<core::Operate>(fresh.steps.front().action)
        .operation.parameters.insert_or_assign("workload", Object{{"state", word}});
    return fresh;
  }
  if (way == 6) return open_closed(draft);
  return way < 2 ? open_running(draft) : open_working(draft);
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/one-owner-of-the-state";
  family.title = "Whatever the layers below do together, the state is what the lifecycle says";
  family.clauses = {"STM-CMD-R1",     "STM-CMD-R2",    "STM-CORE-1",     "STM-CORE-2",
                    "STM-INF-STEP",   "STM-LAYER-CMD", "STM-LAYER-EXEC", "STM-LAYER-STEP",
                    "STM-LAYER-TOOL", "STM-LAYER-WF",  "STM-OWN-1",      "STM-POS-CANCEL",
                    "STM-POS-DONE",   "STM-POS-FAIL",  "STM-POS-RUN",    "STM-STEP-R2",
                    "STM-VARS-1"};
  family.kinds = {{"worker", 24}, {"work", 6},     {"command", 3},  {"call", 3},
                  {"step", 5},    {"batch", 3},    {"workflow", 3}, {"foreign", 2},
                  {"start", 1},   {"complete", 1}, {"fail", 1},     {"cancelled", 1},
                  {"cancel", 1},  {"variable", 2}, {"drop", 2},     {"lone end", 3}};
  family.parts = {{"way", 1}};
  family.most_parts = 1;
  family.open = open_anyhow;
  family.step = step_of;
  family.answer = answer_of;
  family.observe = observe;
  family.state = execution_state;
  return {family};
}

}  // namespace assay::properties::owner_families
