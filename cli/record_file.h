#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "harness/core/record.h"

namespace assay::cli {

/// A run record on disk. Cases go to it as they end, so that a run that dies leaves a record that
/// was cut short. An empty path: nothing is written.
class RecordFile {
 public:
  /// Begins the file. What cannot be written is told by `trouble`: what is judged is not lost by
  /// it.
  RecordFile(const std::string& path, const core::RecordHeader& header);

  void add(const core::CaseResult& result);
  /// Writes the whole record anew, in its own order: the same run gives the same file. Returns its
  /// digest, as digest_of gives it; empty where no file is written.
  [[nodiscard]] std::string finish(const core::RunRecord& record);

  /// Why the record could not be written; empty where it was.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  void append(const std::string& line);

  std::string path_;
  std::ofstream file_;
  std::string trouble_;
};

/// The record as NDJSON, its footer with the digest of it all.
[[nodiscard]] std::string record_text(const core::RunRecord& record);

/// Whether a record's text is still the one that had this digest.
[[nodiscard]] bool has_own_digest(std::string_view text, const std::string& digest);

/// Reads a record; throws UsageError with all that is wrong in it: also where a case says another
/// verdict than its checks come to, and where a case is there twice.
[[nodiscard]] core::RunRecord load_record(const std::string& path);

}  // namespace assay::cli
