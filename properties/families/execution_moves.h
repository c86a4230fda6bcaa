#pragma once

#include <optional>
#include <string_view>

#include "harness/core/scenario.h"
#include "properties/draft.h"
#include "properties/family.h"

namespace assay::properties {

/// What families of replay executions share: how a case begins, and specification 000's events.

/// A PENDING execution with a workload.
[[nodiscard]] Opening open_fresh(const Draft& draft);

/// The same, started.
[[nodiscard]] Opening open_running(const Draft& draft);

/// The same, and its workflow too.
[[nodiscard]] Opening open_working(const Draft& draft);

/// Running, and then closed in one of the three ways, by the draft's construction.
[[nodiscard]] Opening open_closed(const Draft& draft);

/// The events of earlier steps, as they were posted.
[[nodiscard]] std::vector<Value> posted(const View& view);

/// Kinds: work, worker, command, call, step, batch, workflow, foreign, start, finished, complete,
/// fail, cancelled, cancel, evict, again, conflict, two at once, badly delivered, backdated.
[[nodiscard]] std::optional<core::Step> execution_step(std::string_view kind, const Move& move,
                                                       const View& view);

}  // namespace assay::properties
