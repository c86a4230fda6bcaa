#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// Whether line breaks and tabs stay as they are, or are made visible too.
enum class Lines { one, many };

/// Text of unknown origin, fit to be shown: valid UTF-8 in which control characters show as their
/// pictures (␛), bytes that are not UTF-8 as ⟨FF⟩, and characters that reorder or hide text as
/// ⟨U+202E⟩. Longer than `limit_bytes` of the raw text it is cut, and says how much is missing.
[[nodiscard]] std::string visible(std::string_view raw, std::size_t limit_bytes,
                                  Lines lines = Lines::one);

/// Bytes of unknown origin as valid UTF-8 that loses nothing else: only what is not UTF-8 is
/// rewritten (⟨FF⟩), and what goes over the limit is cut and counted as in visible.
[[nodiscard]] std::string valid_utf8(std::string_view raw, std::size_t limit_bytes);

/// Whether a character shows as nothing, reorders what stands around it, controls a terminal, or is
/// banned from XML. Line breaks and tabs do.
[[nodiscard]] bool is_invisible(char32_t code);

/// Whether every character shows as itself in `visible`, line breaks and tabs left aside.
[[nodiscard]] bool is_plain(std::string_view text);

}  // namespace assay
