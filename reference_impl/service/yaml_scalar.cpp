#include "reference_impl/service/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace assay::service {
namespace {

template <std::size_t Count>
bool is_one_of(std::string_view text, const std::array<std::string_view, Count>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_decimal(std::string_view text) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t whole = skip_digits(text, at);
  const bool has_whole = whole > at;
  at = whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = skip_digits(text, at + 1);
    if (!has_whole && fraction == at + 1) return false;
    at = fraction;
  } else if (!has_whole) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t exponent = skip_digits(text, at);
    if (exponent == at) return false;
    at = exponent;
  }
  return at == text.size();
}

template <typename Number>
std::optional<Value> whole(std::string_view text, int base) {
  Number number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return Value(number);
}

std::optional<Value> decimal(std::string_view text) {
  if (text.front() == '+') text.remove_prefix(1);
  if (text.find_first_of(".eE") == std::string_view::npos) {
    if (auto integer = whole<std::int64_t>(text, 10)) return integer;
    if (auto integer = whole<std::uint64_t>(text, 10)) return integer;
  }
  const double number = std::strtod(std::string(text).c_str(), nullptr);
  if (!std::isfinite(number)) return std::nullopt;
  return Value(number);
}

bool is_not_finite(std::string_view text) {
  constexpr std::array<std::string_view, 12> words = {".inf",  ".Inf",  ".INF",  "+.inf",
                                                      "+.Inf", "+.INF", "-.inf", "-.Inf",
                                                      "-.INF", ".nan",  ".NaN",  ".NAN"};
  return is_one_of(text, words);
}

}  // namespace

std::optional<Value> plain_scalar(std::string_view text) {
  constexpr std::array<std::string_view, 5> nulls = {"", "~", "null", "Null", "NULL"};
  constexpr std::array<std::string_view, 3> trues = {"true", "True", "TRUE"};
  constexpr std::array<std::string_view, 3> falses = {"false", "False", "FALSE"};
  if (is_one_of(text, nulls)) return Value();
  if (is_one_of(text, trues)) return Value(true);
  if (is_one_of(text, falses)) return Value(false);
  if (is_not_finite(text)) return std::nullopt;
  for (const auto& [prefix, base] : {std::pair("0x", 16), std::pair("0o", 8)}) {
    if (!text.starts_with(prefix)) continue;
    if (auto integer = whole<std::uint64_t>(text.substr(2), base)) return integer;
  }
  if (is_decimal(text)) return decimal(text);
  return Value(text);
}

}  // namespace assay::service
