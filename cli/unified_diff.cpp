#include "cli/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace assay::cli {
namespace {

constexpr std::size_t context_lines = 3;

/// A line of the diff with the newline that ends it, and how many lines of either text come before
/// it.
struct Edit {
  char mark = ' ';
  std::string_view line;
  std::size_t old_at = 0;
  std::size_t new_at = 0;
};

/// The lines with their newlines: that the last one has none is a difference too.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline == std::string_view::npos ? newline : newline + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

/// Every line of both texts once, by their longest common subsequence.
std::vector<Edit> edits_of(const std::vector<std::string_view>& old_lines,
                           const std::vector<std::string_view>& new_lines) {
  const std::size_t columns = new_lines.size() + 1;
  std::vector<std::size_t> common((old_lines.size() + 1) * columns, 0);
  for (std::size_t i = old_lines.size(); i-- > 0;) {
    for (std::size_t j = new_lines.size(); j-- > 0;) {
      common[i * columns + j] =
          old_lines[i] == new_lines[j]
              ? common[(i + 1) * columns + j + 1] + 1
              : std::max(common[(i + 1) * columns + j], common[i * columns + j + 1]);
    }
  }
  std::vector<Edit> edits;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < old_lines.size() || j < new_lines.size()) {
    const bool has_both = i < old_lines.size() && j < new_lines.size();
    if (has_both && old_lines[i] == new_lines[j]) {
      edits.push_back({' ', old_lines[i], i, j});
      ++i;
      ++j;
      continue;
    }
    const bool removes = j == new_lines.size() ||
                         (has_both && common[(i + 1) * columns + j] >= common[i * columns + j + 1]);
    edits.push_back({removes ? '-' : '+', removes ? old_lines[i] : new_lines[j], i, j});
    ++(removes ? i : j);
  }
  return edits;
}

std::string hunk_text(const std::vector<Edit>& edits, std::size_t begin, std::size_t end) {
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  std::string lines;
  for (std::size_t at = begin; at < end; ++at) {
    const Edit& edit = edits[at];
    old_count += edit.mark == '+' ? 0 : 1;
    new_count += edit.mark == '-' ? 0 : 1;
    lines += fmt::format("{}{}", edit.mark, edit.line);
    if (!edit.line.ends_with('\n')) lines += "\n\\ No newline at end of file\n";
  }
  // A hunk without lines of one side names the line before it.
  const Edit& first = edits[begin];
  return fmt::format("@@ -{},{} +{},{} @@\n{}", first.old_at + (old_count > 0 ? 1 : 0), old_count,
                     first.new_at + (new_count > 0 ? 1 : 0), new_count, lines);
}

}  // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<Edit> edits = edits_of(whole_lines(before), whole_lines(after));
  const auto is_change = [](const Edit& edit) { return edit.mark != ' '; };
  std::string text = fmt::format("--- {}\n+++ {}\n", path, path);
  auto change = std::find_if(edits.begin(), edits.end(), is_change);
  while (change != edits.end()) {
    const auto first = static_cast<std::size_t>(change - edits.begin());
    std::size_t last = first;
    for (std::size_t at = first; at < edits.size() && at <= last + 2 * context_lines; ++at) {
      if (is_change(edits[at])) last = at;
    }
    const std::size_t end = std::min(last + 1 + context_lines, edits.size());
    text += hunk_text(edits, first > context_lines ? first - context_lines : 0, end);
    change = std::find_if(edits.begin() + static_cast<std::ptrdiff_t>(end), edits.end(), is_change);
  }
  return text;
}

}  // namespace assay::cli
