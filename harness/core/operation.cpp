#include "harness/core/operation.h"

#include <algorithm>

#include "harness/core/operation_shape.h"

namespace assay::core {

const std::vector<std::string_view>& operation_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const OperationShape& shape : operation_shapes()) all.push_back(shape.name);
    return all;
  }();
  return names;
}

const std::vector<std::string_view>& semantic_capabilities() {
  // executions.unattended and runs.unattended: an execution, a run, goes its way to the end that
  // `ends` asks for, and nobody does anything more. states.extra: the target has words for states
  // beyond ours (extra_states).
  static const std::vector<std::string_view> names = {
      "executions.replay",   "executions.driven",
      "binding.reference",   "fan_in.wait_all",
      "playbook.entry_step", "playbook.final_step",
      "playbook.loops",      "playbook.no_next_is_error",
      "legacy.reject",       "executions.pending",
      "workflow.guards",     "workflow.rollback",
      "workflow.await",      "lock_service.hang",
      "events.ids",          "executions.unattended",
      "states.extra",        "runs.unattended"};
  return names;
}

bool is_known_capability(std::string_view name) {
  const auto has = [name](const std::vector<std::string_view>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has(operation_names()) || has(semantic_capabilities());
}

std::optional<Acceptance> said_acceptance(std::string_view word) {
  const std::optional<Acceptance> acceptance = acceptance_words.parse(word);
  return acceptance <= Acceptance::unknown ? acceptance : std::nullopt;
}

std::vector<std::string> said_acceptances() {
  return acceptance_words.names(Acceptance::accepted, Acceptance::unknown);
}

}  // namespace assay::core
