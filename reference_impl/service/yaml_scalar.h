#pragma once

#include <optional>
#include <string_view>

#include "base/value.h"

namespace assay::service {

/// What a plain scalar of YAML 1.2's core schema (section 10.3.2) stands for; nothing for a number
/// that JSON does not have (.inf, .nan, or one too large).
[[nodiscard]] std::optional<Value> plain_scalar(std::string_view text);

}  // namespace assay::service
