#include "cli/report_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

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
    requests.push_back({&report_format(word.substr(0, equals)), word.substr(equals + 1)});
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
  return fmt::format("{}: {}", path, errno == 0 ? "cannot be written" : std::strerror(errno));
}

}  // namespace

reports::Limits limits_for(const std::vector<ReportRequest>& requests) {
  reports::Limits limits;
  limits.steps_of_passes =
      std::any_of(requests.begin(), requests.end(),
                  [](const ReportRequest& each) { return each.format->shows_passes; });
  return limits;
}

void write_reports(const std::vector<ReportRequest>& requests, const reports::Report& report) {
  std::vector<std::string> troubles;
  for (const ReportRequest& request : requests) {
    const std::string text =
        request.format->render(report, {.page = reports::is_page(request.file)});
    const std::string trouble = try_to_write(request.file, text);
    if (!trouble.empty()) troubles.push_back(trouble);
  }
  if (!troubles.empty()) throw std::runtime_error(fmt::format("{}", fmt::join(troubles, "; ")));
}

void write_file(const std::string& path, const std::string& text) {
  const std::string trouble = try_to_write(path, text);
  if (!trouble.empty()) throw std::runtime_error(trouble);
}

}  // namespace assay::cli
