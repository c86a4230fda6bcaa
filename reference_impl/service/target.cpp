#include "reference_impl/service/target.h"

#include <algorithm>
#include <cstdint>

#include "base/encoding.h"
#include "base/utf8.h"
#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

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

}  // namespace

std::optional<std::string> decoded_text(std::string_view text) {
  std::optional<std::string> decoded = percent_decoded(text);
  if (decoded && !is_utf8(*decoded)) return std::nullopt;
  return decoded;
}

Query::Query(std::string_view raw) {
  for (const std::string_view part : split(raw, '&')) {
    const std::size_t equals = part.find('=');
    const auto value =
        equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1);
    if (auto name = decoded_text(part.substr(0, equals))) {
      parameters_.emplace_back(std::move(*name), std::string(value));
    }
  }
}

std::optional<std::string> Query::get(std::string_view name) const {
  for (const auto& [key, raw] : parameters_) {
    if (key != name) continue;
    std::string spaced = raw;
    std::replace(spaced.begin(), spaced.end(), '+', ' ');
    auto value = decoded_text(spaced);
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
    auto segment = decoded_text(part);
    if (!segment) return result;
    segments.push_back(std::move(*segment));
  }
  result.segments = std::move(segments);
  return result;
}

}  // namespace assay::service
