#pragma once

#include <string>
#include <string_view>

namespace assay::events {

/// ASCII letters raised: the specifications' status words are ASCII, and no locale may change them.
[[nodiscard]] inline std::string upper_case(std::string_view text) {
  std::string raised(text);
  for (char& character : raised) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  }
  return raised;
}

}  // namespace assay::events
