#include "reference_impl/model/status/runs.h"

#include <initializer_list>
#include <string_view>

namespace assay::status {

namespace {

using events::EventView;

std::string_view loop_id(const EventView& event) {
  for (const std::string_view field : {"step_run_id", "entity_id", "node_name"}) {
    const std::string_view id = event.text(field);
    if (!id.empty()) return id;
  }
  return {};
}

/// Ids hold no control characters, so that a line feed keeps the two parts apart.
std::string iteration_id(const EventView& event) {
  std::string id(loop_id(event));
  if (const auto number = event.integer("iteration")) {
    return id.append("\n#").append(std::to_string(*number));
  }
  return id.append("\n:").append(event.text("iteration_id"));
}

}  // namespace

std::optional<Reason> TaskRuns::outcome(const EventView& event) {
  const std::string_view id = event.text("task_run_id");
  if (id.empty()) return std::nullopt;
  Run& run = runs_.at(runs_.find_or_add(id));
  if (run.ended) return Reason::second_task_outcome;
  run.ended = true;
  return std::nullopt;
}

void Loops::scheduled(const EventView& event) {
  Iteration& iteration = iterations_.at(iterations_.find_or_add(iteration_id(event)));
  if (iteration.phase == Phase::open) return;
  iteration.phase = Phase::open;
  ++loops_.at(loops_.find_or_add(loop_id(event))).open;
}

std::optional<Reason> Loops::outcome(const EventView& event) {
  Iteration* iteration = iterations_.find(iteration_id(event));
  if (iteration == nullptr) return Reason::iteration_never_scheduled;
  if (iteration->phase == Phase::ended) return Reason::iteration_ended_twice;
  iteration->phase = Phase::ended;
  --loops_.at(loops_.find_or_add(loop_id(event))).open;
  return std::nullopt;
}

std::optional<Reason> Loops::done(const EventView& event) {
  const Loop* loop = loops_.find(loop_id(event));
  if (loop != nullptr && loop->open > 0) return Reason::loop_done_too_early;
  return std::nullopt;
}

}  // namespace assay::status
