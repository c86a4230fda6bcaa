#include "reference_impl/model/routing/server_event.h"

#include <algorithm>
#include <array>

namespace assay::routing {

bool is_server_event(std::string_view event_type) {
  static constexpr auto types = std::to_array<std::string_view>({"playbook.execution.requested",
                                                                 "playbook.request.evaluated",
                                                                 "playbook.started",
                                                                 "playbook.paused",
                                                                 "playbook.finished",
                                                                 "playbook.processed",
                                                                 "workflow.started",
                                                                 "workflow.finished",
                                                                 "policy.admit.evaluated",
                                                                 "step.scheduled",
                                                                 "next.evaluated",
                                                                 "loop.started",
                                                                 "loop.iteration.scheduled",
                                                                 "loop.done",
                                                                 "execution.cancelled",
                                                                 "playbook.initialized",
                                                                 "playbook.completed",
                                                                 "playbook.failed",
                                                                 "workflow.initialized",
                                                                 "workflow.completed",
                                                                 "workflow.failed"});
  return std::find(types.begin(), types.end(), event_type) != types.end();
}

}  // namespace assay::routing
