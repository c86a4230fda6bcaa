#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>

#include "cli/baseline_file.h"
#include "cli/generated.h"
#include "cli/partial_record.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/audit/audit_record.h"
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

/// The shards without what was asked and answered, and where that stands in their files. Of a pipe,
/// which is read once, all is kept.
class Shards {
 public:
  explicit Shards(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      files_.emplace_back(path, std::ios::binary);
      const bool again = can_be_read_again(path);
      named_.push_back({path, load_record(path, nullptr, [&](const wire::ReadCase& each) {
                          if (!again) return;
                          places_[each.result.id] = {files_.size() - 1, each.offset, each.bytes};
                          forget_exchanges(each.result);
                        })});
    }
  }

  [[nodiscard]] const std::vector<check::NamedRecord>& named() const { return named_; }

  /// A case of the merged record with what was asked and answered.
  [[nodiscard]] core::CaseResult whole(const core::CaseResult& merged) {
    const auto place = places_.find(merged.id);
    if (place == places_.end()) return merged;
    std::ifstream& file = files_.at(place->second.file);
    std::string line(place->second.bytes, '\0');
    file.seekg(static_cast<std::streamoff>(place->second.offset));
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    core::CaseResult result = wire::read_case_line(line);
    result.expected_fail = merged.expected_fail;
    result.unexpected_pass = merged.unexpected_pass;
    result.baseline_reasons = merged.baseline_reasons;
    return result;
  }

 private:
  struct Place {
    std::size_t file = 0;
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
  };

  std::vector<std::ifstream> files_;
  std::vector<check::NamedRecord> named_;
  std::map<std::string, Place> places_;
};

core::ExitCode merge(const MergeOptions& options, Terminal& terminal) {
  const std::vector<ReportRequest> requests = read_report_requests(options.reports);
  BaselineFile baseline(options.baseline, today());
  Shards shards(options.records);
  const bool are_partitions = is_partial(shards.named().front().record);
  const std::vector<std::string> ids =
      are_partitions ? audit::audit_case_ids() : ids_in_order(options.scenarios);
  check::Merged merged = are_partitions ? merge_partitions(shards.named(), terminal)
                                        : check::merge_shards(shards.named(), ids);
  if (!merged) throw UsageError(fmt::format("{}", fmt::join(merged.error(), "\n")));
  core::RunRecord& record = *merged;
  for (const std::string& hint : baseline.use_row_names(ids)) {
    terminal.err << "assay: note: " << hint << "\n";
  }
  baseline.apply(record, ids);
  reports::ReportMaker maker(limits_for(requests));
  const std::string digest =
      write_record(options.output, record, [&](const core::CaseResult& shown) {
        core::CaseResult whole = shards.whole(shown);
        maker.add(record.header, whole);
        return whole;
      });
  reports::Report report = maker.finish(record, clause_table());
  report.record_digest = digest;
  write_reports(requests, report, terminal.out);
  if (take_standard_output(requests)) return report.exit_code;
  terminal.out << fmt::format("{}: {} cases of {} {}\n{}  {}\n", options.output,
                              record.cases.size(), options.records.size(),
                              are_partitions ? "partitions" : "shards", report.headline,
                              report.explanation);
  return report.exit_code;
}

}  // namespace

void add_merge(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "merge", "Join the records of a run's shards, or of a log's partitions");
  const auto options = std::make_shared<MergeOptions>();
  verb->add_option(
          "records", options->records,
          "What each `assay run --shard I/N --record` wrote, or each `assay audit --partition`")
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
      "Examples:\n  assay merge shard-*.ndjson -o run.ndjson --baseline known.yaml\n"
      "  assay merge partition-*.ndjson -o audit.ndjson");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return merge(*options, terminal); };
  });
}

}  // namespace assay::cli
