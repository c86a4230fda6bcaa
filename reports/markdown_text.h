#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

/// Inline code that its text cannot end, also inside a table.
[[nodiscard]] std::string code(std::string_view text);

/// A block of code that its text cannot end.
[[nodiscard]] std::string fenced(std::string_view language, std::string_view text);

/// Prose: nothing in it is markup, a mention or a link.
[[nodiscard]] std::string prose(std::string_view text);

}  // namespace assay::reports
