#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace assay::wire {

/// One code point of a text and the bytes that it takes.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
};

/// The code point that begins at `offset` (which is inside `text`), or nothing where the bytes
/// there are no UTF-8: overlong forms, surrogates and values above U+10FFFF are none.
[[nodiscard]] std::optional<CodePoint> code_point_at(std::string_view text, std::size_t offset);

/// The offset of the first byte that is no UTF-8, or nothing where all of it is.
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// C0 and C1 controls, line and paragraph separators, and what changes the direction of text.
[[nodiscard]] bool is_invisible(char32_t value);

/// Line and column, both from 1, of a byte offset; columns count bytes.
struct LineColumn {
  int line = 1;
  int column = 1;
};
[[nodiscard]] LineColumn line_column(std::string_view text, std::size_t offset);

}  // namespace assay::wire
