#include "harness/audit/audit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <thread>

#include "base/encoding.h"
#include "cli/baseline_file.h"
#include "cli/output_files.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "cli/version_text.h"
#include "harness/audit/audit_record.h"
#include "harness/target/clock.h"
#include "reports/render.h"

namespace assay::cli {
namespace {

struct AuditVerbOptions {
  std::vector<std::string> files;
  std::string scope = "specification";
  std::vector<std::string> clauses;
  std::vector<std::string> executions;
  std::string since;
  std::string until;
  /// 0: as many as the machine has processors.
  std::size_t jobs = 0;
  std::string baseline;
  std::string label;
  std::string record;
  std::vector<std::string> reports;
  bool quiet = false;
  bool verbose = false;
};

check::LogScope scope_named(const std::string& word) {
  if (word == "binding") return check::LogScope::driven;
  return word == "replay" ? check::LogScope::replay : check::LogScope::foreign;
}

std::bitset<check::log_rule_count> rules_of(const std::vector<std::string>& clauses) {
  std::bitset<check::log_rule_count> rules;
  if (clauses.empty()) return rules.set();
  std::vector<std::string> known;
  for (const check::LogRuleText& rule : check::log_rules()) {
    if (std::find(known.begin(), known.end(), rule.clause) == known.end()) {
      known.emplace_back(rule.clause);
    }
  }
  for (const std::string& clause : clauses) {
    if (clause_table().find(clause) == nullptr) {
      throw UsageError(unknown_name_text("clause", clause, known));
    }
    if (std::find(known.begin(), known.end(), clause) == known.end()) {
      throw UsageError(
          fmt::format("a log shows nothing of {} by itself; the clauses that it does are {}",
                      clause, fmt::join(known, ", ")));
    }
    for (const check::LogRuleText& rule : check::log_rules()) {
      if (rule.clause == clause) rules.set(static_cast<std::size_t>(rule.rule));
    }
  }
  return rules;
}

std::optional<audit::EventTime> time_named(const std::string& option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto instant = check::parse_instant(text);
  if (!instant) {
    throw UsageError(
        fmt::format("{}: found {}, expected an RFC 3339 time such as "
                    "2026-01-31T12:00:00Z",
                    option, text));
  }
  audit::EventTime time;
  time.seconds = instant->seconds;
  time.fraction = instant->fraction;
  return time;
}

audit::AuditOptions audit_options(const AuditVerbOptions& options) {
  audit::AuditOptions made;
  made.scope.scope = scope_named(options.scope);
  made.scope.rules = rules_of(options.clauses);
  made.scope.since = time_named("--since", options.since);
  made.scope.until = time_named("--until", options.until);
  // What an event at that very moment shows is inside, whatever its text is.
  if (made.scope.until) made.scope.until->text = "\x7f";
  made.executions = {options.executions.begin(), options.executions.end()};
  made.jobs = options.jobs > 0 ? options.jobs
                               : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  return made;
}

/// What audits the same again.
std::string audit_command(const AuditVerbOptions& options) {
  std::string command = "assay audit";
  for (const std::string& file : options.files) command += " " + shell_word(file);
  if (options.scope != "specification") command += " --scope " + options.scope;
  for (const std::string& execution : options.executions) {
    command += " --execution " + shell_word(execution);
  }
  if (!options.since.empty()) command += " --since " + shell_word(options.since);
  if (!options.until.empty()) command += " --until " + shell_word(options.until);
  return command;
}

core::RecordHeader header_of(const AuditVerbOptions& options, const target::Clock& clock) {
  core::RecordHeader header;
  header.assay_version = version_text;
  header.suite_digest = audit::rules_digest();
  header.profile = "none";
  header.target = fmt::format("log {}", fmt::join(options.files, " "));
  header.target_source = "log";
  header.label = options.label;
  header.started_at = target::rfc3339(clock.wall_time());
  header.selection = {"audit", "scope=" + options.scope};
  const auto add = [&header](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      header.selection.push_back(fmt::format("{}={}", name, value));
    }
  };
  add("clause", options.clauses);
  add("execution", options.executions);
  if (!options.since.empty()) header.selection.push_back("since=" + options.since);
  if (!options.until.empty()) header.selection.push_back("until=" + options.until);
  return header;
}

std::unique_ptr<OutputFiles> open_audit_outputs(const AuditVerbOptions& options) {
  std::vector<std::string> written = {options.record};
  for (const ReportRequest& request : read_report_requests(options.reports)) {
    written.push_back(request.file);
  }
  std::vector<std::string> read = options.files;
  std::erase(read, "-");
  if (!options.baseline.empty()) read.push_back(options.baseline);
  return std::make_unique<OutputFiles>(written, read);
}

/// What was read, and what of it can't be judged as it stands.
void say_what_was_read(const audit::AuditResult& result, Terminal& terminal) {
  const auto counted = [](std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  std::string states;
  for (const auto& [state, count] : result.states) {
    states += fmt::format("{}{} {}", states.empty() ? ": " : ", ", count, state);
  }
  terminal.err << fmt::format("assay: note: read {} of {}{}\n", counted(result.events, "event"),
                              counted(result.executions, "execution"), states);
  for (const std::string& note : audit::notes_of(result)) {
    terminal.err << "assay: note: " << note << "\n";
  }
}

core::ExitCode audit_verb(AuditVerbOptions options, Terminal& terminal) {
  if (options.files.empty()) options.files = {"-"};
  const std::unique_ptr<OutputFiles> outputs = open_audit_outputs(options);
  const std::vector<ReportRequest> requests = read_report_requests(options.reports);
  BaselineFile baseline(options.baseline, today());
  const target::SystemClock clock;
  const double begun_ms = clock.steady_ms();
  core::RunRecord record;
  record.header = header_of(options, clock);
  audit::AuditOptions asked = audit_options(options);
  const auto rules = asked.scope.rules;
  audit::Audit audit(std::move(asked));
  std::vector<std::unique_ptr<audit::ByteSource>> sources;
  try {
    for (const std::string& file : options.files) sources.push_back(audit::open_source(file));
  } catch (const audit::ReadError& error) {
    throw UsageError(error.what());
  }
  for (const auto& source : sources) audit.read(*source);
  const audit::AuditResult result = audit.finish();
  record.cases = audit::cases_of(result, rules, options.files, audit_command(options));
  core::RecordFooter& footer = record.footer.emplace();
  footer.cases = record.cases.size();
  footer.duration_ms = clock.steady_ms() - begun_ms;
  baseline.apply(record, audit::audit_case_ids());
  outputs->keep();
  const std::string text = record_text(record);
  if (!options.record.empty()) write_file(options.record, text);
  reports::Report report = reports::make_report(record, clause_table(), limits_for(requests));
  report.record_digest = digest_of(text);
  write_reports(requests, report, terminal.out);
  say_what_was_read(result, terminal);
  if (take_standard_output(requests)) return report.exit_code;
  if (options.quiet) {
    terminal.out << fmt::format("{}  {}\n", report.headline, report.explanation);
  } else {
    terminal.out << reports::render_text(report,
                                         {.colour = terminal.colour, .verbose = options.verbose});
  }
  return report.exit_code;
}

void add_selection(CLI::App& verb, AuditVerbOptions& options) {
  verb.add_option("files", options.files,
                  "Logs: an event a line (NDJSON) or a JSON array, also compressed by gzip or\n"
                  "Zstandard; - is standard input. Without any: standard input");
  verb.add_option("--scope", options.scope,
                  "What is asked: `specification`, what any log owes; `binding`, also what only\n"
                  "the reference binding promises, of an execution that its server drove;\n"
                  "`replay`, only what a server owes of events that its clients posted")
      ->capture_default_str()
      ->check(CLI::IsMember({"specification", "binding", "replay"}));
  verb.add_option("--clause", options.clauses, "Only this clause (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--execution", options.executions, "Only this execution (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--since", options.since,
                  "Only what events from this time on show, RFC 3339; those before are read too");
  verb.add_option("--until", options.until, "Only what events up to this time show");
  verb.add_option("--jobs", options.jobs,
                  "Threads; the result is the same with any number. Default: one a processor")
      ->check(CLI::Range(1, 256));
}

}  // namespace

void add_audit(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("audit", "Judge event logs that are there already");
  const auto options = std::make_shared<AuditVerbOptions>();
  add_selection(*verb, *options);
  verb->add_option("--baseline", options->baseline,
                   "A file of expected failures. They don't fail the audit; if one no longer "
                   "occurs, assay exits with 5");
  verb->add_option("--label", options->label,
                   "Who runs it (a person, a job, a commit), for the record and the reports");
  verb->add_option("--record", options->record, "Write the record to this file");
  verb->add_option("--report", options->reports,
                   "FORMAT=FILE, one of `assay list formats` (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_flag("--quiet", options->quiet, "Print one line instead of the report");
  verb->add_flag("-v,--verbose", options->verbose,
                 "Print every cause in full, and every clause that is not shown");
  verb->footer(
      "Nothing is sent to anybody. Events of executions may be mixed. A clause of which the log\n"
      "shows nothing is not applicable, never kept. docs/auditing-logs.md says what is asked.\n"
      "Examples:\n"
      "  assay audit events.ndjson\n"
      "  assay audit events-*.ndjson.gz --record audit.ndjson --report html=audit.html\n"
      "  kubectl logs engine | assay audit - --clause STM-ONCE-1");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return audit_verb(*options, terminal); };
  });
}

}  // namespace assay::cli
