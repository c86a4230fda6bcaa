#include "reference_impl/model/routing/net.h"

#include <type_traits>
#include <utility>

namespace assay::routing {
namespace {

std::string_view status_word(RunState state) {
  if (state == RunState::running) return "running";
  return state == RunState::scheduled ? "scheduled" : "pending";
}

}  // namespace

Net::Net(std::shared_ptr<const Playbook> playbook, std::string execution_id, const Object& workload,
         NetLimits limits, NetPolicy policy)
    : playbook_(std::move(playbook)),
      execution_id_(std::move(execution_id)),
      limits_(limits),
      policy_(policy),
      fan_in_(playbook_, policy.joined_args) {
  Object merged = playbook_->workload;
  for (const auto& [key, value] : workload) merged.insert_or_assign(key, value);
  workload_ = std::move(merged);
}

Reaction Net::apply(const Input& input) {
  reaction_ = {};
  runs_before_input_ = runs_.size();
  std::visit(
      [this](const auto& one) {
        using Kind = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Kind, Start>) {
          start();
        } else if constexpr (std::is_same_v<Kind, WorkerEvent>) {
          take(one);
        } else if constexpr (std::is_same_v<Kind, CtxPatch>) {
          const bool changed = merge_ctx(one.patch);
          if (changed || policy_.readmission == Readmission::on_every_patch) readmit_pending();
        } else if constexpr (std::is_same_v<Kind, Pause>) {
          pause(one);
        } else if constexpr (std::is_same_v<Kind, Resume>) {
          resume();
        } else if (outcome_ == Outcome::none) {
          finish(Outcome::cancelled, "");
        }
      },
      input);
  settle();
  return std::exchange(reaction_, {});
}

Marking Net::marking() const {
  Marking marking;
  for (const std::size_t index : runs_.active()) {
    const StepRun& run = runs_.at(index);
    if (outcome_ != Outcome::none) break;
    marking.tokens.push_back(
        {step_of(run).name, run.id, std::string(status_word(run.state)), run.args});
  }
  for (const FanIn::Group& group : fan_in_.groups()) {
    marking.fan_in.push_back({playbook_->steps[group.step].name, group.arrived});
  }
  return marking;
}

void Net::start() {
  if (std::exchange(started_, true) || outcome_ != Outcome::none) return;
  // Specification 003 section 2: the override, else the first step; exactly one token.
  const std::size_t entry = playbook_->executor.entry_step.value_or(0);
  emit_playbook("playbook.execution.requested", "in_progress");
  emit_playbook("playbook.request.evaluated", "success",
                {{"entry_step", playbook_->steps[entry].name}});
  emit_playbook("playbook.started", "in_progress");
  emit_workflow("workflow.started", "in_progress");
  arrivals_.push_back({.step = entry, .args = {}, .joined = true});
}

void Net::take(const WorkerEvent& event) {
  const std::string& type = event.event_type;
  const bool is_permitted = type == "loop.iteration.scheduled" &&
                            policy_.iteration_scheduling == IterationScheduling::by_worker_too;
  if (is_server_event(type) && !is_permitted) {
    refuse("SERVER_EVENT", "only the server emits " + type);
  } else if (type == "step.started") {
    take_started(event);
  } else if (type == "step.done" || type == "step.failed") {
    take_outcome(event);
  } else if (type == "loop.iteration.started" || type == "loop.iteration.done" ||
             type == "loop.iteration.failed") {
    take_iteration(event);
  }
  // Everything else (task.*, policy.task.evaluated, result.*) is kept and routes nothing.
}

void Net::take_started(const WorkerEvent& event) {
  StepRun* const run = runs_.find(event.step_run_id);
  const bool scheduled = run != nullptr && (run->in_flight() || run->ended());
  if (!scheduled) {
    // Specification 001 section 5.2: workers never start steps.
    return refuse("STEP_NOT_SCHEDULED", "no step run of that id was scheduled");
  }
  if (run->state != RunState::scheduled) return note_anomaly("the step run has started already");
  set_state(*run, RunState::running);
}

void Net::take_outcome(const WorkerEvent& event) {
  StepRun* const run = runs_.find(event.step_run_id);
  if (run == nullptr || !(run->in_flight() || run->ended())) {
    return refuse("STEP_NOT_SCHEDULED", "no step run of that id was scheduled");
  }
  if (run->loop) {
    // The boundary of a loop step is loop.done: its worker's own outcome adds nothing to it.
    if (!run->ended()) note_anomaly("a loop ends by its iterations");
    return;
  }
  if (run->ended() && policy_.repeated_outcome == RepeatedOutcome::is_anomaly) {
    return note_anomaly("the step run has an outcome already");
  }
  const bool ctx_changed = merge_ctx_of(event.payload);
  const Value* const outcome = event.payload.find("outcome");
  end_run(run->index, {.event_type = event.event_type,
                       .failed = event.event_type == "step.failed",
                       .outcome = outcome,
                       .payload = &event.payload});
  if (ctx_changed) readmit_pending();
}

