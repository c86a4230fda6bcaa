#include "harness/check/run_state.h"

#include <ranges>

#include "reference_impl/model/runs/status.h"

namespace assay::check {
namespace {

Value parameter_of_call(const core::Operation& operation, std::string_view name) {
  const auto found = operation.parameters.find(name);
  return found == operation.parameters.end() ? Value() : found->second;
}

}  // namespace

std::string status_of_run(const core::History& history, const Value& run_id) {
  for (const core::Call& call : history.calls | std::views::reverse) {
    if (call.asked.name != "runs.transition" || !core::is_taken(call.answer->acceptance)) continue;
    if (parameter_of_call(call.asked, "run_id") != run_id) continue;
    const Value to = parameter_of_call(call.asked, "to");
    if (to.is_string()) return to.as_string();
  }
  return "created";
}

bool leads_to(std::string_view from, std::string_view to) {
  const auto before = runs::parse_status(from);
  const auto after = runs::parse_status(to);
  return before && after && runs::is_defined(*before, *after);
}

}  // namespace assay::check
