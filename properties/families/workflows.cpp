#include "properties/families/workflows.h"

#include <fmt/format.h>

#include <utility>

#include "properties/families/steps.h"

namespace assay::properties {

using core::Step;

std::vector<Step> register_blocks() {
  return {
      operate("blocks.register", {{"name", "${unique}-pure"}, {"pure", true}}),
      operate("blocks.register", {{"name", "${unique}-impure"}, {"pure", false}}),
      operate("blocks.register",
              {{"name", "${unique}-locking"}, {"pure", true}, {"acquires", List{"${unique}-d3"}}})};
}

Step start_workflow(List steps, const std::string& as) {
  const Object definition{{"name", "${unique}-" + as}, {"steps", std::move(steps)}};
  return operate("workflow.start",
                 {{"workflow", definition}, {"parameters", Object{{"go", true}, {"n", 1}}}}, as,
                 as);
}

List entities_of(std::uint8_t bits) {
  List entities;
  for (int number = 0; number < 3; ++number) {
    if ((bits >> number) % 2 == 1) entities.emplace_back(fmt::format("${{unique}}-d{}", number));
  }
  return entities;
}

std::string workflow_status(const View& view, std::string_view on) {
  return view.read("workflow.get", on).string_at("status").value_or("");
}

List jobs_in(const View& view, std::string_view on, std::string_view state) {
  const Object filter{{"uuid", fmt::format("${{id:{}}}", on)}, {"state", std::string(state)}};
  const Value* items = view.read("jobs.list", "main", filter).find("items");
  return items == nullptr ? List{} : items->as_list();
}

std::optional<Step> work_on(const Move& move, const View& view, std::string on, bool succeeds) {
  const List pending = jobs_in(view, on, "PENDING");
  if (pending.empty()) return std::nullopt;
  core::Job job;
  job.success = succeeds;
  if (pending.front().string_at("type") == "ACQUIRE") {
    if (succeeds) job.entities = entities_of(move.operands[1]);
  } else if (move.operands[2] % 3 != 2) {
    job.data = Object{{"n", move.operands[2] % 3}};
  }
  Step step;
  step.action = std::move(job);
  step.on = std::move(on);
  return step;
}

bool is_outcome(std::string_view status) {
  return status.starts_with("COMPLETED") || status.starts_with("FAILED");
}

}  // namespace assay::properties
