#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/status/anomaly.h"
#include "reference_impl/model/status/first_seen.h"
#include "reference_impl/model/status/layers.h"

namespace assay::status {

/// One command. `id` is its command_id; `step` is the node that it was issued for, or empty.
struct Command {
  std::string id;
  std::string step;
  State state = State::pending;
};

/// The command layer: specification 000's table, strictly (STM-CMD-*). A command begins to exist
/// when it is issued; an event of any other is an anomaly.
class CommandLayer {
 public:
  /// Any command.* event.
  std::optional<Reason> apply(const events::EventView& event);

  [[nodiscard]] const std::vector<Command>& commands() const { return commands_.entries(); }
  /// The ids of the commands that are ISSUED or CLAIMED: a cancel cancels these (STM-CMD-T6).
  [[nodiscard]] std::vector<std::string> cancellable() const;

 private:
  FirstSeen<Command> commands_;
};

/// The outcome of one tool call. `id` is the command_id that it belongs to.
struct Tool {
  std::string id;
  State outcome = State::running;
};

/// The tool layer: call.done and call.error, keyed by command_id; the first outcome stands
/// (STM-TOOL-*).
class ToolLayer {
 public:
  /// call.done or call.error.
  std::optional<Reason> apply(const events::EventView& event);

  [[nodiscard]] const std::vector<Tool>& tools() const { return tools_.entries(); }

 private:
  FirstSeen<Tool> tools_;
};

}  // namespace assay::status
