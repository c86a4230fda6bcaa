#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/record.h"
#include "harness/core/secrets.h"
#include "harness/core/source.h"

namespace assay::wire {

/// How much of what a target sent goes into a record.
struct RecordLimits {
  /// More than a case's history keeps of a body.
  std::size_t body_bytes = std::size_t{4} * 1024 * 1024 + 64;
  std::size_t text_bytes = std::size_t{64} * 1024;
};

/// The lines of a run record (NDJSON), each with its line break: one header, a line for each case
/// as it ends, one footer. Secret headers are masked, and so is every echo of their values; what a
/// target sent is made valid UTF-8 and cut at the limits.
[[nodiscard]] std::string record_line(const core::RecordHeader& header);
[[nodiscard]] std::string record_line(const core::CaseResult& result,
                                      const RecordLimits& limits = {});
[[nodiscard]] std::string record_line(const core::RecordFooter& footer);

/// A request as a record of a run with these secrets would have it, whatever its bytes are.
[[nodiscard]] core::HttpRequest as_recorded(const core::HttpRequest& request,
                                            const core::Secrets& of_run = {});

/// A value that came with these exchanges, as a record would have it: their secrets masked.
[[nodiscard]] Value as_recorded(const Value& value, const std::vector<core::Exchange>& exchanges);

/// A case as it was read, and where its line stands in the record's text, in bytes.
struct ReadCase {
  const core::RecordHeader& header;
  core::CaseResult& result;
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
};

/// Gets each case before the next one is read; what it leaves of the result is kept.
using CaseVisitor = std::function<void(const ReadCase&)>;

/// The case of one line of a record. Throws std::runtime_error where it is none.
[[nodiscard]] core::CaseResult read_case_line(std::string_view line);

/// Reads a record back as its text comes, or says what is wrong with which line. A record without a
/// footer was cut short (the footer stays empty), and its last line may be half; members and kinds
/// of line that this version does not know are passed over. Never throws for anything that the text
/// contains.
class RecordReader {
 public:
  explicit RecordReader(std::string file_name, CaseVisitor visit = {});
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  ~RecordReader();

  /// The next piece of the text, wherever it ends.
  void feed(std::string_view piece);
  /// After the last piece, once.
  [[nodiscard]] Result<core::RunRecord, std::vector<core::Diagnostic>> finish();

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
  /// A line whose end has not come.
  std::string begun_;
};

/// The same of a whole text.
[[nodiscard]] Result<core::RunRecord, std::vector<core::Diagnostic>> read_record(
    std::string_view text, const std::string& file_name);

}  // namespace assay::wire
