#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/scenario.h"

namespace assay::run {

/// One part of a run that is spread over several machines.
struct Shard {
  /// From 1 to count.
  std::size_t number = 1;
  std::size_t count = 1;
};

/// "2/3"; nothing where that is no shard.
[[nodiscard]] std::optional<Shard> shard_from_text(std::string_view text);
[[nodiscard]] std::string shard_text(const Shard& shard);

/// The cases of a shard, in their order. Each case is in one shard, whatever other cases there are:
/// a hash of its id decides. With the durations that cases had (in milliseconds, by id) the shards
/// take about equally long: the longest go first, each to the shard with the least to do; those
/// without a duration go by their hash. All shards must be given the same durations.
[[nodiscard]] std::vector<core::Case> cases_of_shard(
    std::vector<core::Case> cases, const Shard& shard,
    const std::map<std::string, double>& durations_ms = {});

}  // namespace assay::run
