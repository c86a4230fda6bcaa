#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/audit/execution_judge.h"
#include "harness/audit/finding.h"
#include "harness/audit/spill_file.h"

namespace assay::audit {

/// How executions are gathered.
struct GatheringOptions {
  /// Behind how many events of all executions one that has ended is judged and let go: what comes
  /// of it later is taken for an execution of its own.
  std::uint64_t ended_lines = 100'000;
  /// Ordinals rise from event to event. Where they do not, all executions are kept to the end.
  bool is_in_order = true;
  /// What may be kept in memory before executions are put on disk, and where.
  std::size_t memory_bytes = std::size_t{1} << 30U;
  std::filesystem::path spill_folder;
  /// Keeps what `take_news` gives.
  bool keeps_news = false;
};

/// The executions of a log, or of a part of it, that are being gathered. An execution is judged
/// when its log has come to an end: the source's, or a while after the event that ended it.
class Executions {
 public:
  Executions(const AuditScope& scope, const GatheringOptions& options)
      : Executions(scope, options, 0) {}

  /// The packed event at the front of `packed`.
  void add(std::string_view packed);
  /// An event that is not packed yet: the same, and copied once.
  void add(const ParsedEvent& parsed, std::uint64_t ordinal, const LogPlace& place);
  /// All that has come is judged.
  void finish();
  /// What is new since the last call, of executions that are still open too. Nothing of it is
  /// counted in the result, which is of whole executions.
  [[nodiscard]] std::map<Cause, Finding> take_news();

  [[nodiscard]] AuditResult& result() { return result_; }

 private:
  struct Gathered {
    std::string id;
    std::string packed;
    /// Of the newest event.
    std::uint64_t ordinal = 0;
    bool has_ended = false;
    bool is_queued = false;
    bool has_changed = false;
    /// What take_news has given of it.
    std::set<Cause> told;
  };

  Executions(const AuditScope& scope, const GatheringOptions& options, std::uint64_t level)
      : scope_(scope),
        options_(options),
        level_(level),
        is_in_order_(options.is_in_order && level == 0) {}

  using ById = std::unordered_map<std::string_view, std::unique_ptr<Gathered>>;

  [[nodiscard]] Gathered& gathered_of(std::string_view execution);
  void note_added(Gathered& gathered, const PackedHead& head, std::size_t bytes_before);
  void let_go(std::uint64_t ordinal);
  void keep_spare(ById::node_type node);
  void judge(Gathered& gathered);
  void judge_into(const Gathered& gathered, AuditResult& result) const;
  void note_news(Gathered& gathered, const AuditResult& result);
  [[nodiscard]] std::size_t bucket_of(std::string_view execution) const;
  void spill();

  const AuditScope& scope_;
  const GatheringOptions& options_;
  /// How often what is gathered here was put on disk before.
  std::uint64_t level_;
  /// What comes back from disk comes execution by execution.
  bool is_in_order_;
  AuditResult result_;
  /// By the ids inside the values.
  ById gathered_;
  /// Judged ones, whose memory is used again.
  std::vector<ById::node_type> spare_;
  /// Those that have ended, by the ordinal at which they are looked at next.
  std::multimap<std::uint64_t, Gathered*> ended_;
  std::map<Cause, Finding> news_;
  std::size_t bytes_ = 0;
  /// Executions of these buckets are on disk, all that comes of them too.
  std::bitset<SpillFile::bucket_count> is_spilled_;
  std::unique_ptr<SpillFile> spilled_;
};

}  // namespace assay::audit
