#pragma once

#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/text_digest.h"
#include "harness/core/record.h"

namespace assay::cli {

/// A run record on disk. Cases go to it as they end, so that a run that dies leaves a record that
/// was cut short. An empty path: nothing is written.
class RecordFile {
 public:
  /// Begins the file. What cannot be written is told by `trouble`: what is judged is not lost by
  /// it.
  RecordFile(const std::string& path, const core::RecordHeader& header);

  /// May be called by several threads at once.
  void add(const core::CaseResult& result);
  /// Writes the whole record anew beside the file, in its own order (the same run gives the same
  /// file), and puts it in the file's place: whatever happens meanwhile, what was judged stands in
  /// one of the two. What is no file, such as a pipe, only gets the end of what it has. Returns the
  /// digest of the text, as digest_of gives it; empty where it could not be written.
  [[nodiscard]] std::string finish(const core::RunRecord& record);

  /// Why the record could not be written; empty where it was.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  void append(const std::string& line);
  [[nodiscard]] std::string end_stream(const core::RunRecord& record);

  std::string path_;
  std::mutex writing_;
  std::ofstream file_;
  TextDigest written_;
  std::string trouble_;
};

/// The record as NDJSON, its footer with the digest of it all.
[[nodiscard]] std::string record_text(const core::RunRecord& record);

/// Whether a record's text is still the one that had this digest.
[[nodiscard]] bool has_own_digest(std::string_view text, const std::string& digest);

/// Reads a record; throws UsageError with all that is wrong in it: also where a case says another
/// verdict than its checks come to, and where a case is there twice. `digest`, where it is one,
/// becomes that of the text.
[[nodiscard]] core::RunRecord load_record(const std::string& path, std::string* digest = nullptr);

}  // namespace assay::cli
