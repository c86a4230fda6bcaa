#include "properties/families/event_types.h"

#include <algorithm>
#include <array>

namespace assay::properties {
namespace {

constexpr std::array<EventType, 29> types = {{
    {"step.started", "EVT-TAX-STEP"},
    {"step.scheduled", "EVT-TAX-STEP"},
    {"step.done", "EVT-TAX-STEP"},
    {"step.failed", "EVT-TAX-STEP"},
    {"playbook.execution.requested", "EVT-TAX-PLAYBOOK"},
    {"playbook.request.evaluated", "EVT-TAX-PLAYBOOK"},
    {"playbook.started", "EVT-TAX-PLAYBOOK"},
    {"playbook.paused", "EVT-TAX-PLAYBOOK"},
    {"playbook.finished", "EVT-TAX-PLAYBOOK"},
    {"playbook.processed", "EVT-TAX-PLAYBOOK"},
    {"workflow.started", "EVT-TAX-WORKFLOW"},
    {"workflow.finished", "EVT-TAX-WORKFLOW"},
    {"task.started", "EVT-TAX-TASK"},
    {"task.attempt.started", "EVT-TAX-TASK"},
    {"task.attempt.done", "EVT-TAX-TASK"},
    {"task.attempt.failed", "EVT-TAX-TASK"},
    {"task.done", "EVT-TAX-TASK"},
    {"task.failed", "EVT-TAX-TASK"},
    {"loop.started", "EVT-TAX-LOOP"},
    {"loop.iteration.scheduled", "EVT-TAX-LOOP"},
    {"loop.iteration.started", "EVT-TAX-LOOP"},
    {"loop.iteration.done", "EVT-TAX-LOOP"},
    {"loop.iteration.failed", "EVT-TAX-LOOP"},
    {"loop.done", "EVT-TAX-LOOP"},
    {"policy.admit.evaluated", "EVT-TAX-POLICY"},
    {"policy.task.evaluated", "EVT-TAX-POLICY"},
    {"next.evaluated", "EVT-TAX-POLICY"},
    {"result.stored", "EVT-TAX-RESULT"},
    {"result.manifest.updated", "EVT-TAX-RESULT"},
}};

}  // namespace

std::span<const EventType> event_types() { return types; }

std::string clause_of_type(std::string_view name) {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [name](const EventType& type) { return type.name == name; });
  return found == types.end() ? "" : std::string(found->clause);
}

}  // namespace assay::properties
