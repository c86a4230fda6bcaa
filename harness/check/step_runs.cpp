#include "harness/check/step_runs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace assay::check {
namespace {

std::optional<std::int64_t> iteration_of(const Value& event) {
  const Value* iteration = event.find("iteration");
  if (iteration == nullptr || !iteration->is_number()) return std::nullopt;
  return iteration->to_int64();
}

void apply(const std::string& type, const Value& event, StepRun& run) {
  if (type == "step.started") {
    run.started = true;
  } else if (type == "step.done" || type == "step.failed") {
    run.ended = true;
  } else if (type == "loop.done") {
    run.is_loop = true;
    run.ended = true;
  } else if (type == "loop.started") {
    run.is_loop = true;
  } else if (type == "loop.iteration.scheduled") {
    run.is_loop = true;
    if (const auto iteration = iteration_of(event)) run.open_iterations.push_back(*iteration);
  } else if (type == "loop.iteration.done" || type == "loop.iteration.failed") {
    std::erase(run.open_iterations, iteration_of(event).value_or(-1));
  }
}

}  // namespace

std::vector<StepRun> step_runs_of(const List& events) {
  std::vector<StepRun> runs;
  std::map<std::string, std::size_t> by_id;
  for (const Value& event : events) {
    const auto type = event.string_at("event_type");
    const auto id = event.string_at("step_run_id");
    if (!type || !id) continue;
    if (*type == "step.scheduled") {
      auto step = event.string_at("entity_id");
      if (!step) step = event.string_at("node_name");
      const auto [entry, is_new] = by_id.emplace(*id, runs.size());
      if (is_new) {
        runs.emplace_back();
        runs.back().id = *id;
        runs.back().step = step.value_or("");
      }
    } else if (const auto found = by_id.find(*id); found != by_id.end()) {
      apply(*type, event, runs[found->second]);
    }
  }
  return runs;
}

bool is_closed(const List& events) {
  return std::any_of(events.begin(), events.end(), [](const Value& event) {
    const std::string type = event.string_at("event_type").value_or("");
    if (type == "playbook.finished") {
      const auto status = event.string_at("status");
      return status == "success" || status == "error";
    }
    return type == "playbook.completed" || type == "playbook.failed" ||
           type == "execution.cancelled";
  });
}

std::vector<std::string> scheduled_steps(const List& events) {
  std::vector<std::string> steps;
  if (is_closed(events)) return steps;
  for (const StepRun& run : step_runs_of(events)) {
    if (!run.ended) steps.push_back(run.step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::optional<StepRun> run_to_play(const List& events, std::string_view step, bool only_end) {
  std::optional<StepRun> open;
  std::optional<StepRun> ended;
  for (StepRun& run : step_runs_of(events)) {
    if (run.step != step) continue;
    if (run.ended) {
      ended = std::move(run);
    } else if (run.started == only_end) {
      return run;
    } else if (!open) {
      open = std::move(run);
    }
  }
  if (!open && only_end) return ended;
  return open;
}

}  // namespace assay::check
