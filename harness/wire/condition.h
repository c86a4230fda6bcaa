#pragma once

#include "base/value.h"
#include "harness/core/condition.h"

namespace assay::wire {

/// Whether a condition holds of a value, to which its pointers refer.
[[nodiscard]] bool holds(const core::Condition& condition, const Value& value);

}  // namespace assay::wire
