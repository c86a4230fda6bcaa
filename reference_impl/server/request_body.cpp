#include "reference_impl/server/request_body.h"

#include <charconv>
#include <string_view>

#include "reference_impl/service/words.h"

namespace assay::server {
namespace {

constexpr std::size_t max_chunk_line = 1'024;
constexpr std::size_t max_trailer_lines = 64;

template <typename Number>
bool read_number(std::string_view text, int base, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

BodyFault read_chunks(Connection& connection, std::size_t max_bytes, std::string& body) {
  std::string line;
  while (true) {
    if (!connection.read_line(max_chunk_line, line)) return BodyFault::cut_short;
    std::string_view digits = std::string_view(line).substr(0, line.find(';'));
    while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
    std::size_t size = 0;
    if (!read_number(digits, 16, size)) return BodyFault::malformed;
    if (size == 0) break;
    if (size > max_bytes - body.size()) return BodyFault::too_long;
    if (!connection.read_exactly(size, body)) return BodyFault::cut_short;
    if (!connection.read_line(max_chunk_line, line)) return BodyFault::cut_short;
    if (!line.empty()) return BodyFault::malformed;
  }
  for (std::size_t lines = 0; lines < max_trailer_lines; ++lines) {
    if (!connection.read_line(max_chunk_line, line)) return BodyFault::cut_short;
    if (line.empty()) return BodyFault::none;
  }
  return BodyFault::malformed;
}

}  // namespace

std::optional<Framing> read_framing(const service::Request& head) {
  Framing framing;
  for (const service::Header& header : head.headers) {
    const std::string name = service::lower_case(header.name);
    if (name == "content-length") {
      std::size_t length = 0;
      if (!read_number(header.value, 10, length)) return std::nullopt;
      if (framing.length && *framing.length != length) return std::nullopt;
      framing.length = length;
    } else if (name == "transfer-encoding") {
      if (framing.is_chunked || service::lower_case(header.value) != "chunked") return std::nullopt;
      framing.is_chunked = true;
    }
  }
  if (framing.is_chunked && framing.length) return std::nullopt;
  return framing;
}

BodyFault read_body(Connection& connection, const Framing& framing, std::size_t max_bytes,
                    std::string& body) {
  if (framing.is_chunked) return read_chunks(connection, max_bytes, body);
  const std::size_t length = framing.length.value_or(0);
  if (length > max_bytes) return BodyFault::too_long;
  return connection.read_exactly(length, body) ? BodyFault::none : BodyFault::cut_short;
}

}  // namespace assay::server
