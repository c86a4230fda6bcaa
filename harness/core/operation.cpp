#include "harness/core/operation.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace assay::core {
namespace {

constexpr std::array<std::string_view, 6> acceptance_words = {
    "accepted", "duplicate", "refused", "unknown", "unexpected", "no_answer"};

}  // namespace

const std::vector<std::string_view>& operation_names() {
  static const std::vector<std::string_view> names = {"executions.start",
                                                      "executions.status",
                                                      "executions.detail",
                                                      "executions.list",
                                                      "executions.variables",
                                                      "executions.marking",
                                                      "executions.cancel",
                                                      "executions.ctx",
                                                      "executions.pause",
                                                      "executions.resume",
                                                      "events.post",
                                                      "events.post_batch",
                                                      "events.list",
                                                      "events.published",
                                                      "control.evict",
                                                      "control.clock",
                                                      "control.lock_service",
                                                      "control.lifecycle_hold",
                                                      "blocks.register",
                                                      "definitions.register",
                                                      "workflow.start",
                                                      "workflow.get",
                                                      "workflow.list",
                                                      "workflow.active",
                                                      "workflow.by_state",
                                                      "workflow.abort",
                                                      "workflow.ack",
                                                      "workflow.conditions",
                                                      "jobs.list",
                                                      "jobs.poll",
                                                      "jobs.push",
                                                      "runs.create",
                                                      "runs.get",
                                                      "runs.list",
                                                      "runs.transition",
                                                      "runs.retry",
                                                      "runs.next_action",
                                                      "runs.audit",
                                                      "server.health"};
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

std::string_view acceptance_word(Acceptance acceptance) {
  return acceptance_words.at(static_cast<std::size_t>(acceptance));
}

std::optional<Acceptance> acceptance_from_word(std::string_view word) {
  const auto found = std::find(acceptance_words.begin(), acceptance_words.end(), word);
  if (found == acceptance_words.end()) return std::nullopt;
  return static_cast<Acceptance>(found - acceptance_words.begin());
}

}  // namespace assay::core
