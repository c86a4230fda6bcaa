#include "reference_impl/model/status/steps.h"

namespace assay::status {

namespace {

using events::EventKind;
using events::EventView;

/// Events of specification 000 name their step in node_name, those of 001 in entity_id.
std::string_view step_name(const EventView& event) {
  const bool by_node =
      event.kind() == EventKind::step_enter || event.kind() == EventKind::step_exit;
  const std::string_view name = event.text(by_node ? "node_name" : "entity_id");
  return !name.empty() ? name : event.text(by_node ? "entity_id" : "node_name");
}

/// The outcome that a step.exit's status names: a step's word in any case, or specification 001's.
std::optional<State> exit_outcome(std::string_view status) {
  if (status == "success") return State::completed;
  if (status == "error") return State::failed;
  const auto state = state_named(Layer::step, status);
  return state && is_terminal(Layer::step, *state) ? state : std::nullopt;
}

bool is_iteration(const EventView& event) {
  return event.has("iteration") || event.has("iteration_id");
}

}  // namespace

std::optional<Reason> StepLayer::begin(const EventView& event) {
  const std::string_view run_id = event.text("step_run_id");
  const Run* known_run = runs_.find(run_id);
  if (known_run != nullptr && known_run->phase != Phase::open) return Reason::step_run_ended;
  const std::string_view name = step_name(event);
  if (name.empty() && known_run == nullptr) return Reason::names_no_step;
  const std::size_t step = name.empty() ? known_run->step : steps_.find_or_add(name);
  if (!run_id.empty() && known_run == nullptr) {
    Run& run = runs_.at(runs_.find_or_add(run_id));
    run.step = static_cast<std::uint32_t>(step);
    run.phase = Phase::open;
    ++steps_.at(step).open_runs;
  }
  run_step(step);
  newest_ = step;
  return std::nullopt;
}

void StepLayer::command_issued(std::string_view step) {
  if (!step.empty()) run_step(steps_.find_or_add(step));
}

std::optional<Reason> StepLayer::exit(const EventView& event) {
  if (is_iteration(event)) return std::nullopt;
  const auto to = exit_outcome(event.text("status"));
  if (!to) return Reason::exit_without_outcome;
  return end(event, *to);
}

std::optional<Reason> StepLayer::outcome(const EventView& event) {
  return end(event, event.kind() == EventKind::step_done ? State::completed : State::failed);
}

std::optional<Reason> StepLayer::loop_done(const EventView& event) {
  const std::size_t position = known_step(event);
  if (position == no_step) return std::nullopt;  // a loop that is no step's
  Run* run = runs_.find(event.text("step_run_id"));
  if (run != nullptr && run->phase != Phase::open) return Reason::step_run_ended;
  Step& step = steps_.at(position);
  if (step.state != State::running) return Reason::step_move;
  if (run != nullptr) close_run(*run, Phase::loop_done);
  if (run != nullptr && step.open_runs > 0) return std::nullopt;
  step.state = event.text("status") == "error" ? State::failed : State::completed;
  step.ended_by_loop = true;
  return std::nullopt;
}

std::size_t StepLayer::known_step(const EventView& event) {
  if (const Run* run = runs_.find(event.text("step_run_id"))) return run->step;
  for (const std::string_view name : {step_name(event), event.text("node_name")}) {
    if (const Step* step = steps_.find(name)) {
      return static_cast<std::size_t>(step - steps_.entries().data());
    }
  }
  return no_step;
}

std::optional<Reason> StepLayer::end(const EventView& event, State to) {
  const std::string_view run_id = event.text("step_run_id");
  const std::size_t position = known_step(event);
  if (position == no_step) {
    return step_name(event).empty() ? Reason::names_no_step : Reason::step_move;
  }
  Run* run = runs_.find(run_id);
  if (run != nullptr && run->phase == Phase::ended) return Reason::step_run_ended;
  Step& step = steps_.at(position);
  const bool allowed = find_transition(Layer::step, step.state, to) != nullptr;
  const bool confirms_loop =
      step.ended_by_loop && (run == nullptr || run->phase == Phase::loop_done);
  if (run != nullptr) close_run(*run, Phase::ended);
  if (!allowed && !confirms_loop) return Reason::step_move;
  if (run == nullptr && !run_id.empty()) {
    Run& told = runs_.at(runs_.find_or_add(run_id));
    told.step = static_cast<std::uint32_t>(position);
    told.phase = Phase::ended;
  }
  if (!run_id.empty() && step.open_runs > 0) return std::nullopt;  // another token's run
  step.state = to;
  step.ended_by_loop = false;
  return std::nullopt;
}

void StepLayer::run_step(std::size_t step) {
  Step& target = steps_.at(step);
  if (find_transition(Layer::step, target.state, State::running) == nullptr) return;
  target.state = State::running;
  target.ended_by_loop = false;
}

void StepLayer::close_run(Run& run, Phase phase) {
  if (run.phase == Phase::open) --steps_.at(run.step).open_runs;
  run.phase = phase;
}

}  // namespace assay::status
