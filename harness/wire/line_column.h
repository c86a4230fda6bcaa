#pragma once

#include <cstddef>
#include <string_view>

namespace assay::wire {

/// A place in a text; both count from 1, columns in bytes.
struct LineColumn {
  int line = 1;
  int column = 1;
};

/// The place of a byte offset.
[[nodiscard]] LineColumn line_column(std::string_view text, std::size_t offset);

}  // namespace assay::wire
