#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "harness/check/log_invariants.h"
#include "harness/check/match.h"
#include "harness/core/scenario.h"

namespace assay::check {

/// The violations in one log, where they were looked for.
using Audit = std::optional<std::vector<Violation>>;

/// Whether a log (filtered already, in the order in which the target lists it) is what an event
/// expectation (substituted already) demands. A mismatch names the smallest edge that broke: the
/// two events that stand in the wrong order, the first that is missing or too many, never the whole
/// log. Who holds several expectations against one log keeps `audit`: what check_log finds in it,
/// by the first that needs it.
[[nodiscard]] std::optional<Mismatch> match_events(const core::EventExpectation& expected,
                                                   const List& events, Audit& audit);
[[nodiscard]] std::optional<Mismatch> match_events(const core::EventExpectation& expected,
                                                   const List& events);

/// An event in a few words: "event 3 (step.done of fetch)", counted from 1.
[[nodiscard]] std::string event_text(const List& events, std::size_t index);

/// `expected` with its variables set in every pattern and filter. Throws SubstitutionError.
[[nodiscard]] core::EventExpectation substitute_events(
    const core::EventExpectation& expected,
    const std::map<std::string, Value, std::less<>>& variables);

}  // namespace assay::check
