#include "reference_impl/model/events/taxonomy.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/short_text.h"

namespace assay::events {

namespace {

using enum EventKind;
using enum Plane;

constexpr auto v10 = Vocabulary::v10;
constexpr auto matrix = Vocabulary::status_matrix;

// clang-format off
constexpr EventType types[] = {
    {playbook_execution_requested, "playbook.execution.requested", "PlaybookExecutionRequested", "playbook", server, v10, "EVT-TAX-PLAYBOOK"},
    {playbook_request_evaluated, "playbook.request.evaluated", "PlaybookRequestEvaluated", "playbook", server, v10, "EVT-TAX-PLAYBOOK"},
    {playbook_started, "playbook.started", "PlaybookStarted", "playbook", server, v10, "EVT-TAX-PLAYBOOK"},
    {playbook_paused, "playbook.paused", "PlaybookPaused", "playbook", server, v10, "EVT-TAX-PLAYBOOK"},
    {playbook_finished, "playbook.finished", "PlaybookFinished", "playbook", server, v10, "EVT-TAX-PLAYBOOK"},
    {playbook_processed, "playbook.processed", "PlaybookProcessed", "playbook", server, v10, "EVT-TAX-PLAYBOOK"},
    {workflow_started, "workflow.started", "WorkflowStarted", "workflow", server, v10, "EVT-TAX-WORKFLOW"},
    {workflow_finished, "workflow.finished", "WorkflowFinished", "workflow", server, v10, "EVT-TAX-WORKFLOW"},
    {step_scheduled, "step.scheduled", "StepScheduled", "step", server, v10, "EVT-TAX-STEP"},
    {step_started, "step.started", "StepStarted", "step", worker, v10, "EVT-TAX-STEP"},
    {step_done, "step.done", "StepDone", "step", worker, v10, "EVT-TAX-STEP"},
    {step_failed, "step.failed", "StepFailed", "step", worker, v10, "EVT-TAX-STEP"},
    {task_started, "task.started", "TaskStarted", "task", worker, v10, "EVT-TAX-TASK"},
    {task_attempt_started, "task.attempt.started", "TaskAttemptStarted", "task", worker, v10, "EVT-TAX-TASK"},
    {task_attempt_done, "task.attempt.done", "TaskAttemptDone", "task", worker, v10, "EVT-TAX-TASK"},
    {task_attempt_failed, "task.attempt.failed", "TaskAttemptFailed", "task", worker, v10, "EVT-TAX-TASK"},
    {task_done, "task.done", "TaskDone", "task", worker, v10, "EVT-TAX-TASK"},
    {task_failed, "task.failed", "TaskFailed", "task", worker, v10, "EVT-TAX-TASK"},
    {loop_started, "loop.started", "LoopStarted", "loop", server, v10, "EVT-TAX-LOOP"},
    {loop_iteration_scheduled, "loop.iteration.scheduled", "LoopIterationScheduled", "loop", server, v10, "EVT-TAX-LOOP"},
    {loop_iteration_started, "loop.iteration.started", "LoopIterationStarted", "loop", worker, v10, "EVT-TAX-LOOP"},
    {loop_iteration_done, "loop.iteration.done", "LoopIterationDone", "loop", worker, v10, "EVT-TAX-LOOP"},
    {loop_iteration_failed, "loop.iteration.failed", "LoopIterationFailed", "loop", worker, v10, "EVT-TAX-LOOP"},
    {loop_done, "loop.done", "LoopDone", "loop", server, v10, "EVT-TAX-LOOP"},
    {policy_admit_evaluated, "policy.admit.evaluated", "PolicyAdmitEvaluated", "policy", server, v10, "EVT-TAX-POLICY"},
    {policy_task_evaluated, "policy.task.evaluated", "PolicyTaskEvaluated", "policy", worker, v10, "EVT-TAX-POLICY"},
    {next_evaluated, "next.evaluated", "NextEvaluated", "next", server, v10, "EVT-TAX-POLICY"},
    {result_stored, "result.stored", "ResultStored", "result", both, v10, "EVT-TAX-RESULT"},
    {result_manifest_updated, "result.manifest.updated", "ResultManifestUpdated", "result", both, v10, "EVT-TAX-RESULT"},
    {playbook_initialized, "playbook.initialized", "PlaybookInitialized", "playbook", server, matrix, "STM-EXEC-T1"},
    {playbook_completed, "playbook.completed", "PlaybookCompleted", "playbook", server, matrix, "STM-EXEC-T2"},
    {playbook_failed, "playbook.failed", "PlaybookFailed", "playbook", server, matrix, "STM-EXEC-T3"},
    {execution_cancelled, "execution.cancelled", "ExecutionCancelled", "playbook", server, Vocabulary::both, "STM-EXEC-T4"},
    {workflow_initialized, "workflow.initialized", "WorkflowInitialized", "workflow", server, matrix, "STM-WF-T1"},
    {workflow_completed, "workflow.completed", "WorkflowCompleted", "workflow", server, matrix, "STM-WF-T2"},
    {workflow_failed, "workflow.failed", "WorkflowFailed", "workflow", server, matrix, "STM-WF-T3"},
    {step_enter, "step.enter", "StepEnter", "step", both, matrix, "STM-STEP-T1"},
    {step_exit, "step.exit", "StepExit", "step", both, matrix, "STM-STEP-T2"},
    {command_issued, "command.issued", "CommandIssued", "", server, matrix, "STM-CMD-T1"},
    {command_claimed, "command.claimed", "CommandClaimed", "", both, matrix, "STM-CMD-T2"},
    {command_started, "command.started", "CommandStarted", "", worker, matrix, "STM-CMD-T3"},
    {command_completed, "command.completed", "CommandCompleted", "", worker, matrix, "STM-CMD-T4"},
    {command_failed, "command.failed", "CommandFailed", "", worker, matrix, "STM-CMD-T5"},
    {command_cancelled, "command.cancelled", "CommandCancelled", "", server, matrix, "STM-CMD-T6"},
    {call_done, "call.done", "CallDone", "", worker, matrix, "STM-TOOL-T2"},
    {call_error, "call.error", "CallError", "", worker, matrix, "STM-TOOL-T3"},
    {batch_completed, "batch.completed", "BatchCompleted", "", both, matrix, "STM-INF-BATCH"},
};
// clang-format on

constexpr std::size_t slot_count = 256;

/// Where the search for a name begins.
constexpr std::size_t slot_of(std::string_view name) {
  const auto letter = [name](std::size_t at) { return static_cast<unsigned char>(name[at]); };
  if (name.empty()) return 0;
  return (name.size() + letter(0) * std::size_t{3} + letter(name.size() / 2) * std::size_t{7} +
          letter(name.size() - 1) * std::size_t{31}) %
         slot_count;
}

/// Each type in its slot, or where that is taken in the next one that is free.
constexpr auto types_by_slot = [] {
  std::array<const EventType*, slot_count> slots{};
  for (const EventType& type : types) {
    std::size_t slot = slot_of(type.name);
    while (slots[slot] != nullptr) slot = (slot + 1) % slot_count;
    slots[slot] = &type;
  }
  return slots;
}();

bool is_lower(char character) { return character >= 'a' && character <= 'z'; }

bool is_segment(std::string_view segment) {
  if (segment.empty() || !is_lower(segment.front())) return false;
  return std::all_of(segment.begin(), segment.end(), [](char character) {
    return is_lower(character) || (character >= '0' && character <= '9') || character == '_';
  });
}

}  // namespace

std::span<const EventType> taxonomy() { return types; }

const EventType* find_event_type(std::string_view name) {
  std::size_t slot = slot_of(name);
  while (types_by_slot[slot] != nullptr && !is_same_text(types_by_slot[slot]->name, name)) {
    slot = (slot + 1) % slot_count;
  }
  return types_by_slot[slot];
}

EventKind kind_of(std::string_view name) {
  const EventType* type = find_event_type(name);
  return type != nullptr ? type->kind : other;
}

bool is_event_name(std::string_view name) {
  std::size_t segments = 0;
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_segment(name.substr(0, dot))) return false;
    ++segments;
    if (dot == std::string_view::npos) return segments == 2 || segments == 3;
    if (segments == 3) return false;
    name.remove_prefix(dot + 1);
  }
}

