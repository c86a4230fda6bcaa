#include "harness/check/run_state.h"

#include <algorithm>
#include <optional>
#include <ranges>

#include "reference_impl/model/runs/status.h"

namespace assay::check {
namespace {

Value parameter_of_call(const core::Operation& operation, std::string_view name) {
  const auto found = operation.parameters.find(name);
  return found == operation.parameters.end() ? Value() : found->second;
}

/// Whether the run was made with the end that it comes to by itself.
bool is_unattended(const core::History& history, const Value& run_id) {
  return std::ranges::any_of(history.calls, [&run_id](const core::Call& call) {
    if (call.asked.name != "runs.create" || !call.asked.parameters.contains("ends")) return false;
    const Value* made = call.answer->mapped.find("run_id");
    return made != nullptr && *made == run_id;
  });
}

/// The status that a look at the run found.
std::optional<std::string> seen_status(const core::Call& call) {
  if (call.asked.name != "runs.get" || !core::is_taken(call.answer->acceptance)) return {};
  return call.answer->mapped.string_at("status");
}

}  // namespace

std::string status_of_run(const core::History& history, const Value& run_id) {
  const bool goes_by_itself = is_unattended(history, run_id);
  for (const core::Call& call : history.calls | std::views::reverse) {
    if (parameter_of_call(call.asked, "run_id") != run_id) continue;
    if (const auto seen = seen_status(call); seen && goes_by_itself) return *seen;
    if (call.asked.name != "runs.transition" || !core::is_taken(call.answer->acceptance)) continue;
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
