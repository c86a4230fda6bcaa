#include "reference_impl/model/status/layers.h"

#include <algorithm>
#include <array>

#include "base/words.h"
#include "reference_impl/model/events/words.h"

namespace assay::status {

namespace {

using enum State;

constexpr State execution_states[] = {pending, running, completed, failed, cancelled};
constexpr State execution_terminal[] = {completed, failed, cancelled};
constexpr State workflow_states[] = {pending, running, completed, failed};
constexpr State workflow_terminal[] = {completed, failed};
constexpr State step_states[] = {pending, running, completed, failed, case_handled};
constexpr State step_terminal[] = {completed, failed, case_handled};
constexpr State command_states[] = {pending,   issued, claimed,  running,
                                    completed, failed, cancelled};
constexpr State command_terminal[] = {completed, failed, cancelled};
constexpr State tool_states[] = {pending, running, ok, error, break_off, noop};
constexpr State tool_terminal[] = {ok, error, break_off, noop};

constexpr auto binding = Origin::binding;

// clang-format off
constexpr Transition execution_transitions[] = {
    {pending, running, "Playbook initialized", "Engine", "playbook.initialized", "STM-EXEC-T1"},
    {running, completed, "Engine emits terminal success", "Engine", "playbook.completed", "STM-EXEC-T2"},
    {running, failed, "Engine emits terminal failure", "Engine", "playbook.failed", "STM-EXEC-T3"},
    {running, cancelled, "Cancel API or runtime cancel path", "Server or engine", "execution.cancelled", "STM-EXEC-T4"},
    // The first lifecycle event that closes an execution closes it for good, from PENDING too.
    {pending, completed, "Terminal success before the start", "Engine", "playbook.completed", "STM-EXEC-R1", binding},
    {pending, failed, "Terminal failure before the start", "Engine", "playbook.failed", "STM-EXEC-R1", binding},
    {pending, cancelled, "Cancel before the start", "Server or engine", "execution.cancelled", "STM-EXEC-R1", binding},
};
constexpr Transition workflow_transitions[] = {
    {pending, running, "Workflow starts", "Engine", "workflow.initialized", "STM-WF-T1"},
    {running, completed, "Engine determines all required work is complete", "Engine", "workflow.completed", "STM-WF-T2"},
    {running, failed, "Engine determines unrecoverable failure", "Engine", "workflow.failed", "STM-WF-T3"},
};
constexpr Transition step_transitions[] = {
    {pending, running, "Step scheduled or entered", "Engine or worker", "step.enter or command issuance", "STM-STEP-T1"},
    {running, completed, "Tool succeeds", "Engine", "call.done then step.exit", "STM-STEP-T2"},
    {running, failed, "Tool fails without handled recovery", "Engine", "call.error then step.exit", "STM-STEP-T3"},
    {running, case_handled, "Case policy consumes result", "Engine or worker", "step.exit with CASE_HANDLED", "STM-STEP-T4"},
    // A step that a back edge schedules again runs again; the matrix of 000 knows one round only.
    {completed, running, "Step scheduled or entered again", "Engine or worker", "step.enter or command issuance", "STM-STEP-T1", binding},
    {failed, running, "Step scheduled or entered again", "Engine or worker", "step.enter or command issuance", "STM-STEP-T1", binding},
    {case_handled, running, "Step scheduled or entered again", "Engine or worker", "step.enter or command issuance", "STM-STEP-T1", binding},
};
constexpr Transition command_transitions[] = {
    {pending, issued, "Command created", "Server", "command.issued", "STM-CMD-T1"},
    {issued, claimed, "Worker claims", "Worker and server", "command.claimed", "STM-CMD-T2"},
    {claimed, running, "Worker begins work", "Worker", "command.started", "STM-CMD-T3"},
    {running, completed, "Worker completes", "Worker", "command.completed", "STM-CMD-T4"},
    {running, failed, "Worker hard fails", "Worker", "command.failed", "STM-CMD-T5"},
    {issued, cancelled, "Execution cancelled", "Server or reaper", "command.cancelled", "STM-CMD-T6"},
    {claimed, cancelled, "Execution cancelled", "Server or reaper", "command.cancelled", "STM-CMD-T6"},
};
constexpr Transition tool_transitions[] = {
    {pending, running, "Tool invoked", "Worker", "In-flight only", "STM-TOOL-T1"},
    {running, ok, "Tool returns ok result", "Worker", "call.done", "STM-TOOL-T2"},
    {running, error, "Tool returns error", "Worker", "call.error", "STM-TOOL-T3"},
    {running, break_off, "Task-sequence breaks or paginates", "Worker", "Payload only", "STM-TOOL-T4"},
    {running, noop, "Task-sequence breaks or paginates", "Worker", "Payload only", "STM-TOOL-T4"},
};

constexpr LayerTable tables[] = {
    {Layer::execution, "Playbook execution state", "Overall execution", "Engine",
     "ExecutionState.completed, ExecutionState.failed, playbook.* lifecycle events, execution.cancelled",
     "Lower-layer event heuristics", "STM-LAYER-EXEC", execution_states, execution_terminal, execution_transitions},
    {Layer::workflow, "Workflow state", "One workflow", "Engine",
     "ExecutionState.completed, ExecutionState.failed, workflow.* lifecycle events",
     "Command completion semantics", "STM-LAYER-WF", workflow_states, workflow_terminal, workflow_transitions},
    {Layer::step, "Step state", "Single playbook step", "Engine",
     "ExecutionState.completed_steps, step_results, current_step, step.exit",
     "Playbook execution status", "STM-LAYER-STEP", step_states, step_terminal, step_transitions},
    {Layer::command, "Command state", "Single distributed command", "Server and worker",
     "command.* events",
     "Playbook execution status", "STM-LAYER-CMD", command_states, command_terminal, command_transitions},
    {Layer::tool, "Tool outcome", "Single tool invocation", "Worker or tool executor",
     "call.done or call.error payload",
     "Playbook execution status", "STM-LAYER-TOOL", tool_states, tool_terminal, tool_transitions},
};
// clang-format on

constexpr Words<State::noop> state_words = {"PENDING",   "RUNNING",      "COMPLETED", "FAILED",
                                            "CANCELLED", "CASE_HANDLED", "ISSUED",    "CLAIMED",
                                            "OK",        "ERROR",        "BREAK",     "NOOP"};

}  // namespace

std::span<const LayerTable> layer_tables() { return tables; }

const LayerTable& table_of(Layer layer) { return tables[static_cast<std::size_t>(layer)]; }

const Transition* find_transition(Layer layer, State from, State to) {
  for (const Transition& transition : table_of(layer).transitions) {
    if (transition.from == from && transition.to == to) return &transition;
  }
  return nullptr;
}

bool is_terminal(Layer layer, State state) {
  const auto terminal = table_of(layer).terminal;
  return std::find(terminal.begin(), terminal.end(), state) != terminal.end();
}

std::string_view word_of(State state) { return state_words[state]; }

std::optional<State> state_named(Layer layer, std::string_view word) {
  const std::string raised = events::upper_case(word);
  for (const State state : table_of(layer).states) {
    if (word_of(state) == raised) return state;
  }
  return std::nullopt;
}

}  // namespace assay::status
