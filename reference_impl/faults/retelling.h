#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/value.h"
#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// Rewrites an execution's log into the one that a faulty server takes it for.
using Retell = std::function<void(List& events)>;

/// The status and the detail show the execution's own layer as it follows from the retold log.
[[nodiscard]] Intercept reads_log_as(const Retell& retell);

/// The detail shows steps, commands and tools as they follow from the retold log.
[[nodiscard]] Intercept reads_layers_as(const Retell& retell);

/// The log is listed as it is retold, and the execution's own layer follows from that.
[[nodiscard]] Intercept has_log(const Retell& retell);

/// Something that an event may be, with those before it.
using EventCondition = std::function<bool(const Value& event, std::span<const Value> before)>;

/// Each such event ends the execution, as an event of the type `end` behind it would.
[[nodiscard]] Retell ends_at(const std::string& end, const EventCondition& holds);

/// Erases the events for which `unwanted` holds.
[[nodiscard]] Retell without(const std::function<bool(const Value& event)>& unwanted);

/// The event closes the execution that it is the first to close.
[[nodiscard]] bool is_end(const Value& event);
/// The event starts the execution.
[[nodiscard]] bool is_start(const Value& event);

}  // namespace assay::faults
