#include "base/utf8.h"

namespace assay {
namespace {

struct LeadByte {
  std::size_t length;
  char32_t bits;
  char32_t smallest;
};

std::optional<LeadByte> read_lead(unsigned char byte) {
  if (byte < 0x80) return LeadByte{1, byte, 0};
  if (byte >= 0xC2 && byte < 0xE0) return LeadByte{2, byte & 0x1FU, 0x80};
  if (byte >= 0xE0 && byte < 0xF0) return LeadByte{3, byte & 0x0FU, 0x800};
  if (byte >= 0xF0 && byte < 0xF5) return LeadByte{4, byte & 0x07U, 0x10000};
  return std::nullopt;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::optional<CodePoint> code_point_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return std::nullopt;
  const std::optional<LeadByte> lead = read_lead(static_cast<unsigned char>(text[offset]));
  if (!lead || offset + lead->length > text.size()) return std::nullopt;
  char32_t value = lead->bits;
  for (std::size_t i = 1; i < lead->length; ++i) {
    if (!continues(text[offset + i])) return std::nullopt;
    value = (value << 6U) | (static_cast<unsigned char>(text[offset + i]) & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < lead->smallest || value > 0x10FFFF || surrogate) return std::nullopt;
  return CodePoint{value, lead->length};
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::optional<CodePoint> point = code_point_at(text, offset);
    if (!point) return offset;
    offset += point->length;
  }
  return std::nullopt;
}

bool is_utf8(std::string_view text) { return !first_invalid_utf8(text); }

void append_code_point(char32_t value, std::string& text) {
  const auto append = [&text](char32_t byte) { text += static_cast<char>(byte); };
  if (value < 0x80) {
    append(value);
  } else if (value < 0x800) {
    append(0xC0U | (value >> 6U));
    append(0x80U | (value & 0x3FU));
  } else if (value < 0x10000) {
    append(0xE0U | (value >> 12U));
    append(0x80U | ((value >> 6U) & 0x3FU));
    append(0x80U | (value & 0x3FU));
  } else {
    append(0xF0U | (value >> 18U));
    append(0x80U | ((value >> 12U) & 0x3FU));
    append(0x80U | ((value >> 6U) & 0x3FU));
    append(0x80U | (value & 0x3FU));
  }
}

std::string_view cut_at_character(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && continues(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace assay
