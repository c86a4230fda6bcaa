#include "reference_impl/liberties/json_forms.h"

#include <cstdint>
#include <cstdio>
#include <string>

namespace assay::liberties {
namespace {

bool is_json(const service::Reply& reply) {
  return reply.content_type.find("json") != std::string::npos;
}

void append_unit(std::string& text, std::uint32_t unit) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(unit));
  text += escape;
}

void append_escaped(std::string& text, std::uint32_t character) {
  if (character < 0x10000) {
    append_unit(text, character);
    return;
  }
  const std::uint32_t above = character - 0x10000;
  append_unit(text, 0xD800 + (above >> 10U));
  append_unit(text, 0xDC00 + (above & 0x3FFU));
}

/// The character that begins at `index` in well-formed UTF-8; moves `index` to its last byte.
std::uint32_t character_at(const std::string& text, std::size_t& index) {
  const auto first = static_cast<unsigned char>(text[index]);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  std::uint32_t character = first & (0x3FU >> static_cast<unsigned>(more));
  for (int byte = 0; byte < more && index + 1 < text.size(); ++byte) {
    character = (character << 6U) | (static_cast<unsigned char>(text[++index]) & 0x3FU);
  }
  return character;
}

}  // namespace

void escape_json(service::Reply& reply) {
  if (!is_json(reply)) return;
  std::string escaped;
  escaped.reserve(reply.body.size());
  // A slash or a byte beyond ASCII stands in texts only.
  for (std::size_t index = 0; index < reply.body.size(); ++index) {
    const char byte = reply.body[index];
    if (byte == '/') {
      escaped += "\\/";
    } else if (static_cast<unsigned char>(byte) < 0x80) {
      escaped += byte;
    } else {
      append_escaped(escaped, character_at(reply.body, index));
    }
  }
  reply.body = std::move(escaped);
}

void space_json(service::Reply& reply) {
  if (!is_json(reply)) return;
  std::string spaced = "\n";
  bool in_text = false;
  for (std::size_t index = 0; index < reply.body.size(); ++index) {
    const char byte = reply.body[index];
    spaced += byte;
    if (in_text && byte == '\\') {
      spaced += reply.body[++index];
    } else if (byte == '"') {
      in_text = !in_text;
    } else if (!in_text && (byte == ',' || byte == ':')) {
      spaced += byte == ',' ? "\r\n\t" : "  ";
    }
  }
  reply.body = spaced + "\n";
}

void name_charset(service::Reply& reply) {
  if (is_json(reply)) reply.content_type += ";charset=UTF-8";
}

void add_headers(service::Reply& reply) {
  reply.headers.push_back({"Server", "another/1.0"});
  reply.headers.push_back({"Cache-Control", "no-store"});
  reply.headers.push_back({"Vary", "Accept"});
}

}  // namespace assay::liberties
