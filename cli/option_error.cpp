#include "cli/option_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::cli {
namespace {

/// The text between two marks; nothing where they do not both occur in this order.
std::optional<std::string> between(const std::string& text, std::string_view first,
                                   std::string_view second) {
  const std::size_t begin = text.find(first);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = text.find(second, begin + first.size());
  if (end == std::string::npos) return std::nullopt;
  return text.substr(begin + first.size(), end - begin - first.size());
}

/// "0.000000" as "0".
std::string bound(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

/// "--jobs: Value 0 not in range 1 to 4096".
std::optional<std::string> out_of_range(const std::string& message) {
  // A double's largest number: there is no upper bound.
  constexpr std::size_t longest_bound = 30;
  const auto value = between(message, ": Value ", " not in range ");
  if (!value) return std::nullopt;
  const std::string option = message.substr(0, message.find(": Value "));
  const std::string range = message.substr(message.find(" not in range ") + 14);
  const std::size_t to = range.find(" to ");
  if (to == std::string::npos) return std::nullopt;
  const std::string lower = bound(range.substr(0, to));
  const std::string upper = bound(range.substr(to + 4));
  if (upper.size() > longest_bound) {
    return fmt::format("{}: expected {} or more, got {}", option, lower, *value);
  }
  return fmt::format("{}: expected {} to {}, got {}", option, lower, upper, *value);
}

/// "Could not convert: --seed = abc".
std::optional<std::string> not_a_number(const std::string& message) {
  const auto option = between(message, "Could not convert: ", " = ");
  if (!option) return std::nullopt;
  return fmt::format("{}: \"{}\" is not a number", *option,
                     message.substr(message.find(" = ") + 3));
}

/// "--legacy: x not in {normalize,reject}".
std::optional<std::string> not_a_choice(const std::string& message) {
  const std::size_t mark = message.find(" not in {");
  const std::size_t colon = message.find(": ");
  if (mark == std::string::npos || colon == std::string::npos || colon > mark) return std::nullopt;
  std::string choices = message.substr(mark + 9);
  if (!choices.empty()) choices.pop_back();
  for (std::size_t at = choices.find(','); at != std::string::npos;
       at = choices.find(',', at + 1)) {
    choices.replace(at, 1, " or ");
  }
  return fmt::format("{}: expected {}, got \"{}\"", message.substr(0, colon), choices,
                     message.substr(colon + 2, mark - colon - 2));
}

/// "--report: 1 required TEXT missing".
std::optional<std::string> no_value(const std::string& message) {
  const std::size_t mark = message.find(": 1 required ");
  if (mark == std::string::npos || !message.ends_with(" missing")) return std::nullopt;
  return message.substr(0, mark) + " needs a value";
}

std::string check_whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) {
    return fmt::format("\"{}\" is too large (at most {})", text, UINT64_MAX);
  }
  if (error == std::errc() && end == text.data() + text.size()) return "";
  return fmt::format("\"{}\" is not a whole number", text);
}

}  // namespace

std::string plain_option_error(const std::string& message) {
  for (const auto reword : {out_of_range, not_a_number, not_a_choice, no_value}) {
    if (const std::optional<std::string> plain = reword(message)) return *plain;
  }
  return message;
}

void require_whole_numbers(CLI::App& verb) {
  for (CLI::Option* option : verb.get_options({})) {
    if (!option->get_type_name().starts_with("UINT")) continue;
    option->check(CLI::Validator(check_whole_number, ""));
  }
}

}  // namespace assay::cli
