#include "harness/run/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/digest.h"

namespace assay::run {
namespace {

constexpr std::size_t limit_shards = 1'000;

std::optional<std::size_t> shard_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::size_t hashed_shard(std::string_view case_id, std::size_t count) {
  const std::uint64_t hash = digest_of(case_id);
  // The low bits of the product know little of the first letters.
  return static_cast<std::size_t>((hash ^ (hash >> 32U)) % count);
}

}  // namespace

std::optional<Shard> shard_from_text(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = shard_number(text.substr(0, slash));
  const auto count = shard_number(text.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > limit_shards) {
    return std::nullopt;
  }
  return Shard{*number, *count};
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.count);
}

std::vector<core::Case> cases_of_shard(std::vector<core::Case> cases, const Shard& shard,
                                       const std::map<std::string, double>& durations_ms) {
  std::map<std::string, std::size_t> placed;
  std::vector<double> load_ms(shard.count, 0);
  std::vector<std::pair<double, std::string>> timed;
  for (const core::Case& one : cases) {
    const auto known = durations_ms.find(one.id);
    if (known == durations_ms.end()) {
      placed[one.id] = hashed_shard(one.id, shard.count);
    } else {
      timed.emplace_back(-known->second, one.id);
    }
  }
  std::sort(timed.begin(), timed.end());
  for (const auto& [negative_ms, id] : timed) {
    const auto least = std::min_element(load_ms.begin(), load_ms.end());
    placed[id] = static_cast<std::size_t>(least - load_ms.begin());
    *least -= negative_ms;
  }
  std::erase_if(cases,
                [&](const core::Case& one) { return placed.at(one.id) != shard.number - 1; });
  return cases;
}

}  // namespace assay::run
