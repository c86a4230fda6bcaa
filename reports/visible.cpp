#include "reports/visible.h"

#include <fmt/format.h>

#include <cstdint>

namespace assay::reports {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

std::uint32_t decode(std::string_view character) {
  const unsigned first = byte_at(character, 0);
  if (character.size() == 1) return first;
  std::uint32_t code = first & (0x7FU >> character.size());
  for (std::size_t at = 1; at < character.size(); ++at) {
    code = (code << 6U) | (byte_at(character, at) & 0x3FU);
  }
  return code;
}

/// Characters that show as nothing, reorder what stands around them, or are banned from XML.
bool is_deceptive(std::uint32_t code) {
  return (code >= 0x80 && code <= 0x9F) || code == 0xAD || code == 0x61C || code == 0x200B ||
         code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || (code & 0xFFFEU) == 0xFFFE ||
         (code >= 0xFDD0 && code <= 0xFDEF) || (code >= 0xE0000 && code <= 0xE007F);
}

bool is_control(std::uint32_t code) { return code < 0x20 || code == 0x7F; }

bool is_layout(std::uint32_t code) { return code == '\n' || code == '\t'; }

void append_utf8(std::string& out, std::uint32_t code) {
  out += static_cast<char>(0xE0U | (code >> 12U));
  out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
  out += static_cast<char>(0x80U | (code & 0x3FU));
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte_at(text, at) & 0xC0U) != 0x80U) return 0;
  }
  const std::uint32_t code = decode(text.substr(0, length));
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

std::string visible(std::string_view raw, std::size_t limit_bytes, Lines lines) {
  std::string out;
  std::size_t at = 0;
  while (at < raw.size()) {
    const std::string_view rest = raw.substr(at);
    const std::size_t length = utf8_length(rest);
    if (at + (length == 0 ? 1 : length) > limit_bytes) break;
    if (length == 0) {
      out += fmt::format("⟨{:02X}⟩", byte_at(rest, 0));
      ++at;
      continue;
    }
    const std::uint32_t code = decode(rest.substr(0, length));
    if (is_layout(code) && lines == Lines::many) {
      out += rest.front();
    } else if (is_control(code)) {
      append_utf8(out, code == 0x7F ? 0x2421 : 0x2400 + code);
    } else if (is_deceptive(code)) {
      out += fmt::format("⟨U+{:04X}⟩", code);
    } else {
      out.append(rest.substr(0, length));
    }
    at += length;
  }
  if (at < raw.size()) out += fmt::format(" … ({} bytes more)", raw.size() - at);
  return out;
}

bool is_plain(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return false;
    const std::uint32_t code = decode(text.substr(at, length));
    if ((is_control(code) && !is_layout(code)) || is_deceptive(code)) return false;
    at += length;
  }
  return true;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char character : text) {
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += character;
    }
  }
  return out;
}

}  // namespace assay::reports
