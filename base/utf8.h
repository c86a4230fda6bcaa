#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// One code point of a text and the bytes that it takes.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
};

/// The code point that begins at `offset`, or nothing at the end of the text and where the bytes
/// are not UTF-8: overlong forms, surrogates and values above U+10FFFF are not (RFC 3629).
[[nodiscard]] std::optional<CodePoint> code_point_at(std::string_view text, std::size_t offset = 0);

/// The offset of the first byte that is not UTF-8, or nothing where all of the text is.
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// Whether all of the text is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Appends a code point as UTF-8; surrogates are written like any other, as Python does.
void append_code_point(char32_t value, std::string& text);

/// Where the last whole character ends at or before `limit`; the text itself where it is shorter.
[[nodiscard]] std::string_view cut_at_character(std::string_view text, std::size_t limit);

}  // namespace assay
