#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/history.h"
#include "harness/core/operation_shape.h"
#include "harness/core/record.h"

namespace assay::check {

/// When the answer to the last call came that may have changed something; nothing where there was
/// none.
[[nodiscard]] std::optional<double> last_changed_ms(const core::History& history);

/// The identifier that a target gave what an operation of that shape made; numbers become text.
[[nodiscard]] std::optional<std::string> made_id(const core::OperationShape& shape,
                                                 const core::Answer& answer);

/// The operations that make the server's own services work again where the calls left them
/// otherwise: a lock service that is away, a lifecycle that stands still.
[[nodiscard]] std::vector<core::Operation> undoings(const core::History& history);

/// What the calls made, or may have made where their answer was lost and they named it themselves:
/// execution_id, run_id or uuid, and its value, in the order of the calls.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> made_things(
    const core::History& history);

/// The states in which calls of that operation have shown the thing with that uuid, in the order of
/// the calls; one that stays is there once.
[[nodiscard]] std::vector<std::string> states_seen(const core::History& history,
                                                   std::string_view operation,
                                                   std::string_view uuid);

/// Takes over into the result what a record has of its history: the exchanges of all calls but of
/// looks that decided nothing; `deciding` names some that did, beside the evidence of its checks.
/// That evidence, which pointed into the history, points into the result from then on.
void record_exchanges(core::CaseResult& result, const std::set<std::size_t>& deciding = {});

}  // namespace assay::check
