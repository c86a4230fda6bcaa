#pragma once

#include <array>
#include <string_view>

namespace assay::wire {

/// The words of the scenario language that the reader and the writer share.

/// An action whose mapping is the parameters of one operation.
struct OperationAction {
  std::string_view key;
  std::string_view operation;
};

inline constexpr std::array<OperationAction, 17> operation_actions = {{
    {"start", "executions.start"},
    {"cancel", "executions.cancel"},
    {"ctx", "executions.ctx"},
    {"pause", "executions.pause"},
    {"resume", "executions.resume"},
    {"evict", "control.evict"},
    {"block", "blocks.register"},
    {"definition", "definitions.register"},
    {"execute", "workflow.start"},
    {"abort", "workflow.abort"},
    {"ack", "workflow.ack"},
    {"meet", "workflow.conditions"},
    {"poll", "jobs.poll"},
    {"push", "jobs.push"},
    {"run", "runs.create"},
    {"transition", "runs.transition"},
    {"retry", "runs.retry"},
}};

/// An action whose value is the one parameter of an operation.
struct ParameterAction {
  std::string_view key;
  std::string_view operation;
  std::string_view parameter;
};

inline constexpr std::array<ParameterAction, 3> parameter_actions = {{
    {"advance_ms", "control.clock", "advance_ms"},
    {"lock_service", "control.lock_service", "available"},
    {"lifecycle_hold", "control.lifecycle_hold", "state"},
}};

/// How the value of a read's key is written.
enum class ReadForm {
  pattern,          ///< The pattern over the mapped answer, or over the items of a listing.
  listing,          ///< {filter, items}
  by_state,         ///< {state, items}
  events,           ///< {filter, exactly, contains …}
  scheduled,        ///< A list of steps.
  never_scheduled,  ///< A list of steps.
  path,             ///< A list of states.
};

/// A read by its key in expect: and never:. They are read in this order.
struct ReadName {
  std::string_view key;
  std::string_view operation;
  ReadForm form;
};

inline constexpr std::array<ReadName, 20> read_names = {{
    {"status", "executions.status", ReadForm::pattern},
    {"detail", "executions.detail", ReadForm::pattern},
    {"variables", "executions.variables", ReadForm::pattern},
    {"marking", "executions.marking", ReadForm::pattern},
    {"list", "executions.list", ReadForm::listing},
    {"events", "events.list", ReadForm::events},
    {"published", "events.published", ReadForm::listing},
    {"scheduled", "events.list", ReadForm::scheduled},
    {"never_scheduled", "events.list", ReadForm::never_scheduled},
    {"run", "runs.get", ReadForm::pattern},
    {"runs", "runs.list", ReadForm::listing},
    {"audit", "runs.audit", ReadForm::pattern},
    {"next_action", "runs.next_action", ReadForm::pattern},
    {"workflow", "workflow.get", ReadForm::pattern},
    {"path", "workflow.get", ReadForm::path},
    {"workflows", "workflow.list", ReadForm::pattern},
    {"active", "workflow.active", ReadForm::pattern},
    {"in_state", "workflow.by_state", ReadForm::by_state},
    {"jobs", "jobs.list", ReadForm::listing},
    {"health", "server.health", ReadForm::pattern},
}};

}  // namespace assay::wire
