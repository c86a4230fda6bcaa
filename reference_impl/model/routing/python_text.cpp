#include "reference_impl/model/routing/python_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace assay::routing {
namespace {

struct CodePointRange {
  std::uint32_t first;
  std::uint32_t last;
};

/// Unicode's format, separator and private-use characters, which Python's repr() escapes.
/// Unassigned code points are not among them.
constexpr auto unprintable = std::to_array<CodePointRange>(
    {{0x80, 0xa0},       {0xad, 0xad},       {0x600, 0x605},      {0x61c, 0x61c},
     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},      {0x8e2, 0x8e2},
     {0x1680, 0x1680},   {0x180e, 0x180e},   {0x2000, 0x200f},    {0x2028, 0x202f},
     {0x205f, 0x2064},   {0x2066, 0x206f},   {0x3000, 0x3000},    {0xe000, 0xf8ff},
     {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x110bd, 0x110bd},  {0x110cd, 0x110cd},
     {0x13430, 0x13438}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},  {0xe0001, 0xe0001},
     {0xe0020, 0xe007f}, {0xf0000, 0xffffd}, {0x100000, 0x10fffd}});

constexpr auto spaces = std::to_array<CodePointRange>({{0x9, 0xd},
                                                       {0x1c, 0x20},
                                                       {0x85, 0x85},
                                                       {0xa0, 0xa0},
                                                       {0x1680, 0x1680},
                                                       {0x2000, 0x200a},
                                                       {0x2028, 0x2029},
                                                       {0x202f, 0x202f},
                                                       {0x205f, 0x205f},
                                                       {0x3000, 0x3000}});

template <typename Ranges>
bool in_ranges(const Ranges& ranges, std::uint32_t code_point) {
  return std::any_of(ranges.begin(), ranges.end(), [code_point](const CodePointRange& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

bool is_ascii_digit(char character) { return character >= '0' && character <= '9'; }

std::size_t code_point_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t length = 1;
  if (lead >= 0xf0) {
    length = 4;
  } else if (lead >= 0xe0) {
    length = 3;
  } else if (lead >= 0xc0) {
    length = 2;
  }
  return std::min(length, text.size());
}

void append_escaped(std::uint32_t code_point, std::string& out) {
  std::array<char, 12> buffer{};
  const char* format = "\\U%08x";
  if (code_point < 0x100) {
    format = "\\x%02x";
  } else if (code_point < 0x10000) {
    format = "\\u%04x";
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  std::snprintf(buffer.data(), buffer.size(), format, code_point);
  out += buffer.data();
}

/// The text without the underscores that Python allows between digits; nothing where one stands
/// elsewhere.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string plain;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (text[index] != '_') {
      plain += text[index];
    } else if (index == 0 || index + 1 == text.size() || text[index - 1] == '_' ||
               text[index + 1] == '_') {
      return std::nullopt;
    }
  }
  return plain;
}

bool is_float_syntax(std::string_view text) {
  std::size_t position = 0;
  std::size_t digits = 0;
  const auto skip_digits = [&] {
    while (position < text.size() && is_ascii_digit(text[position])) {
      ++position;
      ++digits;
    }
  };
  skip_digits();
  if (position < text.size() && text[position] == '.') {
    ++position;
    skip_digits();
  }
  if (digits == 0) return false;
  if (position < text.size() && (text[position] == 'e' || text[position] == 'E')) {
    ++position;
    if (position < text.size() && (text[position] == '+' || text[position] == '-')) ++position;
    digits = 0;
    skip_digits();
    if (digits == 0) return false;
  }
  return position == text.size();
}

int digit_of(char character) {
  if (is_ascii_digit(character)) return character - '0';
  if (character >= 'a' && character <= 'z') return character - 'a' + 10;
  if (character >= 'A' && character <= 'Z') return character - 'A' + 10;
  return std::numeric_limits<int>::max();
}

std::int64_t base_of_prefix(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1]) {
    case 'b':
    case 'B':
      return 2;
    case 'o':
    case 'O':
      return 8;
    case 'x':
    case 'X':
      return 16;
    default:
      return 0;
  }
}

