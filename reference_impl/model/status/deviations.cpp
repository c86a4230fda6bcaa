#include "reference_impl/model/status/deviations.h"

#include <string_view>

#include "reference_impl/model/status/commands.h"

namespace assay::status {

namespace {

using events::EventKind;
using events::EventView;

bool is_on_end(const EventView& event) { return event.text("node_name") == "end"; }

bool has_nothing_pending(const EventView& event) {
  const Value* count = event.payload("/pending_count");
  return count != nullptr && count->to_int64() == 0;
}

bool exit_closes(const Deviations& deviations, const EventView& event) {
  if (deviations.exit_on_end_closes && is_on_end(event)) return true;
  if (deviations.iteration_exit_closes && (event.has("iteration") || event.has("iteration_id"))) {
    return true;
  }
  return deviations.lower_case_exit_closes && event.text("status") == "completed";
}

bool closes_as_completed(const Deviations& deviations, const EventView& event,
                         const CommandLayer& commands) {
  switch (event.kind()) {
    case EventKind::batch_completed:
      return deviations.batch_closes && has_nothing_pending(event);
    case EventKind::command_completed:
      return (deviations.command_on_end_closes && is_on_end(event)) ||
             (deviations.last_command_closes && commands.all_completed());
    case EventKind::call_done:
      return deviations.call_on_end_closes && is_on_end(event);
    case EventKind::step_exit:
      return exit_closes(deviations, event);
    case EventKind::workflow_completed:
      return deviations.workflow_completed_closes;
    default:
      return false;
  }
}

}  // namespace

std::optional<State> wrongly_inferred_end(const Deviations& deviations, const EventView& event,
                                          const CommandLayer& commands) {
  if (closes_as_completed(deviations, event, commands)) return State::completed;
  if (deviations.call_error_fails && event.kind() == EventKind::call_error) return State::failed;
  if (deviations.command_failed_fails && event.kind() == EventKind::command_failed) {
    return State::failed;
  }
  return std::nullopt;
}

}  // namespace assay::status
