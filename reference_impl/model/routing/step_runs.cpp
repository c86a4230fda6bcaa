#include "reference_impl/model/routing/step_runs.h"

#include <utility>

namespace assay::routing {
namespace {

constexpr std::size_t named_bytes_at_most = 200;

/// The form of specification 001's examples (step:fetch_all_endpoints:run:7). An id has 256 bytes
/// at most, so that a very long name gives way to the step's place.
std::string run_id(std::size_t step, const std::string& step_name, std::size_t count) {
  const std::string named =
      step_name.size() <= named_bytes_at_most ? step_name : "#" + std::to_string(step);
  return "step:" + named + ":run:" + std::to_string(count);
}

}  // namespace

StepRun& StepRuns::create(std::size_t step, const std::string& step_name, Object args,
                          bool is_final) {
  StepRun run;
  run.index = runs_.size();
  run.step = step;
  run.id = run_id(step, step_name, ++count_by_step_[step]);
  run.args = std::move(args);
  run.is_final = is_final;
  index_by_id_.emplace(run.id, run.index);
  active_.insert(run.index);
  pending_.insert(run.index);
  runs_.push_back(std::move(run));
  return runs_.back();
}

StepRun* StepRuns::find(std::string_view id) {
  const auto found = index_by_id_.find(std::string(id));
  return found == index_by_id_.end() ? nullptr : &runs_[found->second];
}

void StepRuns::set_state(StepRun& run, RunState state) {
  const bool was_in_flight = run.in_flight();
  if (run.state == RunState::pending) pending_.erase(run.index);
  run.state = state;
  if (state == RunState::pending) pending_.insert(run.index);
  if (run.in_flight() && !was_in_flight) ++in_flight_;
  if (!run.in_flight() && was_in_flight) --in_flight_;
  if (state != RunState::pending && !run.in_flight()) active_.erase(run.index);
}

std::vector<std::size_t> StepRuns::pending_runs() const {
  return {pending_.begin(), pending_.end()};
}

}  // namespace assay::routing
