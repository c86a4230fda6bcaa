#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::wire {

/// Why a regular expression (Perl's syntax) cannot be used; empty where it can.
[[nodiscard]] std::string pattern_fault(const std::string& pattern);

/// What the first group of the pattern finds in the text, or the whole match where it has no group;
/// nothing where it finds nothing. A text for which the search would take too long, or that is
/// longer than 64 KiB, holds nothing.
[[nodiscard]] std::optional<std::string> found_by(const std::string& pattern,
                                                  std::string_view text);

}  // namespace assay::wire
