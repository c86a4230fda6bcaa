#pragma once

#include <string>

#include "base/value.h"
#include "harness/core/profile.h"

namespace assay::wire {

/// The first member of a parameter that the operation's requests would leave out, though they say
/// other members of that parameter: "playbook.workflow.0.when". Empty where they say all of it, or
/// nothing at all. A digest of a value does not say it. Only of operations that make something:
/// a server that was never told of a step's `when` would pass every case about it.
[[nodiscard]] std::string unsaid_part(const core::OperationTemplate& form,
                                      std::string_view operation, const Object& parameters);

}  // namespace assay::wire