bool has_underscore_beside_letters(std::string_view text) {
  for (std::size_t index = 1; index + 1 < text.size(); ++index) {
    if (text[index] == '_' &&
        (!is_ascii_digit(text[index - 1]) || !is_ascii_digit(text[index + 1]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string_view> code_points(std::string_view text) {
  std::vector<std::string_view> points;
  while (!text.empty()) {
    const std::size_t length = code_point_length(text);
    points.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return points;
}

std::size_t code_point_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
  }));
}

std::uint32_t code_point_number(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (bytes.size() == 1) return lead;
  std::uint32_t number = lead & (0xffU >> (bytes.size() + 1));
  for (const char byte : bytes.substr(1)) {
    number = (number << 6U) | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  return number;
}

std::string python_float_repr(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                          std::chars_format::scientific);
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t exponent_mark = scientific.find('e');
  std::string mantissa(scientific.substr(0, exponent_mark));
  const int exponent = std::atoi(scientific.data() + exponent_mark + 1);
  if (exponent < -4 || exponent >= 16) return std::string(scientific);

  std::string sign;
  if (mantissa.front() == '-') {
    sign = "-";
    mantissa.erase(0, 1);
  }
  std::erase(mantissa, '.');
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + mantissa;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (mantissa.size() <= whole)
    return sign + mantissa + std::string(whole - mantissa.size(), '0') + ".0";
  return sign + mantissa.substr(0, whole) + "." + mantissa.substr(whole);
}

void append_python_repr(std::string_view text, std::string& out) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  out += quote;
  for (const std::string_view character : code_points(text)) {
    const std::uint32_t number = code_point_number(character);
    if (number == '\n') {
      out += "\\n";
    } else if (number == '\r') {
      out += "\\r";
    } else if (number == '\t') {
      out += "\\t";
    } else if (number == '\\' || number == static_cast<unsigned char>(quote)) {
      out += '\\';
      out += character;
    } else if (number < 0x20 || number == 0x7f || in_ranges(unprintable, number)) {
      append_escaped(number, out);
    } else {
      out += character;
    }
  }
  out += quote;
}

bool is_python_space(std::uint32_t code_point) { return in_ranges(spaces, code_point); }

namespace {

template <typename Predicate>
std::string_view strip_where(std::string_view text, Predicate stripped) {
  const std::vector<std::string_view> points = code_points(text);
  std::size_t first = 0;
  std::size_t last = points.size();
  while (first < last && stripped(points[first])) ++first;
  while (last > first && stripped(points[last - 1])) --last;
  if (first == last) return {};
  const char* begin = points[first].data();
  const char* end = points[last - 1].data() + points[last - 1].size();
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view python_strip(std::string_view text) {
  return strip_where(text, [](std::string_view character) {
    return is_python_space(code_point_number(character));
  });
}

std::string_view python_strip(std::string_view text, std::string_view characters) {
  std::vector<std::string_view> stripped = code_points(characters);
  std::sort(stripped.begin(), stripped.end());
  return strip_where(text, [&stripped](std::string_view character) {
    return std::binary_search(stripped.begin(), stripped.end(), character);
  });
}

std::optional<double> python_parse_float(std::string_view text) {
  text = python_strip(text);
  double sign = 1;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  const std::string folded = python_lower(text);
  if (folded == "inf" || folded == "infinity")
    return sign * std::numeric_limits<double>::infinity();
  if (folded == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (has_underscore_beside_letters(text)) return std::nullopt;
  const auto plain = without_underscores(text);
  if (!plain || !is_float_syntax(*plain)) return std::nullopt;
  return sign * std::strtod(plain->c_str(), nullptr);
}

Result<std::optional<Integer>, IntegerTooLarge> python_parse_integer(std::string_view text,
                                                                     std::int64_t base) {
  if (base != 0 && (base < 2 || base > 36)) return std::nullopt;
  text = python_strip(text);
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const std::int64_t prefix = base_of_prefix(text);
  const bool guessed = base == 0;
  if (prefix != 0 && (guessed || base == prefix)) {
    base = prefix;
    text.remove_prefix(2);
    if (!text.empty() && text.front() == '_') text.remove_prefix(1);
  } else if (guessed) {
    base = 10;
    // int("012", 0) is refused, as 012 is in Python's source; zeros alone are not.
    if (text.size() > 1 && text.front() == '0' &&
        text.find_first_not_of("0_") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  const auto digits = without_underscores(text);
  if (!digits || digits->empty()) return std::nullopt;
  constexpr Integer bound = Integer{1} << 64;
  Integer magnitude = 0;
  for (const char character : *digits) {
    const int digit = digit_of(character);
    if (digit >= base) return std::nullopt;
    if (magnitude <= bound) magnitude = magnitude * static_cast<Integer>(base) + digit;
  }
  if (magnitude > bound) return unexpected(IntegerTooLarge{});
  return negative ? -magnitude : magnitude;
}

}  // namespace assay::routing
