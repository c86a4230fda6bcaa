#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/value.h"
#include "harness/core/pattern.h"

namespace assay::check {

/// How much of a value a message shows, in bytes.
inline constexpr std::size_t message_bytes = 400;

/// A value as compact JSON, cut with "…" once it is longer than `limit` bytes (never inside a UTF-8
/// character). Only for people: nothing reads it back.
[[nodiscard]] std::string value_text(const Value& value, std::size_t limit = message_bytes);

/// A value or its absence.
[[nodiscard]] std::string value_text(const Value* value);

/// A pattern in the notation of docs/writing-scenarios.md, cut likewise.
[[nodiscard]] std::string pattern_text(const core::Pattern& pattern,
                                       std::size_t limit = message_bytes);

/// The first `limit` bytes of a text and "…", or all of it.
[[nodiscard]] std::string cut_text(std::string text, std::size_t limit);

/// What is always kept of a body: enough to see what was wrong with it.
inline constexpr std::size_t kept_body_bytes = std::size_t{16} * 1024;

/// A body that need not be kept whole: the first 16 KiB and how long it was, or all of it.
[[nodiscard]] std::string kept_body(std::string body);

/// Whether kept_body left something out.
[[nodiscard]] bool is_cut_body(std::string_view body);

/// An integer or floating-point value as JSON writes it.
[[nodiscard]] std::string number_text(const Value& number);

}  // namespace assay::check
