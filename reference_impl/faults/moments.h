#pragma once

#include <string>

#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// The intercept, but only for executions of which the live state was dropped before (POST
/// /control/evict). It remembers them, so each service needs one of its own: see Fault::make.
[[nodiscard]] Intercept after_evict(Intercept broken);

/// Refuses what was asked with 200 or 201 before: each further request with the same target, on
/// that route. It remembers, as after_evict does.
[[nodiscard]] Intercept refuses_second(const std::string& route, int status,
                                       const std::string& code);

}  // namespace assay::faults
