#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

/// What tells two texts of one file from another, with three lines around each change, as `diff -u`
/// writes it and `patch` and `git apply` read it; empty where nothing does. Texts of a few hundred
/// lines: time and memory grow with the product of both.
[[nodiscard]] std::string unified_diff(const std::string& path, std::string_view before,
                                       std::string_view after);

}  // namespace assay::cli
