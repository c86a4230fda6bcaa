#pragma once

#include <algorithm>
#include <string_view>

namespace assay::lifecycle {

/// Whether the text spells a specified name, which are upper-case ASCII, in letters of any case.
[[nodiscard]] inline bool is_name(std::string_view text, std::string_view name) {
  const auto raised = [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  };
  return std::equal(text.begin(), text.end(), name.begin(), name.end(),
                    [&raised](char given, char expected) { return raised(given) == expected; });
}

}  // namespace assay::lifecycle
