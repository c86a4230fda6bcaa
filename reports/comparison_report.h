#pragma once

#include <string>
#include <string_view>

#include "harness/check/comparison.h"

namespace assay::reports {

/// What tells one run from another, for people, for a pull request's page, and for programs. Texts
/// of the target are made visible and, in Markdown, are code.
[[nodiscard]] std::string comparison_text(const check::Comparison& comparison);
[[nodiscard]] std::string comparison_markdown(const check::Comparison& comparison);
[[nodiscard]] std::string comparison_json(const check::Comparison& comparison);

/// "2 clauses fail newly in 3 cases · 1 fixed"; "no difference".
[[nodiscard]] std::string comparison_headline(const check::Comparison& comparison);

}  // namespace assay::reports
