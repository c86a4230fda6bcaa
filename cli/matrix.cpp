#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/verbs.h"
#include "reports/matrix_report.h"

namespace assay::cli {
namespace {

struct MatrixOptions {
  std::vector<std::string> records;
  std::string format = "text";
  std::string output;
};

core::ExitCode matrix(const MatrixOptions& options, Terminal& terminal) {
  std::vector<reports::Report> made;
  std::vector<core::RecordHeader> headers;
  for (const std::string& path : options.records) {
    const core::RunRecord record = load_verdicts(path);
    headers.push_back(record.header);
    made.push_back(reports::make_report(record, clause_table()));
  }
  const std::vector<std::string> names = reports::column_names(headers);
  std::vector<reports::MatrixColumn> columns;
  for (std::size_t index = 0; index < made.size(); ++index) {
    columns.push_back({names[index], std::move(made[index])});
  }
  const std::string text = options.format == "html"       ? reports::matrix_html(columns)
                           : options.format == "markdown" ? reports::matrix_markdown(columns)
                                                          : reports::matrix_text(columns);
  write_output(options.output, text, terminal.out);
  return core::ExitCode::conforms;
}

}  // namespace

void add_matrix(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "matrix", "Show targets or versions side by side, clause by clause");
  const auto options = std::make_shared<MatrixOptions>();
  verb->add_option("records", options->records, "Records that `assay run --record` wrote")
      ->required();
  verb->add_option("-f,--format", options->format, "text, markdown or html")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "markdown", "html"}));
  verb->add_option("-o,--output", options->output, "The file to write; else standard output");
  verb->footer("Example:\n  assay matrix v1.ndjson v2.ndjson --format html -o matrix.html");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return matrix(*options, terminal); };
  });
}

}  // namespace assay::cli
