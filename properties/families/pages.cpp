// The reference binding: lists that are read page by page while they grow.
#include <fmt/format.h>

#include <utility>

#include "properties/families/families.h"
#include "properties/families/steps.h"
#include "properties/families/workflows.h"

namespace assay::properties::page_families {
namespace {

using core::Step;

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::size_t number = view.steps().size();
  if (kind == "start") return operate("executions.start", {}, fmt::format("e{}", number));
  if (kind == "event") {
    return post(
        numbered_event(number, {{"type", pick(move.operands[0], {"step.enter", "step.exit"})},
                                {"node", fmt::format("n{}", move.operands[1] % 3)}}));
  }
  if (kind == "transition") {
    const std::string status = view.read("runs.get", "run").string_at("status").value_or("");
    return operate("runs.transition", {{"to", status == "running" ? "waiting" : "running"}}, {},
                   "run");
  }
  return work_on(move, view, "flow", true);
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

Observation pages(std::string list, std::vector<std::string> members, std::string on,
                  Object parameters) {
  return {
      std::move(list), std::move(members), {"API-PAGING"}, std::move(parameters), std::move(on)};
}

/// Pages of one to three items, by how much has been done.
std::vector<Observation> observe(const TakenStep& taken) {
  const std::size_t limit = 1 + taken.view.steps().size() % 3;
  if (taken.made == "runs.transition") {
    return {pages("runs.audit", {"sequence", "after_state"}, "run", {{"limit", limit}})};
  }
  if (taken.made == "job") {
    return {pages("jobs.list", {"label", "type", "state"}, "main",
                  {{"limit", limit}, {"uuid", "${id:flow}"}})};
  }
  if (taken.made.starts_with("step.")) {
    return {pages("events.list", {"event_id"}, "main", {{"limit", limit}})};
  }
  return {};
}

/// Whatever was done, the log and the audit that it left.
std::vector<Observation> observe_end(const View& /*view*/) {
  return {pages("events.list", {"event_id"}, "main", {{"limit", 2}}),
          pages("runs.audit", {"sequence", "after_state"}, "run", {{"limit", 2}})};
}

Opening open(const Draft& /*draft*/) {
  Opening opening{std::nullopt, register_blocks()};
  List steps;
  for (int step = 0; step < 4; ++step) {
    steps.emplace_back(
        Object{{"label", fmt::format("s{}", step)}, {"functionBlock", "${unique}-pure"}});
  }
  opening.steps.push_back(start_workflow(std::move(steps), "flow"));
  opening.steps.push_back(operate("runs.create", {}, "run", "run"));
  opening.steps.push_back(operate("executions.start", {}, "main"));
  return opening;
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/pages-skip-and-repeat-nothing";
  family.title = "A list in pages of any size shows what it has, once and in order";
  family.clauses = {"API-PAGING"};
  family.kinds = {{"transition", 6}, {"job", 5}, {"event", 4}, {"start", 4}};
  family.needs = {"binding.reference"};
  family.open = open;
  family.step = step_of;
  family.answer = answer_of;
  family.observe = observe;
  family.observe_end = observe_end;
  return {family};
}

}  // namespace assay::properties::page_families
