#pragma once

#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "cli/text_digest.h"
#include "harness/core/record.h"
#include "harness/wire/record.h"

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

/// Gives a case of a record as it is to be written, with what was asked and answered.
using WholeCase = std::function<core::CaseResult(const core::CaseResult&)>;

/// Writes a record as NDJSON into a file, once it is whole in the place of what was there, and
/// returns the digest of its text. No more than one case of `whole` is in memory. Throws
/// std::runtime_error where the file cannot be written.
[[nodiscard]] std::string write_record(const std::string& path, const core::RunRecord& record,
                                       const WholeCase& whole);

/// Whether a record's text, which comes in pieces, is still the one that had this digest.
class OwnDigest {
 public:
  explicit OwnDigest(std::string said) : said_(std::move(said)) {}

  void add(std::string_view piece);
  /// After the last piece.
  [[nodiscard]] bool is_right();

 private:
  void add_line(std::string_view line);

  std::string said_;
  /// A line whose end has not come.
  std::string begun_;
  TextDigest whole_;
  /// Of all but the last place where the text has the digest.
  TextDigest rest_;
  bool has_place_ = false;
};

/// Reads a record; throws UsageError with all that is wrong in it: also where a case says another
/// verdict than its checks come to, and where a case is there twice. `digest`, where it is one,
/// becomes that of the text.
[[nodiscard]] core::RunRecord load_record(const std::string& path, std::string* digest = nullptr,
                                          const wire::CaseVisitor& visit = {});

/// Leaves of a case what was judged, without what was asked and answered and where: of a record as
/// large as the disk, that fits into memory. Whether anything was sent at all can still be told.
void forget_exchanges(core::CaseResult& result);

/// Whether a record is a file, and not a pipe, of which there is one reading.
[[nodiscard]] bool can_be_read_again(const std::string& path);

/// Reads a record and forgets the exchanges of each case.
[[nodiscard]] core::RunRecord load_verdicts(const std::string& path);

}  // namespace assay::cli
