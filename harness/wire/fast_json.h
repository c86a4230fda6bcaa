#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/value.h"
#include "harness/wire/json_walk.h"

namespace assay::wire {

/// The value of a JSON text, read by simdjson. Nothing where another parser has to read it with
/// more care, or to say what is wrong with it: no JSON, deeper than `max_depth`, members that stand
/// twice, numbers of more than 64 bits, long texts (simdjson holds many times their size). Always
/// nothing where assay is built without simdjson.
[[nodiscard]] std::optional<Value> fast_json(std::string_view text, std::size_t max_depth);

/// Tells the visitor what a JSON text has (harness/wire/json_walk.h), read by simdjson; false, and
/// nothing is told, where another parser has to.
[[nodiscard]] bool fast_walk(std::string_view text, JsonVisitor& visitor);

}  // namespace assay::wire
