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

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

/// Whether the mark at that place is read as itself, so that the source stays legible: an
/// underscore within a word, a colon behind one that ends there.
bool means_itself(std::string_view text, std::size_t at) {
  const bool is_behind_a_word = at > 0 && is_word_letter(text[at - 1]);
  const bool is_last = at + 1 == text.size();
  if (text[at] == '_') return is_behind_a_word && !is_last && is_word_letter(text[at + 1]);
  return text[at] == ':' && is_behind_a_word && (is_last || text[at + 1] == ' ');
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
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (means_itself(text, at)) {
      out += letter;
    } else if (letter == '*' || letter == '`') {
      out += '\\';
      out += letter;
    } else if (std::string_view("\\_{}[]<>&~@|$#!:").find(letter) != std::string_view::npos) {
      out += fmt::format("&#{};", static_cast<int>(letter));
    } else {
      out += letter == '\n' ? ' ' : letter;
    }
  }
  return out;
}

}  // namespace assay::reports
