#pragma once

#include <string>
#include <vector>

#include "harness/core/baseline.h"
#include "harness/core/record.h"

namespace assay::cli {

/// Expected failures as a file says them, held against a run on one day.
class BaselineFile {
 public:
  /// Reads the file; throws UsageError with all that is wrong with it, each at file:line:column. No
  /// file: nothing is expected. `today` is "YYYY-MM-DD".
  BaselineFile(std::string path, std::string today);

  /// Marks the case where its failure is expected.
  void excuse(core::CaseResult& result) const;

  /// Marks the record's cases, and notes in its header and footer which baseline that was and what
  /// of it no longer fits. `known_cases` are the ids of the whole suite.
  void apply(core::RunRecord& record, const std::vector<std::string>& known_cases) const;

 private:
  std::string path_;
  std::string today_;
  std::string digest_;
  core::Baseline baseline_;
};

/// Today in UTC, "2026-12-31".
[[nodiscard]] std::string today();

}  // namespace assay::cli
