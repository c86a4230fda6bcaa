// Specification 002, Locking: several executions that want the same entities.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"
#include "properties/families/workflows.h"

namespace assay::properties::lock_families {
namespace {

using core::Step;

constexpr std::array<std::string_view, 4> names = {"main", "b", "c", "d"};

/// Two to four executions, each of a step that acquires and perhaps one that runs after it. Only
/// the last may be impure: what an end is called is not asked here.
Opening open_contenders(const Draft& draft) {
  Opening opening{std::nullopt, register_blocks()};
  const std::size_t count = std::clamp<std::size_t>(draft.construction.size(), 2, names.size());
  for (std::size_t index = 0; index < count; ++index) {
    const Move part = index < draft.construction.size() ? draft.construction[index] : Move{};
    List steps;
    Object first{{"label", "s0"}, {"functionBlock", "${unique}-pure"}};
    first.emplace("acquire", entities_of(static_cast<std::uint8_t>(part.operands[0] % 7 + 1)));
    steps.emplace_back(std::move(first));
    if (part.operands[1] % 3 == 2) {
      steps.emplace_back(Object{{"label", "s1"}, {"functionBlock", "${unique}-impure"}});
    }
    opening.steps.push_back(start_workflow(std::move(steps), std::string(names.at(index))));
  }
  return opening;
}

std::vector<std::string> executions_of(const View& view) {
  std::vector<std::string> executions;
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Operate>(&step.action);
    if (action != nullptr && action->operation.name == "workflow.start") {
      executions.push_back(step.as);
    }
  }
  return executions;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::vector<std::string> executions = executions_of(view);
  if (executions.empty()) return std::nullopt;
  const std::string& on = executions[move.operands[0] % executions.size()];
  if (kind == "abort") return operate("workflow.abort", {}, {}, on);
  Move work = move;
  // An ACQUIRE job reports at least one entity.
  work.operands[1] = static_cast<std::uint8_t>(move.operands[1] % 7 + 1);
  return work_on(work, view, on, kind == "work");
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

/// The clause by which others got what this one held, if it did.
std::string clause_of_release(const TakenStep& taken) {
  const std::string status = workflow_status(taken.view, taken.step.on);
  if (taken.made == "workflow.abort") return "WFX-API-ABORT";
  if (status == "COMPLETED") return "WFX-DONE-RELEASE";
  return is_outcome(status) ? "WFX-LOCK-EXCL" : "WFX-LOCK-OK";
}

/// Who has not ended is active, whether it runs or waits.
Observation is_active(const std::string& name) {
  Observation active{"workflow.active", {}, {"WFX-API-ACTIVE"}};
  active.rule = of(How::contains, {object({{"uuid", literal("${id:" + name + "}")}})});
  return active;
}

/// Who has a job to run holds what it needs; who waits has none, and is SCHEDULED.
std::vector<Observation> observe(const TakenStep& taken) {
  std::vector<Observation> observations;
  for (const std::string& name : executions_of(taken.view)) {
    const std::string status = workflow_status(taken.view, name);
    if (name == taken.step.on && is_outcome(status)) continue;
    const bool waits = status == "SCHEDULED";
    const std::string clause = waits                 ? "WFX-LOCK-EXCL"
                               : status == "RUNNING" ? clause_of_release(taken)
                                                     : "WFX-SCHED-WAIT";
    observations.push_back(
        {"jobs.list", {"type", "label"}, {clause}, {{"uuid", fmt::format("${{id:{}}}", name)}}});
    observations.push_back(
        {"workflow.get", {"status"}, {waits ? "WFX-SCHED-WAIT" : clause}, {}, name});
    if (!is_outcome(status)) observations.push_back(is_active(name));
    if (status == "RUNNING") {
      Observation held{"workflow.get", {"entities"}, {"WFX-LOCK-OK"}, {}, name};
      held.given = {"status"};
      held.in_any_order = true;
      observations.push_back(held);
    }
  }
  return observations;
}

std::string state_of(const View& view) { return workflow_status(view, "main"); }

}  // namespace

std::vector<Family> all() {
  Family locks;
  locks.id = "properties/locks-never-overlap";
  locks.title = "No two executions hold one entity, and who ends lets go of all";
  locks.clauses = {"WFX-API-ABORT", "WFX-API-ACTIVE", "WFX-DONE-RELEASE",
                   "WFX-LOCK-EXCL", "WFX-LOCK-OK",    "WFX-SCHED-WAIT"};
  locks.kinds = {{"work", 12}, {"fail", 2}, {"abort", 1}};
  locks.parts = {{"execution", 1}};
  locks.most_parts = 4;
  locks.open = open_contenders;
  locks.step = step_of;
  locks.answer = answer_of;
  locks.observe = observe;
  locks.state = state_of;
  return {locks};
}

}  // namespace assay::properties::lock_families
