#pragma once

#include <string_view>

#include "base/value.h"

namespace assay::audit {

/// The payload of a packed event as a value; null where it is not JSON, or deeper than payloads may
/// be. Fast where the library for that is built in: there is one for each routing event of a log.
[[nodiscard]] Value payload_value(std::string_view json);

}  // namespace assay::audit
