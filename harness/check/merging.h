#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "harness/core/record.h"

namespace assay::check {

/// A record, and the name that messages call it by.
struct NamedRecord {
  std::string name;
  core::RunRecord record;
};

/// One run out of its shards, or all reasons why they are none. Each names its record: cut short,
/// no shard, of another suite, profile, seed, target, version or selection, a shard or a case that
/// comes twice; then what is missing.
using Merged = Result<core::RunRecord, std::vector<std::string>>;

/// What tells the names that a run made: one id, or in a record that was merged those of all
/// shards; of records from before there was one, the seed in hexadecimal.
[[nodiscard]] std::vector<std::string> run_ids_of(const core::RecordHeader& header);

/// Joins the records of all shards of one run. Its cases are in the order of `ids` (all cases of
/// the suite), what those do not name behind them; what a baseline said of the shards is forgotten:
/// hold the whole against it.
[[nodiscard]] Merged merge_shards(std::span<const NamedRecord> shards,
                                  std::span<const std::string> ids);

/// What the header of a shard's record says among its selection: "shard=2/3", and "cases=1394", how
/// many all shards have together.
inline constexpr const char* shard_word = "shard=";
inline constexpr const char* cases_word = "cases=";

}  // namespace assay::check
