#include "cli/audit_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <thread>
#include <utility>

#include "assay_embed/queries.h"
#include "base/encoding.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/version_text.h"
#include "harness/audit/audit_record.h"
#include "harness/run/shard.h"

namespace assay::cli {
namespace {

std::vector<std::string> query_names() {
  std::vector<std::string> names;
  for (const embed::File& file : embed::queries()) {
    names.emplace_back(file.path.substr(0, file.path.rfind('.')));
  }
  return names;
}

check::LogScope scope_named(const std::string& word) {
  if (word == "binding") return check::LogScope::driven;
  return word == "replay" ? check::LogScope::replay : check::LogScope::foreign;
}

std::bitset<check::log_rule_count> rules_asked(const std::vector<std::string>& clauses) {
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

std::optional<audit::EventTime> instant_named(const std::string& option, const std::string& text) {
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

/// What a profile says of the events that the system lists: each is read so in its log too.
core::Mapping event_reading(const core::Profile& profile) {
  const auto listing = profile.operations.find("events.list");
  const core::ItemsMapping* items = nullptr;
  if (listing != profile.operations.end() && listing->second.read) {
    const auto& members = listing->second.read->members();
    const auto found = members.find("items");
    if (found != members.end()) items = std::get_if<core::ItemsMapping>(&found->second.from);
  }
  if (items == nullptr || items->each == nullptr) {
    throw UsageError(
        fmt::format("profile {} does not say how its events are read: found no "
                    "operations.events.list.read with items and each",
                    profile.name));
  }
  const std::map<std::string, core::Mapping>& members = items->each->members();
  for (const char* name : {"event_type", "execution_id"}) {
    if (!members.contains(name)) {
      throw UsageError(fmt::format(
          "profile {}: operations.events.list reads no {}, without which no log can be judged",
          profile.name, name));
    }
  }
  return *items->each;
}

/// A member that the profile does not read is not missing in the log.
void leave_out_unread(const core::Mapping& reading, audit::AuditScope& scope) {
  const auto leave_out = [&](const char* member, std::initializer_list<check::LogRule> rules) {
    if (reading.members().contains(member)) return;
    for (const check::LogRule rule : rules) scope.rules.reset(static_cast<std::size_t>(rule));
  };
  leave_out("event_id", {check::LogRule::event_id, check::LogRule::event_id_once});
  leave_out("timestamp", {check::LogRule::timestamp});
}

void add_selection(CLI::App& verb, AuditVerbOptions& options) {
  verb.add_option("--scope", options.scope,
                  "What is asked: `specification`, what any log owes; `binding`, also what only\n"
                  "the reference binding promises, of an execution that its server drove;\n"
                  "`replay`, only what a server owes of events that its clients posted")
      ->capture_default_str()
      ->check(CLI::IsMember({"specification", "binding", "replay"}));
  verb.add_option("--clause", options.clauses, "Only this clause (repeatable)")
      ->transform(as_clause_id)
      ->expected(1)
      ->take_all();
  verb.add_option("--execution", options.executions, "Only this execution (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--since", options.since,
                  "Only what events from this time on show, RFC 3339; those before are read too");
  verb.add_option("--until", options.until, "Only what events up to this time show");
}

void add_inputs(CLI::App& verb, AuditVerbOptions& options) {
  verb.add_option("files", options.files,
                  "Logs: an event a line (NDJSON) or a JSON array, also compressed by gzip or\n"
                  "Zstandard; - is standard input. Without any: standard input");
  verb.add_option("--postgres", options.postgres,
                  "Read a PostgreSQL database instead: libpq's connection string or URI");
  verb.add_option("--query", options.query,
                  "What to read there: SQL whose columns are an event's members, or the name of a\n"
                  "shipped query (" +
                      fmt::format("{}", fmt::join(query_names(), ", ")) + ")");
  verb.add_option(
      "--profile", options.profile,
      "Read foreign events as this profile reads its operation events.list: a built-in\n"
      "one's name or a file");
  verb.add_flag("--follow", options.follows,
                "Go on as the log grows, say findings as they come, and end on a signal");
  verb.add_option(
          "--partition", options.partition,
          "Standard input is partition I of N of a log, I/N: each line has the line's\n"
          "number in the whole log, a tab and an event, and all events of an execution are\n"
          "in one partition. Writes a partial record, which `assay merge` joins with those\n"
          "of the other partitions")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return run::shard_from_text(text) ? std::string()
                                              : std::string("expected I/N, such as 2/3");
          },
          "I/N"));
  verb.add_option("--log-name", options.log_name, "With --partition: what the whole log is called")
      ->capture_default_str();
}

}  // namespace

