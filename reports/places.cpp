#include "reports/places.h"

#include <charconv>
#include <optional>

namespace assay::reports {
namespace {

/// Takes ":number" off the head of `text`.
std::optional<int> take_number(std::string_view& text) {
  if (!text.starts_with(':')) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

Place parsed_place(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    std::string_view tail = text.substr(colon);
    const std::optional<int> line = take_number(tail);
    const std::optional<int> column = line ? take_number(tail) : std::nullopt;
    if (!column || (!tail.empty() && !tail.starts_with(": "))) continue;
    if (!tail.empty()) tail.remove_prefix(2);
    return {std::string(text.substr(0, colon)), *line, *column, std::string(tail)};
  }
  return {"", 0, 0, std::string(text)};
}

Place users_place(std::string_view at) {
  if (at.starts_with("scenarios/") || at.starts_with("properties/")) return {};
  Place place = parsed_place(at);
  place.rest.clear();
  return place;
}

}  // namespace assay::reports
