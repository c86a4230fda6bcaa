#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/record_file.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/comparison.h"
#include "reports/comparison_report.h"

namespace assay::cli {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  std::string format = "text";
};

core::ExitCode diff(const DiffOptions& options, Terminal& terminal) {
  const core::RunRecord before = load_record(options.before);
  const core::RunRecord after = load_record(options.after);
  for (const auto& [path, record] :
       {std::pair(&options.before, &before), std::pair(&options.after, &after)}) {
    if (record->footer) continue;
    throw UsageError(*path + ": the record was cut short; what did not run would look removed");
  }
  const check::Comparison comparison = check::compare(before, after);
  if (options.format == "json") {
    terminal.out << reports::comparison_json(comparison);
  } else if (options.format == "markdown") {
    terminal.out << reports::comparison_markdown(comparison);
  } else {
    terminal.out << reports::comparison_text(comparison);
  }
  return comparison.is_worse() ? core::ExitCode::unexpected_findings : core::ExitCode::conforms;
}

}  // namespace

void add_diff(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("diff", "Say what tells one run record from another");
  const auto options = std::make_shared<DiffOptions>();
  verb->add_option("old", options->before, "The older record")->required();
  verb->add_option("new", options->after, "The newer record")->required();
  verb->add_option("-f,--format", options->format, "text, markdown or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "markdown", "json"}));
  verb->footer(
      "Exits with 1 where the newer record fails under a clause, or in a way, that the older one\n"
      "does not, with 0 otherwise.\n"
      "Example:\n  assay diff main.ndjson branch.ndjson --format markdown");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return diff(*options, terminal); };
  });
}

}  // namespace assay::cli
