#include "reference_impl/liberties/json_forms.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/encoding.h"
#include "base/utf8.h"
#include "reference_impl/service/words.h"

namespace assay::liberties {
namespace {

bool is_json(const service::Reply& reply) {
  return reply.content_type.find("json") != std::string::npos;
}

void append_unit(std::string& text, std::uint32_t unit) {
  text.append("\\u").append(hexadecimal(unit, 4));
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
    } else if (const auto character = code_point_at(reply.body, index)) {
      append_escaped(escaped, static_cast<std::uint32_t>(character->value));
      index += character->length - 1;
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

void lower_headers(service::Reply& reply) {
  for (service::Header& header : reply.headers) {
    // The HTTP shell looks for this one and writes it itself.
    if (header.name != "Connection") header.name = service::lower_case(header.name);
  }
  if (reply.content_type.empty()) return;
  reply.headers.push_back({"content-type", std::exchange(reply.content_type, "")});
}

void add_headers(service::Reply& reply) {
  reply.headers.push_back({"Server", "another/1.0"});
  reply.headers.push_back({"Cache-Control", "no-store"});
  reply.headers.push_back({"Vary", "Accept"});
}

}  // namespace assay::liberties
