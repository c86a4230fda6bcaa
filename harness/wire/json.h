#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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
[[nodiscard]] std::variant<Value, JsonError> parse_json(std::string_view text,
                                                        const JsonOptions& options = {});

/// The value as compact JSON: members sorted by key, no white space, always valid UTF-8 (a byte
/// that is none becomes U+FFFD), doubles in the shortest form that reads back equal, and with a
/// decimal point or exponent so that they stay doubles. NaN and the infinities, which JSON lacks,
/// are null.
[[nodiscard]] std::string to_json(const Value& value);

/// The same with two spaces of indentation; empty containers stay on one line.
[[nodiscard]] std::string to_pretty_json(const Value& value);

enum class LineBreaks { escaped, kept };

/// Bytes of unknown origin, made fit to be shown: what is no UTF-8 appears as \xNN, control
/// characters and invisible direction marks as \n, \t, \u{202E} …; everything else stays as it is.
/// What goes over `limit` bytes of input is cut at a character and counted: "… (N bytes more)".
[[nodiscard]] std::string visible_text(std::string_view bytes, std::size_t limit,
                                       LineBreaks line_breaks = LineBreaks::escaped);

/// Bytes of unknown origin as valid UTF-8 that loses nothing else: only what is no UTF-8 is
/// rewritten
/// (\xNN), and what goes over the limit is cut and counted as in visible_text.
[[nodiscard]] std::string valid_text(std::string_view bytes, std::size_t limit);

}  // namespace assay::wire
