#include "harness/wire/utf8.h"

#include <algorithm>

namespace assay::wire {
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

}  // namespace

std::optional<CodePoint> code_point_at(std::string_view text, std::size_t offset) {
  const std::optional<LeadByte> lead = read_lead(static_cast<unsigned char>(text[offset]));
  if (!lead || offset + lead->length > text.size()) return std::nullopt;
  char32_t value = lead->bits;
  for (std::size_t i = 1; i < lead->length; ++i) {
    const auto byte = static_cast<unsigned char>(text[offset + i]);
    if ((byte & 0xC0U) != 0x80U) return std::nullopt;
    value = (value << 6U) | (byte & 0x3FU);
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

bool is_invisible(char32_t value) {
  return value < 0x20 || (value >= 0x7F && value <= 0x9F) || (value >= 0x200B && value <= 0x200F) ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2060 && value <= 0x206F) ||
         value == 0xFEFF;
}

LineColumn line_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return {static_cast<int>(lines) + 1, static_cast<int>(before.size() - start) + 1};
}

}  // namespace assay::wire
