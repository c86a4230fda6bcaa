#pragma once

#include <optional>
#include <string>

#include "base/value.h"
#include "reference_impl/model/events/event_view.h"

namespace assay::events {

/// The standard name of a legacy event (specification 001 section 4), or nothing for a current one:
/// - tool.started, tool.processed: task.started, task.done or task.failed;
/// - retry.*: task.attempt.*, where processed becomes done or failed;
/// - sink.*: task.* of the storage task, where processed becomes done or failed;
/// - case.*: policy.task.evaluated where the payload names an action or a matched rule (a task's
///   policy decided), else next.evaluated (an arc was chosen).
/// Whether a processed event failed is read from `status`, then `payload.outcome.status`, then from
/// whether there is a `payload.error`.
[[nodiscard]] std::optional<std::string> standard_name_of_legacy(const EventView& event);

/// Renames a legacy event in place: event_type (and event_alias, where it has one) become the
/// standard ones, and payload.meta.legacy_type keeps the old name. A meta that is no object is kept
/// as its `value`.
void normalize_legacy(Value& body, const std::string& standard_name);

}  // namespace assay::events
