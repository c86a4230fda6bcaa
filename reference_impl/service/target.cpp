#include "reference_impl/service/target.h"

#include <algorithm>
#include <cstdint>

#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

int hex_digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return -1;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// RFC 9112 3.2.2: a server takes the absolute form too; its authority is not this server's matter.
std::string_view path_of_absolute_form(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

/// The length of the well-formed UTF-8 sequence at the start of `text`, or 0 (Unicode, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t at) {
    return at < text.size() ? static_cast<std::uint8_t>(text[at]) : std::uint8_t{0};
  };
  const auto continues = [&byte](std::size_t at) { return (byte(at) & 0xc0U) == 0x80U; };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return continues(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    return !overlong && !surrogate && continues(1) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool overlong = lead == 0xf0 && byte(1) < 0x90;
    const bool beyond = lead == 0xf4 && byte(1) > 0x8f;
    return !overlong && !beyond && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[at + 1]);
    const int low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    at += 2;
  }
  if (!is_utf8(decoded)) return std::nullopt;
  return decoded;
}

Query::Query(std::string_view raw) {
  for (const std::string_view part : split(raw, '&')) {
    const std::size_t equals = part.find('=');
    const auto value =
        equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1);
    if (auto name = percent_decode(part.substr(0, equals))) {
      parameters_.emplace_back(std::move(*name), std::string(value));
    }
  }
}

std::optional<std::string> Query::get(std::string_view name) const {
  for (const auto& [key, raw] : parameters_) {
    if (key != name) continue;
    std::string spaced = raw;
    std::replace(spaced.begin(), spaced.end(), '+', ' ');
    auto value = percent_decode(spaced);
    if (!value) {
      throw invalid("INVALID_PARAMETER",
                    "the query parameter " + key + " is not percent-encoded UTF-8");
    }
    return value;
  }
  return std::nullopt;
}

Target read_target(std::string_view target) {
  target = path_of_absolute_form(target.substr(0, target.find('#')));
  Target result;
  const std::size_t question = target.find('?');
  if (question != std::string_view::npos) result.query = Query(target.substr(question + 1));
  const std::string_view path = target.substr(0, question);
  if (path.empty() || path.front() != '/') return result;
  std::vector<std::string> segments;
  for (const std::string_view part : split(path.substr(1), '/')) {
    auto segment = percent_decode(part);
    if (!segment) return result;
    segments.push_back(std::move(*segment));
  }
  result.segments = std::move(segments);
  return result;
}

}  // namespace assay::service
