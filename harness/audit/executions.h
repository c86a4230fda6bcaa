#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/audit/execution_judge.h"
#include "harness/audit/finding.h"

namespace assay::audit {

/// The executions of a log, or of a part of it, that are being gathered. An execution is judged
/// when its log has come to an end: the source's, or a while after the event that ended it.
class Executions {
 public:
  /// `ended_lines`: behind how many events of all executions an ended one is judged and let go.
  Executions(const AuditScope& scope, std::uint64_t ended_lines)
      : scope_(scope), ended_lines_(ended_lines) {}

  /// The packed event at the front of `packed`; ordinals rise from call to call.
  void add(std::string_view packed);
  /// All that has come is judged.
  void finish();

  [[nodiscard]] AuditResult& result() { return result_; }

 private:
  struct Gathered {
    std::string id;
    std::string packed;
    /// Of the newest event.
    std::uint64_t ordinal = 0;
    bool has_ended = false;
    bool is_queued = false;
  };

  void let_go(std::uint64_t ordinal);

  const AuditScope& scope_;
  std::uint64_t ended_lines_;
  AuditResult result_;
  /// By the ids inside the values.
  std::unordered_map<std::string_view, std::unique_ptr<Gathered>> gathered_;
  /// Those that have ended, by an event of theirs: the newest, or one before it.
  std::map<std::uint64_t, Gathered*> ended_;
};

}  // namespace assay::audit
