#include "reference_impl/model/status/fold.h"

#include <utility>

#include "base/words.h"
#include "reference_impl/model/events/taxonomy.h"

namespace assay::status {

namespace {

using events::EventKind;
using events::EventView;
using events::Lifecycle;

std::optional<std::string_view> present(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// allow_partial tells its outcome in playbook.finished, whose status is success.
Outcome successful_outcome(const EventView& event) {
  const bool partial =
      event.kind() == EventKind::playbook_finished && event.payload_text("/outcome") == "partial";
  return partial ? Outcome::partial : Outcome::success;
}

/// Where partial is a failure, the failing end tells it.
Outcome failing_outcome(const EventView& event, const FoldPolicy& policy) {
  const bool partial = !policy.partial_is_success && event.payload_text("/outcome") == "partial";
  return partial ? Outcome::partial : Outcome::failed;
}

}  // namespace

std::string_view word_of(Outcome outcome) {
  constexpr Words<Outcome::cancelled> words = {"", "success", "failed", "partial", "cancelled"};
  return words[outcome];
}

ExecutionFold::ExecutionFold(std::string execution_id, FoldPolicy policy)
    : execution_id_(std::move(execution_id)), policy_(policy) {}

void ExecutionFold::apply(const Value& body, std::int64_t seq) {
  const EventView event(body);
  const Lifecycle lifecycle = lifecycle_of(event.kind(), event.text("status"));
  const auto reason =
      lifecycle == Lifecycle::none ? apply_lower(event) : apply_lifecycle(event, lifecycle);
  if (reason) anomalies_.push_back({seq, *reason});
}

void ExecutionFold::mark_rebuilt() { completion_inferred_ = is_closed(); }

StatusView ExecutionFold::status() const {
  StatusView view;
  view.execution_id = execution_id_;
  view.state = state_;
  if (current_step_ != StepLayer::no_step) view.current_step = steps()[current_step_].id;
  view.started_at = present(started_at_);
  if (is_closed()) {
    view.ended_at = ended_at_;
    view.terminal_event = terminal_event_;
  }
  view.completion_inferred = completion_inferred_;
  return view;
}

std::optional<Reason> ExecutionFold::apply_lifecycle(const EventView& event, Lifecycle lifecycle) {
  switch (lifecycle) {
    case Lifecycle::start:
      return start(event);
    case Lifecycle::success:
      return close(event, State::completed, successful_outcome(event));
    case Lifecycle::failure:
      return close(event, State::failed, failing_outcome(event, policy_));
    case Lifecycle::cancel:
      return close(event, State::cancelled, Outcome::cancelled);
    case Lifecycle::undecided:
      return is_closed() ? Reason::late_lifecycle : Reason::undecided_finish;
    case Lifecycle::none:
      break;
  }
  return std::nullopt;
}

std::optional<Reason> ExecutionFold::start(const EventView& event) {
  if (std::exchange(start_seen_, true)) return Reason::second_start;
  started_at_ = event.text("timestamp");
  if (is_closed()) return Reason::late_lifecycle;
  state_ = State::running;
  return std::nullopt;
}

std::optional<Reason> ExecutionFold::close(const EventView& event, State to, Outcome outcome) {
  if (find_transition(Layer::execution, state_, to) == nullptr) return Reason::late_lifecycle;
  if (state_ == State::pending && to != State::cancelled && !policy_.closes_from_pending) {
    return Reason::late_lifecycle;
  }
  state_ = to;
  outcome_ = outcome;
  ended_at_ = event.text("timestamp");
  terminal_event_ = event.type();
  return std::nullopt;
}

std::optional<Reason> ExecutionFold::apply_lower(const EventView& event) {
  switch (event.kind()) {
    case EventKind::workflow_initialized:
    case EventKind::workflow_started:
      return move_workflow(State::running);
    case EventKind::workflow_completed:
      return move_workflow(State::completed);
    case EventKind::workflow_failed:
      return move_workflow(State::failed);
    case EventKind::workflow_finished:
      return finish_workflow(event);
    case EventKind::step_enter:
    case EventKind::step_scheduled:
    case EventKind::step_started:
      return begin_step(event);
    case EventKind::step_exit:
      return exit_step(event);
    case EventKind::step_done:
    case EventKind::step_failed:
      return steps_.outcome(event);
    case EventKind::command_issued:
      return issue_command(event);
    case EventKind::command_claimed:
    case EventKind::command_started:
    case EventKind::command_completed:
    case EventKind::command_failed:
    case EventKind::command_cancelled:
      return commands_.apply(event);
    case EventKind::call_done:
    case EventKind::call_error:
      if (!policy_.exit_stands_alone) called_steps_.emplace(event.text("node_name"));
      return tools_.apply(event);
    case EventKind::task_done:
    case EventKind::task_failed:
      return task_runs_.outcome(event);
    case EventKind::loop_iteration_scheduled:
      loops_.scheduled(event);
      return std::nullopt;
    case EventKind::loop_iteration_done:
    case EventKind::loop_iteration_failed:
      return loops_.outcome(event);
    case EventKind::loop_done:
      return end_loop(event);
    default:
      return std::nullopt;
  }
}

std::optional<Reason> ExecutionFold::move_workflow(State to) {
  if (find_transition(Layer::workflow, workflow_state_, to) == nullptr)
    return Reason::workflow_move;
  workflow_state_ = to;
  return std::nullopt;
}

std::optional<Reason> ExecutionFold::finish_workflow(const EventView& event) {
  const std::string_view status = event.text("status");
  if (status == "success") return move_workflow(State::completed);
  if (status == "error") return move_workflow(State::failed);
  return Reason::undecided_finish;
}

std::optional<Reason> ExecutionFold::begin_step(const EventView& event) {
  if (const auto reason = steps_.begin(event)) return reason;
  if (!is_closed()) current_step_ = steps_.newest();
  return std::nullopt;
}

std::optional<Reason> ExecutionFold::issue_command(const EventView& event) {
  if (const auto reason = commands_.apply(event)) return reason;
  steps_.command_issued(event.text("node_name"));
  return std::nullopt;
}

std::optional<Reason> ExecutionFold::exit_step(const EventView& event) {
  if (!policy_.exit_stands_alone && !called_steps_.contains(event.text("node_name"))) {
    return Reason::step_move;
  }
  return steps_.exit(event);
}

std::optional<Reason> ExecutionFold::end_loop(const EventView& event) {
  if (const auto reason = loops_.done(event)) return reason;
  return steps_.loop_done(event);
}

}  // namespace assay::status
