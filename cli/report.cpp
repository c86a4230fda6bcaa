#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "cli/baseline_file.h"
#include "cli/output_files.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/verbs.h"

namespace assay::cli {
namespace {

struct ReportOptions {
  std::string record;
  std::string format = "text";
  std::string output;
  std::string baseline;
  bool verbose = false;
};

/// Of the checks of a case that passed alike, as most do, leaves the first.
void forget_repeated_passes(core::CaseResult& result) {
  if (result.verdict != core::Verdict::pass) return;
  std::vector<core::Check> kept;
  std::map<std::vector<std::string>, std::size_t> passed;
  for (core::Check& check : result.checks) {
    if (check.verdict == core::Verdict::pass) {
      const auto [like, is_new] = passed.try_emplace(check.clauses, kept.size());
      if (!is_new) {
        core::Check& first = kept[like->second];
        first.looked_ms = std::max(first.looked_ms, check.looked_ms);
        continue;
      }
    }
    kept.push_back(std::move(check));
  }
  kept.shrink_to_fit();
  result.checks = std::move(kept);
}

core::ExitCode render(const ReportOptions& options, Terminal& terminal) {
  const reports::Format& format = report_format(options.format);
  const bool to_terminal = options.output.empty() || options.output == "-";
  OutputFiles outputs({to_terminal ? "" : options.output}, {options.record, options.baseline});
  BaselineFile baseline(options.baseline, today());
  std::string digest;
  reports::ReportMaker maker(limits_for({{&format, options.output}}));
  core::RunRecord record = load_record(options.record, &digest, [&](const wire::ReadCase& each) {
    maker.add(each.header, each.result);
    // The report has the rest.
    forget_repeated_passes(each.result);
    forget_exchanges(each.result);
    std::string().swap(each.result.title);
    std::string().swap(each.result.repro);
  });
  if (!options.baseline.empty()) {
    const std::vector<std::string> ids = known_ids(record);
    for (const std::string& hint : baseline.use_row_names(ids)) {
      terminal.err << "assay: note: " << hint << "\n";
    }
    baseline.apply(record, ids);
  }
  reports::Report report = maker.finish(record, clause_table());
  report.record_digest = digest;
  const bool is_whole = record.footer.has_value();
  // A page takes as much again.
  record = {};
  const std::string text = format.render(report, {.colour = terminal.colour && to_terminal,
                                                  .verbose = options.verbose,
                                                  .page = reports::is_page(options.output)});
  if (to_terminal) {
    terminal.out << text;
  } else {
    outputs.keep();
    write_file(options.output, text);
  }
  if (!is_whole) {
    terminal.err << "assay: " << options.record << " is incomplete: the run was interrupted\n";
  }
  return report.exit_code;
}

}  // namespace

void add_report(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("report", "Render a run record");
  const auto options = std::make_shared<ReportOptions>();
  verb->add_option("record", options->record, "A record that `assay run --record` wrote")
      ->required();
  verb->add_option("-f,--format", options->format, "One of `assay list formats`")
      ->capture_default_str();
  verb->add_option("-o,--output", options->output, "The file to write; else standard output");
  verb->add_option("--baseline", options->baseline,
                   "A file of expected failures to hold the record against, instead of the one\n"
                   "that it was made with");
  verb->add_flag("-v,--verbose", options->verbose,
                 "In text: every cause in full, with curl commands, and every untested clause");
  verb->footer(
      "Exits as the run did; with 4 if the record is incomplete.\n"
      "Examples:\n  assay report record.ndjson\n  assay report record.ndjson --format html -o "
      "report.html");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return render(*options, terminal); };
  });
}

}  // namespace assay::cli
