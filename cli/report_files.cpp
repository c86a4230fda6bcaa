#include "cli/report_files.h"

#include <fmt/format.h>

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

reports::Limits limits_for(const std::vector<ReportRequest>& requests) {
  reports::Limits limits;
  limits.steps_of_passes =
      std::any_of(requests.begin(), requests.end(),
                  [](const ReportRequest& each) { return each.format->shows_passes; });
  return limits;
}

void write_reports(const std::vector<ReportRequest>& requests, const reports::Report& report) {
  for (const ReportRequest& request : requests) {
    write_file(request.file,
               request.format->render(report, {.page = reports::is_page(request.file)}));
  }
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
}

}  // namespace assay::cli
