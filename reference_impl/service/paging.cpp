#include "reference_impl/service/paging.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

constexpr std::size_t max_limit = 1000;

/// Reads decimal digits and nothing else.
std::optional<std::uint64_t> read_digits(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Binds a position to its list. It keeps mistakes out; it is no secret.
std::uint64_t checksum(std::string_view scope, std::string_view position) {
  Digest digest;
  digest.add(scope);
  digest.add("\n");
  digest.add(position);
  return digest.value();
}

}  // namespace

std::string make_cursor(std::string_view scope, std::uint64_t position) {
  const std::string digits = std::to_string(position);
  std::string cursor(16, '0');
  const std::uint64_t check = checksum(scope, digits);
  for (std::size_t nibble = 0; nibble < 16; ++nibble) {
    cursor[nibble] = "0123456789abcdef"[(check >> (60U - 4U * nibble)) & 0xfU];
  }
  return cursor + "-" + digits;
}

Page read_page(const Query& query, std::string_view scope) {
  Page page;
  if (const auto given = query.get("limit")) {
    const auto limit = read_digits(*given, 10);
    if (!limit || *limit < 1 || *limit > max_limit) {
      throw invalid("INVALID_LIMIT", "limit is a whole number from 1 to 1000");
    }
    page.limit = static_cast<std::size_t>(*limit);
  }
  if (const auto given = query.get("after")) {
    const auto position = read_digits(given->substr(given->find('-') + 1), 10);
    if (!position || make_cursor(scope, *position) != *given) {
      throw invalid("INVALID_CURSOR", "after is not a cursor of this list");
    }
    page.after = *position;
  }
  return page;
}

void PageBuilder::offer(std::uint64_t position, Value item) {
  if (items_.size() == page_.limit) {
    has_more_ = true;
    return;
  }
  items_.push_back(std::move(item));
  last_position_ = position;
}

Value PageBuilder::finish(std::string_view name) && {
  Object page;
  page[std::string(name)] = std::move(items_);
  page["next"] = has_more_ ? Value(make_cursor(scope_, last_position_)) : Value(nullptr);
  return page;
}

}  // namespace assay::service
