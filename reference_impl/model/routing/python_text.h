#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::routing {

/// Wide enough for every sum, difference and product of two JSON integers to be checked.
__extension__ using Integer = __int128;

/// The code points of a UTF-8 text, each as its bytes. A byte that begins no code point stands
/// alone.
[[nodiscard]] std::vector<std::string_view> code_points(std::string_view text);

/// How many code points a UTF-8 text has: Python's len().
[[nodiscard]] std::size_t code_point_count(std::string_view text);

/// The number of a code point given as its UTF-8 bytes.
[[nodiscard]] std::uint32_t code_point_number(std::string_view bytes);

/// Python's repr() of a float: the shortest digits that read back as the same float.
[[nodiscard]] std::string python_float_repr(double number);

/// Appends Python's repr() of a string: quoted, unprintable characters escaped.
void append_python_repr(std::string_view text, std::string& out);

/// Whether Python's str.isspace() holds for a code point.
[[nodiscard]] bool is_python_space(std::uint32_t code_point);

/// Python's str.strip(): without the white space (or the characters in `characters`) at both ends.
[[nodiscard]] std::string_view python_strip(std::string_view text);
[[nodiscard]] std::string_view python_strip(std::string_view text, std::string_view characters);

/// Python's float(): nothing where the text is no number.
[[nodiscard]] std::optional<double> python_parse_float(std::string_view text);

/// An integer text whose number has more than 64 bits.
struct IntegerTooLarge {};

/// Python's int(text, base) with ASCII digits: nothing where the text is no integer or the base is
/// none of 0 and 2 to 36.
[[nodiscard]] Result<std::optional<Integer>, IntegerTooLarge> python_parse_integer(
    std::string_view text, std::int64_t base);

/// Python's str.lower() and str.upper(), by Unicode's simple and special case mappings.
[[nodiscard]] std::string python_lower(std::string_view text);
[[nodiscard]] std::string python_upper(std::string_view text);

}  // namespace assay::routing
