#pragma once

#include <string>
#include <vector>

#include "harness/core/operation.h"
#include "harness/core/scenario.h"
#include "properties/literal.h"

namespace assay::properties {

/// What a raw request must be answered after two plays answered it so, as the clauses that it
/// proves ask for: any status under 500 (API-NO5XX), problem details that say what the sound
/// server's say (API-PROBLEM: a code, the pointer where there is one, and of what is unknown the
/// status, too), else that very status.
[[nodiscard]] core::AnswerPattern expected_problem(const core::Answer& first,
                                                   const core::Answer& second,
                                                   const std::vector<std::string>& clauses,
                                                   const std::vector<KnownName>& names);

}  // namespace assay::properties
