#pragma once

#include <vector>

#include "harness/core/scenario.h"
#include "harness/core/source.h"

namespace assay::core {

/// Expectations of what the contract leaves to the server, as far as they can be seen without a
/// run: the words of a reason, title or detail, a closed list of anomalies or of what an anomaly
/// says, and a time by the beginning of its text.
[[nodiscard]] std::vector<Diagnostic> check_open_answers(const Scenario& scenario);

}  // namespace assay::core
