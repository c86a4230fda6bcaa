#include "reports/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace assay::reports {
namespace {

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t current = 0;
  for (const char letter : text) {
    current = letter == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  return longest;
}

}  // namespace

std::string code(std::string_view text) {
  const std::string ticks(longest_run_of_backticks(text) + 1, '`');
  std::string inner;
  for (const char letter : text) {
    if (letter == '|') inner += '\\';
    inner += letter == '\n' ? ' ' : letter;
  }
  const std::string_view blank = ticks.size() > 1 ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", ticks, blank, inner.empty() ? " " : inner);
}

std::string fenced(std::string_view language, std::string_view text) {
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

std::string prose(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (std::string_view("\\`*_{}[]<>&~@|$#!:").find(letter) != std::string_view::npos) {
      out += fmt::format("&#{};", static_cast<int>(letter));
    } else {
      out += letter == '\n' ? ' ' : letter;
    }
  }
  return out;
}

}  // namespace assay::reports