void add_audit_options(CLI::App& verb, AuditVerbOptions& options) {
  add_inputs(verb, options);
  add_selection(verb, options);
  verb.add_option("--jobs", options.jobs,
                  "Threads; the result is the same with any number. Default: one a processor")
      ->check(CLI::Range(1, 256));
  verb.add_option(
          "--memory", options.memory_bytes,
          "What may be kept of open executions in memory, such as 512MiB; the rest goes to\n"
          "an unnamed file in TMPDIR. Default: 1GiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1} << 20U, std::uint64_t{1} << 50U));
  verb.add_option("--baseline", options.baseline,
                  "A file of expected failures. They don't fail the audit; if one no longer "
                  "occurs, assay exits with 5");
  verb.add_option("--label", options.label,
                  "Who runs it (a person, a job, a commit), for the record and the reports");
  verb.add_option("--record", options.record, "Write the record to this file");
  verb.add_option("--report", options.reports,
                  "FORMAT=FILE, one of `assay list formats` (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_flag("--quiet", options.quiet, "Print one line instead of the report");
  verb.add_flag("-v,--verbose", options.verbose,
                "Print every cause in full, and every clause that is not shown");
}

void settle(AuditVerbOptions& options) {
  const bool reads_database = !options.postgres.empty();
  if (reads_database != !options.query.empty()) {
    throw UsageError("--postgres and --query need each other");
  }
  if (reads_database && !options.files.empty()) {
    throw UsageError("--postgres and files exclude each other");
  }
  if (!options.partition.empty() && (reads_database || options.follows || !options.files.empty())) {
    throw UsageError(
        "--partition reads standard input: no file, --postgres or --follow can stand beside it");
  }
  if (!options.partition.empty() && (!options.baseline.empty() || !options.reports.empty())) {
    throw UsageError("--partition makes no report; give --baseline and --report to `assay merge`");
  }
  if (options.follows && (reads_database || options.files.size() > 1)) {
    throw UsageError("--follow reads one file or standard input");
  }
  if (reads_database) {
    static_cast<void>(query_text(options.query));
  } else if (options.files.empty()) {
    options.files = {"-"};
  }
}

audit::AuditOptions audit_options(const AuditVerbOptions& options, const Terminal& terminal,
                                  core::RecordHeader& header) {
  audit::AuditOptions made;
  made.scope.scope = scope_named(options.scope);
  made.scope.rules = rules_asked(options.clauses);
  made.scope.since = instant_named("--since", options.since);
  made.scope.until = instant_named("--until", options.until);
  // What an event at that very moment shows is inside, whatever its text is.
  if (made.scope.until) made.scope.until->text = "\x7f";
  made.executions = {options.executions.begin(), options.executions.end()};
  made.jobs = options.jobs > 0 ? options.jobs
                               : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  made.gathering.memory_bytes = options.memory_bytes;
  if (!options.partition.empty()) made.line_form = audit::LineForm::numbered;
  // What comes line by line is one thread's work.
  if (options.follows) made.jobs = 1;
  made.gathering.keeps_news = options.follows;
  if (!options.profile.empty()) {
    const LoadedProfile loaded = load_profile(options.profile, terminal);
    made.reading = event_reading(loaded.profile);
    leave_out_unread(*made.reading, made.scope);
    header.profile = loaded.profile.name;
    header.profile_digest = loaded.digest;
  }
  return made;
}

std::vector<std::string> source_names(const AuditVerbOptions& options) {
  if (!options.partition.empty()) return {options.log_name};
  return options.postgres.empty() ? options.files : std::vector<std::string>{"row"};
}

std::string audit_command(const AuditVerbOptions& options) {
  std::string command = "assay audit";
  const auto add = [&command](const char* name, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", name, shell_word(value));
  };
  if (options.postgres.empty()) {
    for (const std::string& name : source_names(options)) command += " " + shell_word(name);
  } else {
    // How the database is reached may have a password.
    command += " --postgres \"$CONNINFO\"";
    add("--query", options.query);
  }
  add("--profile", options.profile);
  if (options.scope != "specification") add("--scope", options.scope);
  for (const std::string& execution : options.executions) add("--execution", execution);
  add("--since", options.since);
  add("--until", options.until);
  return command;
}

core::RecordHeader audit_header(const AuditVerbOptions& options) {
  core::RecordHeader header;
  header.assay_version = version_text;
  header.suite_digest = audit::rules_digest();
  header.profile = "none";
  header.target = options.postgres.empty()
                      ? fmt::format("log {}", fmt::join(source_names(options), " "))
                      : "log of a PostgreSQL query";
  header.target_source = "log";
  header.label = options.label;
  header.selection = {"audit", "scope=" + options.scope};
  const auto add = [&header](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      header.selection.push_back(fmt::format("{}={}", name, value));
    }
  };
  add("clause", options.clauses);
  add("execution", options.executions);
  if (!options.query.empty()) header.selection.push_back("query=" + options.query);
  if (!options.since.empty()) header.selection.push_back("since=" + options.since);
  if (!options.until.empty()) header.selection.push_back("until=" + options.until);
  return header;
}

std::string query_text(const std::string& query) {
  // A query has a space; a name has none.
  if (query.find_first_of(" \t\r\n") != std::string::npos) return query;
  for (const embed::File& file : embed::queries()) {
    if (file.path == query + ".sql") return std::string(file.content);
  }
  throw UsageError(unknown_name_text("query", query, query_names()));
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

}  // namespace assay::cli
