#pragma once

#include <set>
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

  /// Lets its entries name rows as they are called now; returns what it should say instead, as
  /// "file:line:column: message". `known_cases` are the ids of the whole suite.
  std::vector<std::string> use_row_names(const std::vector<std::string>& known_cases);

  /// Marks the case where its failure is expected of a target with that profile.
  void excuse(core::CaseResult& result, const std::string& profile) const;

  /// Marks the record's cases, and notes in its header and footer which baseline that was and what
  /// of it has to change. `known_cases` are the ids of the whole suite.
  core::BaselineFindings apply(core::RunRecord& record,
                               const std::vector<std::string>& known_cases) const;

  [[nodiscard]] const core::Baseline& baseline() const { return baseline_; }

 private:
  [[nodiscard]] core::BaselineContext context() const;

  std::string path_;
  std::string today_;
  std::string digest_;
  core::Baseline baseline_;
};

/// The ids of the built-in suite's cases, then those of the record's.
[[nodiscard]] std::vector<std::string> known_ids(const core::RunRecord& record);

/// The cases of the built-in suite that send requests at the same moment.
[[nodiscard]] std::set<std::string> cases_at_one_moment();

/// Today in UTC, "2026-12-31".
[[nodiscard]] std::string today();

/// The day that many days after `day`.
[[nodiscard]] std::string days_after(const std::string& day, int days);

}  // namespace assay::cli
