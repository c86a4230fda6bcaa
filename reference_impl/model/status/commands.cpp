#include "reference_impl/model/status/commands.h"

#include <string_view>

#include "reference_impl/model/events/words.h"

namespace assay::status {

namespace {

using events::EventKind;
using events::EventView;

State command_target(EventKind kind) {
  switch (kind) {
    case EventKind::command_issued:
      return State::issued;
    case EventKind::command_claimed:
      return State::claimed;
    case EventKind::command_started:
      return State::running;
    case EventKind::command_completed:
      return State::completed;
    case EventKind::command_failed:
      return State::failed;
    default:
      return State::cancelled;
  }
}

/// call.done's payload may say that the tool broke off or had nothing to do (STM-TOOL-T4).
State tool_outcome(const EventView& event) {
  if (event.kind() == EventKind::call_error) return State::error;
  const std::string status = events::upper_case(event.payload_text("/outcome/status"));
  if (status == "BREAK") return State::break_off;
  return status == "NOOP" ? State::noop : State::ok;
}

}  // namespace

std::optional<Reason> CommandLayer::apply(const EventView& event) {
  const std::string_view id = event.text("command_id");
  if (id.empty()) return Reason::names_no_command;
  const State to = command_target(event.kind());
  Command* known = commands_.find(id);
  if (known == nullptr) {
    if (to != State::issued) return Reason::command_move;
    Command& command = commands_.at(commands_.find_or_add(id));
    command.step = event.text("node_name");
    command.state = to;
    return std::nullopt;
  }
  if (to == State::issued) return Reason::command_issued_twice;
  if (find_transition(Layer::command, known->state, to) == nullptr) {
    const bool second =
        is_terminal(Layer::command, known->state) && is_terminal(Layer::command, to);
    return second ? Reason::second_command_outcome : Reason::command_move;
  }
  known->state = to;
  return std::nullopt;
}

std::vector<std::string> CommandLayer::cancellable() const {
  std::vector<std::string> ids;
  for (const Command& command : commands()) {
    if (find_transition(Layer::command, command.state, State::cancelled) != nullptr) {
      ids.push_back(command.id);
    }
  }
  return ids;
}

std::optional<Reason> ToolLayer::apply(const EventView& event) {
  const std::string_view id = event.text("command_id");
  if (id.empty()) return Reason::names_no_command;
  Tool& tool = tools_.at(tools_.find_or_add(id));
  if (is_terminal(Layer::tool, tool.outcome)) {
    return Reason::second_tool_outcome;
  }
  tool.outcome = tool_outcome(event);
  return std::nullopt;
}

}  // namespace assay::status
