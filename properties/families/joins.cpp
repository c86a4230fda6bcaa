// Specification 003, 6.1: steps that wait for several others.
#include <fmt/format.h>

#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::join_families {
namespace {

Object leads_to(const std::string& target) { return {{"arcs", List{Object{{"step", target}}}}}; }

/// Two or three branches from one step, each of one or two steps or going round once more, that
/// meet again in a join; and perhaps a step behind it.
Opening open_branches(const Draft& draft) {
  List workflow;
  List arcs;
  const std::size_t branches = draft.construction.size() > 2 ? 3 : 2;
  for (std::size_t branch = 0; branch < branches; ++branch) {
    const Move part = branch < draft.construction.size() ? draft.construction[branch] : Move{};
    const std::string first = fmt::format("b{}", branch);
    const std::string second = fmt::format("c{}", branch);
    const bool is_long = part.operands[0] % 4 == 1;
    Object next = leads_to(is_long ? second : "join");
    if (part.operands[0] % 4 >= 2) {
      next = {{"arcs", List{Object{{"step", first}, {"when", "{{ output.n == 1 }}"}},
                            Object{{"step", "join"}}}}};
    }
    arcs.emplace_back(Object{{"step", first}});
    workflow.emplace_back(Object{{"step", first}, {"next", std::move(next)}});
    if (is_long) workflow.emplace_back(Object{{"step", second}, {"next", leads_to("join")}});
  }
  const Object all{{"spec", Object{{"mode", "inclusive"}}}, {"arcs", std::move(arcs)}};
  workflow.insert(workflow.begin(), Object{{"step", "a"}, {"next", all}});
  const bool goes_on = !draft.construction.empty() && draft.construction[0].operands[1] % 2 == 1;
  Object join{{"step", "join"}};
  if (goes_on) join.emplace("next", leads_to("behind"));
  workflow.emplace_back(std::move(join));
  if (goes_on) workflow.emplace_back(Object{{"step", "behind"}});
  const Object settings{{"spec", Object{{"fan_in", "wait_all"}}}};
  return {Object{{"executor", settings}, {"workflow", std::move(workflow)}},
          {operate("executions.start", {}, "main")}};
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

bool has_waiting_join(const View& view) {
  const Value* groups = view.read("executions.marking").find("fan_in");
  return groups != nullptr && groups->is_list() && !groups->as_list().empty();
}

/// Who has a token, whether it goes on, and how often the join was scheduled.
std::vector<Observation> observe(const TakenStep& taken) {
  const bool waits = has_waiting_join(taken.view);
  const bool ends = is_end(driven_state(taken.view));
  const std::string clause = waits  ? "RTE-QUIET-FANIN"
                             : ends ? "RTE-QUIET-DONE"
                                    : "RTE-QUIET-TOKENS";
  Observation tokens{
      "executions.marking", {"tokens.step"}, {waits ? "RTE-QUIET-FANIN" : "RTE-ROUTE-WHEN"}};
  tokens.in_any_order = true;
  return {{"executions.status", {"state"}, {clause}},
          tokens,
          {"events.list",
           {"event_type"},
           {"RTE-QUIET-FANIN"},
           {{"event_type", "step.scheduled"}, {"entity_id", "join"}}}};
}

/// Nor does the log as a whole have the join twice where it ran once.
std::vector<Observation> observe_end(const View& view) {
  const Value* items =
      view.read("events.list", "main", {{"event_type", "step.scheduled"}, {"entity_id", "join"}})
          .find("items");
  if (items == nullptr || items->as_list().size() != 1) return {};
  const core::Pattern join =
      object({{"event_type", literal("step.scheduled")}, {"entity_id", literal("join")}});
  Observation once{"events.list", {}, {"RTE-QUIET-FANIN"}};
  once.rule = of(How::none_of, {of(How::contains, {join, join})});
  return {once};
}

}  // namespace

std::vector<Family> all() {
  Family joins;
  joins.id = "properties/joins-wait-for-all";
  joins.title = "A join runs once, when every branch that leads to it has ended";
  joins.clauses = {"RTE-QUIET-DONE", "RTE-QUIET-FANIN", "RTE-QUIET-TOKENS", "RTE-ROUTE-WHEN"};
  joins.kinds = {{"play", 12}, {"begin", 2}, {"end", 3}, {"twice", 1}};
  joins.parts = {{"branch", 1}};
  joins.most_parts = 3;
  joins.open = open_branches;
  joins.step = driven_step;
  joins.answer = answer_of;
  joins.observe = observe;
  joins.observe_end = observe_end;
  joins.state = driven_state;
  joins.needs = {"executions.driven", "executions.marking", "fan_in.wait_all"};
  return {joins};
}

}  // namespace assay::properties::join_families
