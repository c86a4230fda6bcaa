#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::reports {

/// Whether line breaks and tabs stay as they are, or are made visible too.
enum class Lines { one, many };

/// Text from a target, fit to be shown: valid UTF-8 in which control characters show as their
/// pictures (␛), bytes that are no UTF-8 as ⟨FF⟩, and characters that reorder or hide text as
/// ⟨U+202E⟩. Longer than `limit_bytes` of the raw text it is cut, and says how much is missing.
[[nodiscard]] std::string visible(std::string_view raw, std::size_t limit_bytes, Lines lines);

/// How many bytes the well-formed UTF-8 character at the head of `text` has; 0 where there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Whether every character shows as itself in `visible`, line breaks and tabs left aside.
[[nodiscard]] bool is_plain(std::string_view text);

/// `text` with & < > " ' as character references, for HTML, XML and SVG.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace assay::reports