std::string alias_of(std::string_view name) {
  std::string alias;
  bool begins_word = true;
  for (const char character : name) {
    if (character == '.' || character == '_') {
      begins_word = true;
      continue;
    }
    const bool raises = begins_word && is_lower(character);
    alias.push_back(raises ? static_cast<char>(character - 'a' + 'A') : character);
    begins_word = false;
  }
  return alias;
}

Lifecycle lifecycle_of(EventKind kind, std::string_view status) {
  switch (kind) {
    case playbook_initialized:
    case playbook_started:
      return Lifecycle::start;
    case playbook_completed:
      return Lifecycle::success;
    case playbook_failed:
      return Lifecycle::failure;
    case execution_cancelled:
      return Lifecycle::cancel;
    case playbook_finished:
      if (status == "success") return Lifecycle::success;
      return status == "error" ? Lifecycle::failure : Lifecycle::undecided;
    default:
      return Lifecycle::none;
  }
}

std::optional<Vocabulary> vocabulary_named(std::string_view word) {
  if (word == "status-matrix") return Vocabulary::status_matrix;
  if (word == "v10") return Vocabulary::v10;
  return std::nullopt;
}

std::string_view vocabulary_word(Vocabulary vocabulary) {
  return vocabulary == Vocabulary::v10 ? "v10" : "status-matrix";
}

}  // namespace assay::events
