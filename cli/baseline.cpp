#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>

#include "cli/baseline_file.h"
#include "cli/baseline_text.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/unified_diff.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/judge.h"
#include "harness/wire/baseline_reader.h"

namespace assay::cli {
namespace {

struct BaselineOptions {
  std::string record;
  std::string file;
  EntryDefaults defaults;
  bool dry_run = false;
};

core::RunRecord whole_record(const std::string& path) {
  core::RunRecord record = load_verdicts(path);
  if (record.footer) return record;
  throw UsageError(
      fmt::format("{}: the record is incomplete; cases that did not run would be missing", path));
}

EntryDefaults defaults_of(const BaselineOptions& options) {
  EntryDefaults defaults = options.defaults;
  if (defaults.expires.empty()) defaults.expires = default_entry().expires;
  return defaults;
}

std::string counted_entries(std::size_t count) {
  return count == 1 ? "1 entry" : fmt::format("{} entries", count);
}

core::ExitCode init(const BaselineOptions& options, Terminal& terminal) {
  const core::RunRecord record = whole_record(options.record);
  const auto entries = missing_entries(record, {}, defaults_of(options));
  const std::string text = baseline_text(record, entries);
  if (options.file.empty() || options.dry_run) {
    terminal.out << text;
    return core::ExitCode::conforms;
  }
  if (std::filesystem::exists(options.file)) {
    throw UsageError(
        fmt::format("{}: is there already; `assay baseline update` changes it", options.file));
  }
  write_file(options.file, text);
  terminal.out << fmt::format("{}: {}\n", options.file, counted_entries(entries.size()));
  return core::ExitCode::conforms;
}

core::ExitCode update(const BaselineOptions& options, Terminal& terminal) {
  core::RunRecord record = whole_record(options.record);
  BaselineFile file(options.file, today());
  const std::string before = read_file(options.file);
  for (const std::string& hint : file.use_row_names(known_ids(record))) {
    terminal.err << "assay: note: " << hint << "\n";
  }
  const core::BaselineFindings findings = file.apply(record, known_ids(record));
  const std::string after =
      updated_baseline(before, file.baseline(), findings, record, defaults_of(options));
  const std::string diff = unified_diff(options.file, before, after);
  terminal.out << (diff.empty() ? fmt::format("{}: fits the record as it is\n", options.file)
                                : diff);
  for (const core::Diagnostic& expired : findings.expired) {
    terminal.err << "assay: left as it is: " << core::diagnostic_text(expired) << "\n";
  }
  if (!options.dry_run && !diff.empty()) write_file(options.file, after);
  return findings.expired.empty() ? core::ExitCode::conforms : core::ExitCode::baseline_stale;
}

core::ExitCode check(const BaselineOptions& options, Terminal& terminal) {
  core::RunRecord record = load_verdicts(options.record);
  BaselineFile file(options.file, today());
  for (const std::string& hint : file.use_row_names(known_ids(record))) {
    terminal.err << "assay: note: " << hint << "\n";
  }
  const core::BaselineFindings findings = file.apply(record, known_ids(record));
  for (const core::Diagnostic& finding : findings.in_order()) {
    terminal.out << core::diagnostic_text(finding) << "\n";
  }
  const auto missing = missing_entries(record, file.baseline(), defaults_of(options));
  for (const core::BaselineEntry& entry : missing) {
    terminal.out << fmt::format("no entry: {} ({}) {}\n", entry.case_glob, entry.clause,
                                fmt::join(entry.seen, "; "));
  }
  if (findings.empty() && missing.empty()) terminal.out << options.file << ": fits the record\n";
  return check::exit_code_of(record, &clause_table());
}

using Verb = core::ExitCode (*)(const BaselineOptions&, Terminal&);

void add_writing_options(CLI::App& verb, BaselineOptions& options) {
  verb.add_option("--reason", options.defaults.reason, "Why new failures are accepted for now")
      ->default_val(default_entry().reason);
  verb.add_option("--owner", options.defaults.owner, "Who sees to new entries");
  verb.add_option("--expires", options.defaults.expires,
                  "The last day of new entries, YYYY-MM-DD; default: in 90 days")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return wire::is_day(text) ? std::string()
                                      : std::string("expected a day such as 2026-12-31");
          },
          "YYYY-MM-DD"));
  verb.add_flag("--dry-run", options.dry_run, "Show what would be written and write nothing");
}

CLI::App& add_verb(CLI::App& baseline, const char* name, const char* text, Verb act,
                   const std::shared_ptr<BaselineOptions>& options, Action& chosen) {
  CLI::App* verb = baseline.add_subcommand(name, text);
  verb->add_option("record", options->record, "A record that `assay run --record` wrote")
      ->required();
  verb->callback([options, act, &chosen] {
    chosen = [options, act](Terminal& terminal) { return act(*options, terminal); };
  });
  return *verb;
}

}  // namespace

void add_baseline(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "baseline", "Write, update or check the expected failures of a target");
  verb->require_subcommand(1);
  const auto options = std::make_shared<BaselineOptions>();
  CLI::App& first = add_verb(*verb, "init", "Write the failures of a record as a baseline", init,
                             options, chosen);
  first.add_option("-o,--output", options->file, "The file to write; else standard output");
  add_writing_options(first, *options);
  CLI::App& second = add_verb(*verb, "update", "Change a baseline so that it fits a record", update,
                              options, chosen);
  second.add_option("baseline", options->file, "The baseline")->required();
  add_writing_options(second, *options);
  CLI::App& third =
      add_verb(*verb, "check", "Hold a baseline against a record", check, options, chosen);
  third.add_option("baseline", options->file, "The baseline")->required();
  verb->footer(
      "Examples:\n"
      "  assay baseline init run.ndjson -o known.yaml --owner team-engine\n"
      "  assay baseline update run.ndjson known.yaml --dry-run\n"
      "  assay baseline check run.ndjson known.yaml       exit code as `assay run --baseline`");
}

}  // namespace assay::cli