void Net::take_iteration(const WorkerEvent& event) {
  StepRun* const run = runs_.find(event.step_run_id);
  if (run == nullptr || !run->loop || !event.iteration) {
    return note_anomaly("no such iteration was scheduled");
  }
  if (event.event_type != "loop.iteration.started") return take_iteration_end(*run, event);
  if (!run->loop->start(*event.iteration)) {
    return note_anomaly("the iteration isn't scheduled, or has started already");
  }
  if (run->state == RunState::scheduled) set_state(*run, RunState::running);
}

void Net::take_iteration_end(StepRun& run, const WorkerEvent& event) {
  if (!run.loop->end(*event.iteration, event.event_type == "loop.iteration.failed")) {
    return note_anomaly("the iteration was never scheduled, or has ended already");
  }
  const bool ctx_changed =
      policy_.iteration_ctx == IterationCtx::is_merged && merge_ctx_of(event.payload);
  if (outcome_ != Outcome::none || run.ended()) return;
  const bool stops_at_failure = policy_.loop_end == LoopEnd::at_first_failure ||
                                (policy_.loop_end == LoopEnd::at_first_failure_in_sequence &&
                                 step_of(run).loop->mode == LoopMode::sequential);
  const bool all_ended = run.loop->complete() || (stops_at_failure && run.loop->failed() > 0);
  const bool nothing_more = draining_ && !run.is_final;
  if (all_ended || (nothing_more && run.loop->in_flight() == 0)) {
    end_loop(run.index);
  } else if (!nothing_more && !paused_) {
    schedule_iterations(run.index);
  }
  if (ctx_changed) readmit_pending();
}

void Net::pause(const Pause& pause) {
  if (outcome_ != Outcome::none || std::exchange(paused_, true)) return;
  Object payload;
  if (pause.reason) payload.emplace("reason", *pause.reason);
  emit_playbook("playbook.paused", "paused", std::move(payload));
}

/// What the pause kept back is taken up; settle() does the same for the tokens on their way.
void Net::resume() {
  if (!std::exchange(paused_, false)) return;
  const std::set<std::size_t> active = runs_.active();
  for (const std::size_t index : active) {
    const StepRun& run = runs_.at(index);
    if (!run.loop || run.ended()) continue;
    if (!draining_ || run.is_final) {
      schedule_iterations(index);
    } else if (run.loop->in_flight() == 0) {
      end_loop(index);
    }
  }
  for (const std::size_t index : std::exchange(admitted_in_pause_, {})) {
    if (outcome_ == Outcome::none && runs_.at(index).state == RunState::pending) schedule(index);
  }
  if (std::exchange(readmission_is_due_, false)) admit_pending_again();
}

bool Net::merge_ctx(const Object& patch) {
  bool changed = false;
  Object& ctx = ctx_.as_object();
  for (const auto& [key, value] : patch) {
    const auto known = ctx.find(key);
    if (known != ctx.end() && known->second == value) continue;
    ctx.insert_or_assign(key, value);
    changed = true;
  }
  return changed;
}

bool Net::merge_ctx_of(const Value& payload) {
  if (outcome_ != Outcome::none) return false;
  const Value* const patch = payload.find("ctx");
  return patch != nullptr && patch->is_object() && merge_ctx(patch->as_object());
}

void Net::refuse(std::string code, std::string reason) {
  reaction_.disposition = Disposition::refused;
  reaction_.code = std::move(code);
  reaction_.reason = std::move(reason);
}

void Net::note_anomaly(std::string reason) {
  reaction_.disposition = Disposition::anomaly;
  reaction_.reason = std::move(reason);
}

Scope Net::variables() const {
  Scope scope;
  scope.show_members_of(workload_);
  scope.bind("workload", workload_);
  scope.bind("ctx", ctx_);
  return scope;
}

void Net::emit_playbook(std::string event_type, std::string status, Object payload) {
  emit({.event_type = std::move(event_type),
        .entity_type = "playbook",
        .entity_id = playbook_->name.value_or(execution_id_),
        .status = std::move(status),
        .payload = std::move(payload)});
}

void Net::emit_workflow(std::string event_type, std::string status, Object payload) {
  emit({.event_type = std::move(event_type),
        .entity_type = "workflow",
        .entity_id = execution_id_,
        .parent_id = playbook_->name.value_or(execution_id_),
        .status = std::move(status),
        .payload = std::move(payload)});
}

void Net::emit_for_run(const StepRun& run, std::string event_type, std::string entity_type,
                       std::string status, Object payload, std::optional<std::int64_t> iteration) {
  const bool is_step = entity_type == "step";
  emit({.event_type = std::move(event_type),
        .entity_type = std::move(entity_type),
        .entity_id = step_of(run).name,
        .parent_id = is_step ? execution_id_ : run.id,
        .step_run_id = run.id,
        .iteration = iteration,
        .status = std::move(status),
        .payload = std::move(payload)});
}

}  // namespace assay::routing
