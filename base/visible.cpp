#include "base/visible.h"

#include <algorithm>
#include <optional>

#include "base/encoding.h"
#include "base/utf8.h"

namespace assay {
namespace {

/// Characters that show as nothing, reorder what stands around them, or are banned from XML.
bool is_deceptive(char32_t code) {
  return (code >= 0x80 && code <= 0x9F) || code == 0xAD || code == 0x61C || code == 0x200B ||
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || (code & 0xFFFEU) == 0xFFFE ||
         (code >= 0xFDD0 && code <= 0xFDEF) || (code >= 0xE0000 && code <= 0xE007F);
}

bool is_control(char32_t code) { return code < 0x20 || code == 0x7F; }

/// An object and not a function, so that a search inlines it.
constexpr auto is_plain_ascii = [](char byte) { return byte >= 0x20 && byte < 0x7F; };

bool is_layout(char32_t code) { return code == '\n' || code == '\t'; }

/// Copies at most `limit_bytes` character by character; `show` writes a valid one.
template <typename Show>
std::string rewritten(std::string_view raw, std::size_t limit_bytes, Show show) {
  std::string out;
  std::size_t at = 0;
  while (at < raw.size()) {
    // Most text is plain ASCII, which stands as it is.
    const std::string_view rest = raw.substr(at, limit_bytes - at);
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(), is_plain_ascii) - rest.begin());
    out.append(rest.substr(0, plain));
    at += plain;
    if (at == raw.size()) break;
    const std::optional<CodePoint> point = code_point_at(raw, at);
    const std::size_t length = point ? point->length : 1;
    if (at + length > limit_bytes) break;
    if (point) {
      show(point->value, raw.substr(at, length), out);
    } else {
      out.append("⟨").append(hexadecimal(static_cast<unsigned char>(raw[at]), 2)).append("⟩");
    }
    at += length;
  }
  if (at < raw.size()) {
    out.append(" … (").append(std::to_string(raw.size() - at)).append(" bytes more)");
  }
  return out;
}

}  // namespace

bool is_invisible(char32_t code) { return is_control(code) || is_deceptive(code); }

std::string visible(std::string_view raw, std::size_t limit_bytes, Lines lines) {
  const auto show = [lines](char32_t code, std::string_view character, std::string& out) {
    const bool is_kept = is_layout(code) && lines == Lines::many;
    if (is_kept || !is_invisible(code)) {
      out += character;
    } else if (is_control(code)) {
      append_code_point(code == 0x7F ? 0x2421 : 0x2400 + code, out);
    } else {
      out.append("⟨U+").append(hexadecimal(code, 4)).append("⟩");
    }
  };
  return rewritten(raw, limit_bytes, show);
}

std::string valid_utf8(std::string_view raw, std::size_t limit_bytes) {
  return rewritten(raw, limit_bytes, [](char32_t, std::string_view character, std::string& out) {
    out += character;
  });
}

bool is_plain(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::optional<CodePoint> point = code_point_at(text, at);
    if (!point || (is_invisible(point->value) && !is_layout(point->value))) return false;
    at += point->length;
  }
  return true;
}

}  // namespace assay
