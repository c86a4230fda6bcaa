#include "harness/wire/line_column.h"

#include <algorithm>

namespace assay::wire {

LineColumn line_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return {static_cast<int>(lines) + 1, static_cast<int>(before.size() - start) + 1};
}

}  // namespace assay::wire
