#include "cli/record_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>
#include <variant>

#include "cli/report_files.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/check/judge.h"
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
  if (!trouble_.empty()) return;
  errno = 0;
  file_ << line << std::flush;
  if (file_) return;
  trouble_ = fmt::format("{}: {}", path_, errno == 0 ? "cannot be written" : std::strerror(errno));
}

std::string RecordFile::finish(const core::RunRecord& record) {
  if (path_.empty() || !trouble_.empty()) return "";
  file_.close();
  const std::string text = record_text(record);
  try {
    write_file(path_, text);
  } catch (const std::runtime_error& error) {
    trouble_ = error.what();
    return "";
  }
  return digest_of(text);
}

std::string record_text(const core::RunRecord& record) {
  std::string text = wire::record_line(record.header);
  for (const core::CaseResult& result : record.cases) text += wire::record_line(result);
  if (!record.footer) return text;
  core::RecordFooter footer = *record.footer;
  footer.digest.clear();
  footer.digest = digest_of(text + wire::record_line(footer));
  return text + wire::record_line(footer);
}

bool has_own_digest(std::string_view text, const std::string& digest) {
  const std::size_t at = text.rfind(digest);
  return at != std::string_view::npos &&
         digest_of(std::string(text.substr(0, at)).append(text.substr(at + digest.size()))) ==
             digest;
}

namespace {

/// The verdict of a case, and of a retry, is that of its checks; only that it does not apply can be
/// said besides, where none of them failed.
std::string disagreement(const std::string& name, core::Verdict said,
                         const std::vector<core::Check>& checks) {
  const core::Verdict derived = check::case_verdict(checks);
  if (said == derived) return "";
  const bool applies = said != core::Verdict::not_applicable;
  if (!applies && (derived != core::Verdict::fail || checks.empty())) return "";
  return fmt::format("{} is said to be {}, and its checks come to {}", name,
                     core::verdict_word(said), core::verdict_word(derived));
}

std::string disagreement(const core::CaseResult& result) {
  std::string found = disagreement(result.id, result.verdict, result.checks);
  for (const core::Retry& retry : result.retries) {
    if (!found.empty()) break;
    found = disagreement("a retry of " + result.id, retry.verdict, retry.checks);
  }
  return found;
}

std::vector<core::Diagnostic> contradictions(const core::RunRecord& record,
                                             const std::string& path) {
  std::vector<core::Diagnostic> faults;
  std::map<std::string, int> lines;
  // The header is the first line.
  int line = 1;
  for (const core::CaseResult& result : record.cases) {
    ++line;
    const std::string text = disagreement(result);
    if (!text.empty()) faults.push_back({{path, line, 1}, text});
    const auto [first, is_new] = lines.try_emplace(result.id, line);
    if (!is_new) {
      faults.push_back(
          {{path, line, 1},
           fmt::format("{} is there twice, in line {} too", result.id, first->second)});
    }
  }
  return faults;
}

}  // namespace

core::RunRecord load_record(const std::string& path) {
  auto read = wire::read_record(read_file(path, most_record_bytes), path);
  if (const auto* faults = std::get_if<std::vector<core::Diagnostic>>(&read)) {
    throw UsageError(*faults);
  }
  auto& record = std::get<core::RunRecord>(read);
  const std::vector<core::Diagnostic> faults = contradictions(record, path);
  if (!faults.empty()) throw UsageError(faults);
  return std::move(record);
}

}  // namespace assay::cli
