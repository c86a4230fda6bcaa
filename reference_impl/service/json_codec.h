#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/value.h"

namespace assay::service {

/// Bytes that are not one JSON text (RFC 8259 in UTF-8, no key twice in one object).
struct NotJson {
  std::string detail;
};

/// A JSON text whose content is beyond what the server reads.
struct UnreadableContent {
  /// TOO_DEEP or NUMBER_OUT_OF_RANGE.
  std::string code;
  std::string detail;
};

/// Why bytes have no value.
using NoValue = std::variant<NotJson, UnreadableContent>;

/// The deepest nesting that is read: the value itself is level 1.
inline constexpr std::size_t max_json_depth = 100;

/// Reads one strict JSON text. Integers are exact to 64 bits (signed and unsigned); larger ones
/// become the nearest double. Duplicate keys, lone surrogates, invalid UTF-8, comments, trailing
/// commas and a byte order mark are NotJson.
[[nodiscard]] Result<Value, NoValue> parse_json(std::string_view bytes);

/// Writes compact JSON in UTF-8 with the members in the order of their keys. A number is read back
/// as the same number; 1.0 stays 1.0.
[[nodiscard]] std::string write_json(const Value& value);

}  // namespace assay::service
