#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/value.h"

namespace assay::wire {

/// The value of a JSON text, read by simdjson. Nothing where another parser has to read it with
/// more care, or to say what is wrong with it: no JSON, deeper than `max_depth`, members that stand
/// twice, numbers of more than 64 bits, long texts (simdjson holds many times their size). Always
/// nothing where assay is built without simdjson.
[[nodiscard]] std::optional<Value> fast_json(std::string_view text, std::size_t max_depth);

}  // namespace assay::wire
