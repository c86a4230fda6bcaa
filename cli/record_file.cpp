#include "cli/record_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/check/judge.h"
#include "harness/wire/record.h"

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// The last line of a record: it has the digest of the whole text, its own member left empty.
std::string footer_line(core::RecordFooter footer, const TextDigest& before) {
  footer.digest.clear();
  TextDigest whole = before.copy();
  whole.add(wire::record_line(footer));
  footer.digest = whole.value();
  return wire::record_line(footer);
}

/// Writes a record's lines one after the other, in the order of its cases, each as `whole` gives it
/// where that is given; returns the digest of its text. Stops at what cannot be written.
std::string write_lines(std::ostream& out, const core::RunRecord& record,
                        const WholeCase& whole = {}) {
  TextDigest digest;
  const auto write = [&](const std::string& line) {
    out << line;
    digest.add(line);
  };
  write(wire::record_line(record.header));
  for (const core::CaseResult& result : record.cases) {
    if (!out) break;
    write(wire::record_line(whole ? whole(result) : result));
  }
  if (record.footer) write(footer_line(*record.footer, digest));
  return digest.value();
}

std::string reason_of(int error) { return error == 0 ? "cannot be written" : std::strerror(error); }

/// Beside the record, so that a rename can put the one in the place of the other.
fs::path part_beside(const fs::path& path) {
  fs::path part = path;
  part += ".part";
  return part;
}

}  // namespace

RecordFile::RecordFile(const std::string& path, const core::RecordHeader& header) : path_(path) {
  if (path_.empty()) return;
  file_.open(path_, std::ios::binary);
  append(wire::record_line(header));
}

void RecordFile::add(const core::CaseResult& result) {
  if (path_.empty()) return;
  const std::string line = wire::record_line(result);
  const std::scoped_lock lock(writing_);
  append(line);
}

void RecordFile::append(const std::string& line) {
  if (!trouble_.empty()) return;
  errno = 0;
  file_ << line << std::flush;
  written_.add(line);
  if (!file_) trouble_ = fmt::format("{}: {}", path_, reason_of(errno));
}

std::string RecordFile::finish(const core::RunRecord& record) {
  if (path_.empty() || !trouble_.empty()) return "";
  std::error_code error;
  const fs::path path = fs::canonical(path_, error);
  if (error || !fs::is_regular_file(path, error)) return end_stream(record);
  file_.close();
  const fs::path part = part_beside(path);
  errno = 0;
  std::ofstream anew(part, std::ios::binary);
  const bool has_part = anew.is_open();
  // In a folder where nothing may be made, what was written so far has to make way.
  if (!has_part) anew.open(path, std::ios::binary);
  std::string digest = write_lines(anew, record);
  anew.close();
  if (!anew) trouble_ = fmt::format("{}: {}", path_, reason_of(errno));
  if (!has_part) return trouble_.empty() ? digest : "";
  if (trouble_.empty()) {
    fs::permissions(part, fs::status(path, error).permissions(), error);
    fs::rename(part, path, error);
    if (error) trouble_ = fmt::format("{}: {}", path_, error.message());
  }
  if (trouble_.empty()) return digest;
  fs::remove(part, error);
  return "";
}

std::string RecordFile::end_stream(const core::RunRecord& record) {
  if (record.footer) append(footer_line(*record.footer, written_));
  return trouble_.empty() ? written_.value() : "";
}

std::string record_text(const core::RunRecord& record) {
  std::ostringstream text;
  (void)write_lines(text, record);
  return std::move(text).str();
}

std::string write_record(const std::string& path, const core::RunRecord& record,
                         const WholeCase& whole) {
  std::error_code error;
  const bool is_there = fs::exists(path, error);
  const bool is_device = is_there && !fs::is_regular_file(path, error);
  const fs::path target = is_there ? fs::canonical(path, error) : fs::path(path);
  const fs::path written = is_device ? target : part_beside(target);
  errno = 0;
  std::ofstream file(written, std::ios::binary);
  std::string digest = write_lines(file, record, whole);
  file.close();
  std::string trouble = file ? "" : reason_of(errno);
  if (trouble.empty() && !is_device) {
    fs::rename(written, target, error);
    if (error) trouble = error.message();
  }
  if (trouble.empty()) return digest;
  if (!is_device) fs::remove(written, error);
  throw std::runtime_error(fmt::format("{}: {}", path, trouble));
}

void OwnDigest::add(std::string_view piece) {
  for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    begun_.append(piece.substr(0, end + 1));
    add_line(begun_);
    begun_.clear();
    piece.remove_prefix(end + 1);
  }
  begun_.append(piece);
}

void OwnDigest::add_line(std::string_view line) {
  const std::size_t at = line.rfind(said_);
  if (at != std::string_view::npos) {
    rest_ = whole_.copy();
    rest_.add(line.substr(0, at));
    rest_.add(line.substr(at + said_.size()));
    has_place_ = true;
  } else if (has_place_) {
    rest_.add(line);
  }
  whole_.add(line);
}

bool OwnDigest::is_right() {
  add_line(std::exchange(begun_, ""));
  return has_place_ && rest_.value() == said_;
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
                     core::verdict_words[said], core::verdict_words[derived]);
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

core::RunRecord load_record(const std::string& path, std::string* digest,
                            const wire::CaseVisitor& visit) {
  TextDigest text;
  wire::RecordReader reader(path, visit);
  read_pieces(path, most_record_bytes, [&](std::string_view piece) {
    reader.feed(piece);
    if (digest != nullptr) text.add(piece);
  });
  auto read = reader.finish();
  if (!read) throw UsageError(read.error());
  auto& record = *read;
  const std::vector<core::Diagnostic> faults = contradictions(record, path);
  if (!faults.empty()) throw UsageError(faults);
  if (digest != nullptr) *digest = text.value();
  return std::move(record);
}

void forget_exchanges(core::CaseResult& result) {
  const bool was_reached = !check::is_unreachable(result);
  std::vector<core::Exchange> kept;
  if (!was_reached) kept.emplace_back().error = result.exchanges.front().error;
  result.exchanges = std::move(kept);
  // What is only emptied keeps its memory.
  for (core::Retry& retry : result.retries) std::vector<core::Exchange>().swap(retry.exchanges);
  for (core::Check& check : result.checks) {
    std::vector<std::size_t>().swap(check.evidence);
    if (check.verdict == core::Verdict::pass) std::string().swap(check.at);
  }
  result.checks.shrink_to_fit();
}

bool can_be_read_again(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

core::RunRecord load_verdicts(const std::string& path) {
  return load_record(path, nullptr,
                     [](const wire::ReadCase& each) { forget_exchanges(each.result); });
}

}  // namespace assay::cli
