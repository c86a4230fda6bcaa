// Specification 002: what an impure failure undoes, and what that end is called.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/steps.h"
#include "properties/families/workflows.h"

namespace assay::properties::rollback_families {
namespace {

using core::Step;

Step block(const std::string& name, bool pure, bool rollback) {
  return operate("blocks.register",
                 {{"name", "${unique}-" + name}, {"pure", pure}, {"rollback", rollback}});
}

/// One step for each part; three executions of four ask for rollback.
Opening open_undoable(const Draft& draft) {
  Opening opening{
      std::nullopt,
      {block("pure", true, false), block("undoable", false, true), block("lasting", false, false)}};
  List steps;
  for (const Move& part : draft.construction) {
    const std::string name =
        pick(part.operands[0], {"undoable", "pure", "undoable", "undoable", "lasting", "undoable"});
    steps.emplace_back(Object{{"label", fmt::format("s{}", steps.size())},
                              {"functionBlock", "${unique}-" + name}});
  }
  const bool asks = draft.construction.empty() || draft.construction[0].operands[1] % 4 != 3;
  Object workflow{{"name", "${unique}-main"}, {"steps", std::move(steps)}};
  opening.steps.push_back(operate(
      "workflow.start", {{"workflow", std::move(workflow)}, {"rollback", asks}}, "main", "main"));
  return opening;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "abort") return operate("workflow.abort");
  std::optional<Step> step = work_on(move, view, "main", kind == "work");
  if (step) std::get<core::Job>(step->action).data.reset();
  return step;
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

std::string state_of(const View& view) { return workflow_status(view, "main"); }

bool has_rolled_back(const View& view) {
  const Value* history = view.read("workflow.get").find("history");
  if (history == nullptr) return false;
  const List& entries = history->as_list();
  return std::any_of(entries.begin(), entries.end(),
                     [](const Value& entry) { return entry.string_at("status") == "ROLLBACK"; });
}

/// The clause by which an execution is where it is.
std::string clause_of(const TakenStep& taken, std::string_view now) {
  if (has_rolled_back(taken.view)) {
    if (now == "FAILED_SAFE") return "WFX-ROLL-SAFE";
    return now == "FAILED_UNSAFE" ? "WFX-ROLL-UNSAFE" : "WFX-ERR-ROLLBACK";
  }
  if (taken.made == "workflow.abort") return "WFX-API-ABORT";
  if (now == "FAILED_UNSAFE") return "WFX-ERR-ROLLBACK";
  return now == "FAILED_SAFE" ? "WFX-ERR-SAFE" : "WFX-RUN-DONE";
}

/// Whether it has ended and as what, what that is called, and whose rollback is next.
std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made.ends_with(".register")) return {};
  const std::string clause = clause_of(taken, state_of(taken.view));
  Observation status{"workflow.get", {"status"}, {clause}};
  status.given = {"outcome"};
  return {{"workflow.get", {"outcome"}, {clause}},
          status,
          {"jobs.list", {"type", "label", "state"}, {clause}, {{"uuid", "${id}"}}}};
}

}  // namespace

std::vector<Family> all() {
  Family undone;
  undone.id = "properties/impure-failures-are-undone";
  undone.title = "What an impure failure rolls back, in which order, and what its end is called";
  undone.clauses = {"WFX-API-ABORT", "WFX-ERR-ROLLBACK", "WFX-ERR-SAFE",
                    "WFX-ROLL-SAFE", "WFX-ROLL-UNSAFE",  "WFX-RUN-DONE"};
  undone.kinds = {{"work", 8}, {"fail", 3}, {"abort", 1}};
  undone.parts = {{"step", 1}};
  undone.most_parts = 5;
  undone.open = open_undoable;
  undone.step = step_of;
  undone.answer = answer_of;
  undone.observe = observe;
  undone.state = state_of;
  undone.needs = {"workflow.rollback"};
  return {undone};
}

}  // namespace assay::properties::rollback_families
