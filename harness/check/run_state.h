#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "harness/core/history.h"

namespace assay::check {

/// The status that a run is in by the history: that of the last transition that was taken, else
/// `created`, in which every run begins (004). One that was made with its end goes its way by
/// itself: it is where the last look found it.
[[nodiscard]] std::string status_of_run(const core::History& history, const Value& run_id);

/// Whether the table of specification 004 has that transition.
[[nodiscard]] bool leads_to(std::string_view from, std::string_view to);

}  // namespace assay::check
