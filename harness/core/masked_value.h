#pragma once

#include "base/value.h"
#include "harness/core/secrets.h"

namespace assay::core {

/// A value with every secret masked: in its texts, in the names of its members, and in its
/// integers, whose digits a profile may have captured as a secret.
[[nodiscard]] Value masked(const Value& value, const Secrets& secrets);

}  // namespace assay::core
