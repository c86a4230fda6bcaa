#include "cli/record_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <variant>

#include "cli/report_files.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/wire/record.h"

namespace assay::cli {

RecordFile::RecordFile(const std::string& path, const core::RecordHeader& header) : path_(path) {
  if (path_.empty()) return;
  file_.open(path_, std::ios::binary);
  append(wire::record_line(header));
}

void RecordFile::add(const core::CaseResult& result) {
  if (!path_.empty()) append(wire::record_line(result));
}

void RecordFile::append(const std::string& line) {
  file_ << line << std::flush;
  if (!file_) throw UsageError(fmt::format("{}: {}", path_, std::strerror(errno)));
}

void RecordFile::finish(const core::RunRecord& record) {
  if (path_.empty()) return;
  file_.close();
  write_file(path_, record_text(record));
}

std::string record_text(const core::RunRecord& record) {
  std::string text = wire::record_line(record.header);
  for (const core::CaseResult& result : record.cases) text += wire::record_line(result);
  if (record.footer) text += wire::record_line(*record.footer);
  return text;
}

core::RunRecord load_record(const std::string& path) {
  auto read = wire::read_record(read_file(path), path);
  if (const auto* faults = std::get_if<std::vector<core::Diagnostic>>(&read)) {
    throw UsageError(*faults);
  }
  return std::get<core::RunRecord>(std::move(read));
}

}  // namespace assay::cli
