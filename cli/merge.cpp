#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/baseline_file.h"
#include "cli/generated.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/judge.h"
#include "harness/check/merging.h"
#include "reports/render.h"

namespace assay::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> records;
  std::string output;
  std::string baseline;
  std::string scenarios;
  std::vector<std::string> reports;
};

std::vector<std::string> ids_in_order(const std::string& scenarios) {
  std::vector<std::string> ids = case_ids(load_suite(scenarios));
  if (scenarios.empty()) {
    for (std::string& id : generated_case_ids()) ids.push_back(std::move(id));
  }
  return ids;
}

core::ExitCode merge(const MergeOptions& options, Terminal& terminal) {
  const std::vector<ReportRequest> requests = read_report_requests(options.reports);
  BaselineFile baseline(options.baseline, today());
  std::vector<check::NamedRecord> shards;
  for (const std::string& path : options.records) shards.push_back({path, load_record(path)});
  const std::vector<std::string> ids = ids_in_order(options.scenarios);
  check::Merging merging = check::merge_shards(shards, ids);
  if (!merging.problems.empty()) {
    throw UsageError(fmt::format("{}", fmt::join(merging.problems, "\n")));
  }
  for (const std::string& hint : baseline.use_row_names(ids)) {
    terminal.err << "assay: note: " << hint << "\n";
  }
  baseline.apply(merging.record, ids);
  const std::string record = record_text(merging.record);
  write_file(options.output, record);
  reports::Report report =
      reports::make_report(merging.record, clause_table(), limits_for(requests));
  report.record_digest = digest_of(record);
  write_reports(requests, report, terminal.out);
  if (take_standard_output(requests)) return report.exit_code;
  terminal.out << fmt::format("{}: {} cases of {} shards\n{}  {}\n", options.output,
                              merging.record.cases.size(), shards.size(), report.headline,
                              report.explanation);
  return report.exit_code;
}

}  // namespace

void add_merge(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("merge", "Join the records of a run's shards");
  const auto options = std::make_shared<MergeOptions>();
  verb->add_option("records", options->records, "What each `assay run --shard I/N --record` wrote")
      ->required();
  verb->add_option("-o,--output", options->output, "The record to write")->required();
  verb->add_option("--baseline", options->baseline, "A file of expected failures");
  verb->add_option("--scenarios", options->scenarios,
                   "The scenarios that were run, if not the built-in ones");
  verb->add_option("--report", options->reports,
                   "FORMAT=FILE, one of `assay list formats` (repeatable)")
      ->expected(1)
      ->take_all();
  verb->footer(
      "The exit code is that of the whole run. Shards of another suite, profile, seed or target,\n"
      "cut records, and missing or doubled shards are refused with 2.\n"
      "Example:\n  assay merge shard-*.ndjson -o run.ndjson --baseline known.yaml");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return merge(*options, terminal); };
  });
}

}  // namespace assay::cli
