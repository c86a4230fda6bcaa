#include "cli/report_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/specification.h"
#include "cli/usage_error.h"

namespace assay::cli {

const reports::Format& report_format(const std::string& name) {
  if (const reports::Format* format = reports::find_format(name)) return *format;
  std::vector<std::string> known;
  for (const reports::Format& format : reports::formats()) known.emplace_back(format.name);
  throw UsageError(unknown_name_text("report format", name, known));
}

std::vector<ReportRequest> read_report_requests(const std::vector<std::string>& words) {
  std::vector<ReportRequest> requests;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals + 1 == word.size()) {
      throw UsageError(
          fmt::format("--report {}: expected FORMAT=FILE, as in html=report.html", word));
    }
    ReportRequest request{&report_format(word.substr(0, equals)), word.substr(equals + 1)};
    const auto has_its_file = [&request](const auto& each) { return each.file == request.file; };
    if (std::any_of(requests.begin(), requests.end(), has_its_file)) {
      throw UsageError(fmt::format(
          "--report {}: another report goes to {} already", word,
          request.file == standard_output ? std::string("standard output") : request.file));
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

namespace {

/// Why the file could not be written; empty where it was.
std::string try_to_write(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return "";
  const std::string why = errno == 0 ? "cannot be written" : std::strerror(errno);
  // Half a file would be taken for a whole one; a device is somebody else's.
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  return fmt::format("{}: {}", path, why);
}

}  // namespace

reports::Limits limits_for(const std::vector<ReportRequest>& requests) {
  reports::Limits limits;
  limits.steps_of_passes =
      std::any_of(requests.begin(), requests.end(),
                  [](const ReportRequest& each) { return each.format->shows_passes; });
  return limits;
}

bool take_standard_output(const std::vector<ReportRequest>& requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [](const ReportRequest& each) { return each.file == standard_output; });
}

void write_reports(const std::vector<ReportRequest>& requests, const reports::Report& report,
                   std::ostream& out) {
  std::vector<std::string> troubles;
  for (const ReportRequest& request : requests) {
    const std::string text =
        request.format->render(report, {.page = reports::is_page(request.file)});
    if (request.file == standard_output) {
      out << text;
      continue;
    }
    const std::string trouble = try_to_write(request.file, text);
    if (!trouble.empty()) troubles.push_back(trouble);
  }
  if (!troubles.empty()) throw std::runtime_error(fmt::format("{}", fmt::join(troubles, "; ")));
}

void write_file(const std::string& path, const std::string& text) {
  const std::string trouble = try_to_write(path, text);
  if (!trouble.empty()) throw std::runtime_error(trouble);
}

void write_output(const std::string& path, const std::string& text, std::ostream& out) {
  if (path.empty() || path == "-") {
    out << text;
  } else {
    write_file(path, text);
  }
}

}  // namespace assay::cli
