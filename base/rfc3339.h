#pragma once

#include <string>

#include "base/instant.h"

namespace assay {

/// RFC 3339 in UTC with milliseconds: "2026-01-31T23:59:59.007Z".
[[nodiscard]] std::string rfc3339(Instant instant);

}  // namespace assay
