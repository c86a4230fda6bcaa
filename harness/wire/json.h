#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace assay::wire {

/// Why a text is no JSON, and where. Lines and columns count from 1, in bytes.
struct JsonError {
  std::size_t offset = 0;
  int line = 0;
  int column = 0;
  std::string message;
};

struct JsonOptions {
  /// Arrays and objects inside one another; deeper text is an error.
  std::size_t max_depth = 200;
  /// Where to note the members that a text has twice in one object (the last one is kept).
  std::vector<std::string>* duplicate_keys = nullptr;
};

/// Reads one JSON text (RFC 8259). Integers are exact to 64 bits; invalid UTF-8, lone surrogates
/// and anything after the value are errors. Never throws for anything that the text contains.
[[nodiscard]] Result<Value, JsonError> parse_json(std::string_view text,
                                                  const JsonOptions& options = {});

/// The value as compact JSON: members sorted by key, no white space, always valid UTF-8 (a byte
/// that is none becomes U+FFFD), doubles in the shortest form that reads back equal, and with a
/// decimal point or exponent so that they stay doubles. NaN and the infinities, which JSON lacks,
/// are null.
[[nodiscard]] std::string to_json(const Value& value);

/// The same with two spaces of indentation; empty containers stay on one line.
[[nodiscard]] std::string to_pretty_json(const Value& value);

}  // namespace assay::wire
