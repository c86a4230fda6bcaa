#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <span>

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
#include "harness/core/failure.h"
#include "harness/wire/baseline_reader.h"

namespace assay::cli {
namespace {

struct BaselineOptions {
  std::string record;
  /// Of init.
  std::vector<std::string> records;
  std::string file;
  /// TEXT, or CLAUSE=TEXT.
  std::vector<std::string> reasons;
  EntryDefaults defaults;
  bool dry_run = false;
};

core::RunRecord whole_record(const std::string& path) {
  core::RunRecord record = load_verdicts(path);
  if (record.footer) return record;
  throw UsageError(
      fmt::format("{}: the record is incomplete; cases that did not run would be missing", path));
}

/// The clause that a reason begins with: in front of the first "=", in capitals and hyphens as
/// clauses are written; empty where it is a reason for all.
std::string clause_of_reason(const std::string& reason) {
  const std::size_t end = reason.find('=');
  if (end == std::string::npos || end == 0) return "";
  std::string clause = reason.substr(0, end);
  const bool is_like_one = std::ranges::all_of(clause, [](unsigned char each) {
    return std::isupper(each) != 0 || std::isdigit(each) != 0 || each == '-';
  });
  if (!is_like_one || clause.find('-') == std::string::npos) return "";
  if (clause_table().find(clause) != nullptr) return clause;
  std::vector<std::string> known;
  for (const core::Clause& each : clause_table().clauses()) known.push_back(each.id);
  throw UsageError("--reason: " + unknown_name_text("clause", clause, known));
}

EntryDefaults defaults_of(const BaselineOptions& options) {
  EntryDefaults defaults = options.defaults;
  if (defaults.expires.empty()) defaults.expires = default_entry().expires;
  defaults.reason = default_entry().reason;
  for (const std::string& each : options.reasons) {
    const std::string clause = clause_of_reason(each);
    if (clause.empty()) {
      defaults.reason = each;
    } else {
      defaults.reasons.insert_or_assign(clause, each.substr(clause.size() + 1));
    }
  }
  return defaults;
}

/// A reason that no new entry has is more likely a slip than meant.
void note_idle_reasons(const EntryDefaults& defaults, std::span<const core::RunRecord> records,
                       Terminal& terminal) {
  std::set<std::string> broken;
  for (const core::RunRecord& record : records) {
    for (const core::CaseResult& result : record.cases) {
      for (const core::Failure& failure : core::failures_of(result)) broken.insert(failure.clause);
    }
  }
  for (const auto& [clause, reason] : defaults.reasons) {
    if (broken.contains(clause)) continue;
    terminal.err << fmt::format("assay: note: --reason {}: no case of the record breaks it\n",
                                clause);
  }
}

std::string counted_entries(std::size_t count) {
  return count == 1 ? "1 entry" : fmt::format("{} entries", count);
}

/// " for 2 clauses: STM-EXEC-R1 (12), STM-CORE-1 (3)"
std::string clauses_text(const std::vector<core::BaselineEntry>& entries) {
  std::map<std::string, std::size_t> counts;
  for (const core::BaselineEntry& entry : entries) ++counts[entry.clause];
  std::vector<std::string> parts;
  for (const auto& [clause, count] : counts) parts.push_back(fmt::format("{} ({})", clause, count));
  return fmt::format(" for {}: {}",
                     parts.size() == 1 ? "1 clause" : fmt::format("{} clauses", parts.size()),
                     fmt::join(parts, ", "));
}

/// A reason of one clause is also that of the others which break by the same cause: whoever writes
/// it has to know where it stands.
void say_where_reasons_went(const std::vector<core::BaselineEntry>& entries,
                            const EntryDefaults& defaults, Terminal& terminal) {
  for (const auto& [clause, reason] : defaults.reasons) {
    std::set<std::string> others;
    for (const core::BaselineEntry& entry : entries) {
      if (entry.reason == reason && entry.clause != clause &&
          !defaults.reasons.contains(entry.clause)) {
        others.insert(entry.clause);
      }
    }
    if (others.empty()) continue;
    terminal.out << fmt::format(
        "  the reason of {} is also given to what breaks by the same cause: {}\n", clause,
        fmt::join(others, ", "));
  }
}

/// What differs between runs of one target is a race; between runs of two it would be anything.
std::vector<core::RunRecord> records_of_one_target(const std::vector<std::string>& paths) {
  std::vector<core::RunRecord> records;
  for (const std::string& path : paths) {
    records.push_back(whole_record(path));
    const core::RecordHeader& first = records.front().header;
    const core::RecordHeader& header = records.back().header;
    const auto demand_same = [&](std::string_view what, const std::string& one,
                                 const std::string& other) {
      if (one == other) return;
      throw UsageError(fmt::format("{}: another {} than {}: \"{}\", not \"{}\"", path, what,
                                   paths.front(), other, one));
    };
    demand_same("profile", first.profile, header.profile);
    demand_same("target", first.target_identity, header.target_identity);
    demand_same("suite", first.suite_digest, header.suite_digest);
  }
  return records;
}

/// One record shows one way in which a race fails.
void note_possible_races(std::span<const core::RunRecord> records, Terminal& terminal) {
  if (records.size() > 1) return;
  const std::set<std::string> at_one_moment = cases_at_one_moment();
  std::size_t count = 0;
  for (const core::CaseResult& result : records.front().cases) {
    if (at_one_moment.contains(result.id) && !core::failures_of(result).empty()) ++count;
  }
  if (count == 0) return;
  terminal.err << fmt::format(
      "assay: note: {} that {} requests at the same moment: another run may show another way; give "
      "the records of several runs\n",
      count == 1 ? "1 case fails" : fmt::format("{} cases fail", count),
      count == 1 ? "sends" : "send");
}

core::ExitCode init(const BaselineOptions& options, Terminal& terminal) {
  const std::vector<core::RunRecord> records = records_of_one_target(options.records);
  const EntryDefaults defaults = defaults_of(options);
  note_idle_reasons(defaults, records, terminal);
  note_possible_races(records, terminal);
  const auto entries = missing_entries(records, {}, defaults);
  const std::string text = baseline_text(records.front(), entries);
  if (options.file.empty() || options.dry_run) {
    terminal.out << text;
    return core::ExitCode::conforms;
  }
  if (std::filesystem::exists(options.file)) {
    throw UsageError(
        fmt::format("{}: is there already; `assay baseline update` changes it", options.file));
  }
  write_file(options.file, text);
  terminal.out << fmt::format("{}: {}{}\n", options.file, counted_entries(entries.size()),
                              entries.empty() ? "" : clauses_text(entries));
  say_where_reasons_went(entries, defaults, terminal);
  return core::ExitCode::conforms;
}

core::ExitCode update(const BaselineOptions& options, Terminal& terminal) {
  core::RunRecord record = whole_record(options.record);
  const EntryDefaults defaults = defaults_of(options);
  note_idle_reasons(defaults, std::span(&record, 1), terminal);
  BaselineFile file(options.file, today());
  const std::string before = read_file(options.file);
  for (const std::string& hint : file.use_row_names(known_ids(record))) {
    terminal.err << "assay: note: " << hint << "\n";
  }
  const core::BaselineFindings findings = file.apply(record, known_ids(record));
  const std::string after =
      updated_baseline(before, file.baseline(), findings, record, defaults, cases_at_one_moment());
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

void add_record(CLI::App& verb, BaselineOptions& options) {
  verb.add_option("record", options.record, "A record that `assay run --record` wrote")->required();
}

void add_writing_options(CLI::App& verb, BaselineOptions& options) {
  verb.add_option(
          "--reason", options.reasons,
          "Why new failures are accepted for now, or CLAUSE=TEXT: why those of that clause\n"
          "are, and what else the same cause breaks; may be repeated. Without one:\n\"" +
              default_entry().reason + '"')
      ->type_name("TEXT")
      ->allow_extra_args(false);
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
  CLI::App& first =
      add_verb(*verb, "init", "Write the failures of records as a baseline", init, options, chosen);
  first
      .add_option("records", options->records,
                  "Records that `assay run --record` wrote, of one target; what differs between\n"
                  "them is a race, which becomes `sometimes: true` with all the ways seen")
      ->required();
  first.add_option("-o,--output", options->file, "The file to write; else standard output");
  add_writing_options(first, *options);
  CLI::App& second = add_verb(*verb, "update", "Change a baseline so that it fits a record", update,
                              options, chosen);
  add_record(second, *options);
  second.add_option("baseline", options->file, "The baseline")->required();
  add_writing_options(second, *options);
  CLI::App& third =
      add_verb(*verb, "check", "Hold a baseline against a record", check, options, chosen);
  add_record(third, *options);
  third.add_option("baseline", options->file, "The baseline")->required();
  verb->footer(
      "Examples:\n"
      "  assay baseline init run.ndjson -o known.yaml --owner team-engine\n"
      "  assay baseline init one.ndjson two.ndjson -o known.yaml       knows a race by two runs\n"
      "  assay baseline init run.ndjson -o known.yaml --reason STM-EXEC-R1=\"issue 41\"\n"
      "  assay baseline update run.ndjson known.yaml --dry-run\n"
      "  assay baseline check run.ndjson known.yaml       exit code as `assay run --baseline`");
}

}  // namespace assay::cli
