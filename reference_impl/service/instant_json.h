#pragma once

#include <optional>

#include "base/instant.h"
#include "base/value.h"

namespace assay::service {

/// The instant as RFC 3339 in UTC; null where there is none.
[[nodiscard]] Value instant_json(std::optional<Instant> instant);

/// The value, or null where there is none.
template <typename Content>
[[nodiscard]] Value or_null(const std::optional<Content>& content) {
  return content ? Value(*content) : Value(nullptr);
}

}  // namespace assay::service
