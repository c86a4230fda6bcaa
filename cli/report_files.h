#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render.h"

namespace assay::cli {

/// The file that is standard output.
inline constexpr std::string_view standard_output = "-";

/// A report that is asked for: "html=out/report.html".
struct ReportRequest {
  const reports::Format* format = nullptr;
  std::string file;
};

/// The format of that name; throws UsageError with the nearest.
[[nodiscard]] const reports::Format& report_format(const std::string& name);

/// Reads FORMAT=FILE; throws UsageError, also where two go to one file.
[[nodiscard]] std::vector<ReportRequest> read_report_requests(
    const std::vector<std::string>& words);

/// What the report must keep of a record for all of these.
[[nodiscard]] reports::Limits limits_for(const std::vector<ReportRequest>& requests);

/// Whether one of them goes to standard output, where then nothing else may stand.
[[nodiscard]] bool take_standard_output(const std::vector<ReportRequest>& requests);

/// Writes each report to its file, or to `out` for standard output. Throws std::runtime_error once
/// all were tried where one cannot be written: the output is lost, which is nobody's mistake in the
/// command line.
void write_reports(const std::vector<ReportRequest>& requests, const reports::Report& report,
                   std::ostream& out);

/// Replaces a file's content; throws std::runtime_error.
void write_file(const std::string& path, const std::string& text);

/// The same, or to `out` where the path is empty or "-".
void write_output(const std::string& path, const std::string& text, std::ostream& out);

}  // namespace assay::cli
