#include "harness/audit/audit.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <stop_token>
#include <utility>

#include "base/rfc3339.h"
#include "cli/audit_options.h"
#include "cli/baseline_file.h"
#include "cli/interruption.h"
#include "cli/output_files.h"
#include "cli/partial_record.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/audit/audit_record.h"
#include "harness/audit/postgres.h"
#include "harness/target/clock.h"
#include "reports/render.h"

namespace assay::cli {
namespace {

std::unique_ptr<OutputFiles> open_audit_outputs(const AuditVerbOptions& options) {
  std::vector<std::string> written = {options.record};
  for (const ReportRequest& request : read_report_requests(options.reports)) {
    written.push_back(request.file);
  }
  if (!options.partition.empty()) std::erase(written, standard_output);
  std::vector<std::string> read = options.files;
  std::erase(read, standard_output);
  if (!options.baseline.empty()) read.push_back(options.baseline);
  return std::make_unique<OutputFiles>(written, read);
}

/// Standard input, until a stop is asked for: nobody may ever write to it.
class StoppableInput final : public audit::ByteSource {
 public:
  StoppableInput(std::unique_ptr<audit::ByteSource> input, std::stop_token stop)
      : input_(std::move(input)), stop_(std::move(stop)) {}

  std::size_t read(std::span<char> buffer) override {
    constexpr int look_ms = 50;
    pollfd watched{STDIN_FILENO, POLLIN, 0};
    while (::poll(&watched, 1, look_ms) == 0) {
      if (stop_.stop_requested()) return 0;
    }
    return input_->read(buffer);
  }

 private:
  std::unique_ptr<audit::ByteSource> input_;
  std::stop_token stop_;
};

/// All of them before the first is read: what is not there is a mistake in the command line.
std::vector<std::unique_ptr<audit::ByteSource>> open_sources(const AuditVerbOptions& options,
                                                             const std::stop_token& stop) {
  std::vector<std::unique_ptr<audit::ByteSource>> sources;
  try {
    if (!options.postgres.empty()) {
      sources.push_back(audit::postgres_source(options.postgres, query_text(options.query)));
    }
    for (const std::string& file : options.files) {
      auto source = audit::open_source(file);
      if (file == standard_output)
        source = std::make_unique<StoppableInput>(std::move(source), stop);
      sources.push_back(std::move(source));
    }
  } catch (const audit::ReadError& error) {
    throw UsageError(error.what());
  }
  return sources;
}

/// One line for each cause that an execution shows for the first time.
void say_news(const std::map<audit::Cause, audit::Finding>& news,
              const std::vector<std::string>& sources, std::ostream& out) {
  for (const auto& [cause, finding] : news) {
    const audit::Example& example = finding.example;
    out << fmt::format("fail  {}: {} {}  {}  execution {}\n", check::text_of(cause.first).clause,
                       cause.second, example.what, audit::place_text(example.place, sources),
                       example.execution);
  }
  out << std::flush;
}

/// Reads the log as it grows, until a signal.
void follow(audit::Audit& audit, const AuditVerbOptions& options, const std::stop_token& stop,
            Terminal& terminal) {
  const bool is_silent =
      options.quiet || take_standard_output(read_report_requests(options.reports));
  const auto idle = [&] {
    const auto news = audit.take_news();
    if (!is_silent) say_news(news, source_names(options), terminal.out);
  };
  std::unique_ptr<audit::ByteSource> source;
  try {
    source = audit::follow_source(options.files.front(), stop, idle);
  } catch (const audit::ReadError& error) {
    throw UsageError(error.what());
  }
  audit.read(*source);
}

/// Reads and judges all that the options name, or as much of it as there is until a signal.
audit::PartialAudit perform(const AuditVerbOptions& options, core::RecordHeader& header,
                            bool& is_cut_short, Terminal& terminal) {
  audit::AuditOptions asked = audit_options(options, terminal, header);
  const Interruption interruption;
  // A log that grows has no other end.
  if (!options.follows) asked.stop = interruption.token();
  audit::PartialAudit done;
  done.rules = asked.scope.rules;
  done.sources = source_names(options);
  done.command = audit_command(options);
  audit::Audit audit(std::move(asked));
  if (options.follows) {
    follow(audit, options, interruption.token(), terminal);
  } else {
    const auto sources = open_sources(options, interruption.token());
    for (const auto& source : sources) {
      if (!interruption.token().stop_requested()) audit.read(*source);
    }
    is_cut_short = interruption.token().stop_requested();
  }
  done.result = audit.finish();
  return done;
}

core::ExitCode audit_partition(const AuditVerbOptions& options, core::RunRecord record,
                               const audit::PartialAudit& done, OutputFiles& outputs,
                               Terminal& terminal) {
  const std::string text = partial_record_text(std::move(record), options.partition, done);
  outputs.keep();
  write_output(options.record, text, terminal.out);
  return core::ExitCode::conforms;
}

core::ExitCode audit_verb(AuditVerbOptions options, Terminal& terminal) {
  settle(options);
  const std::unique_ptr<OutputFiles> outputs = open_audit_outputs(options);
  const std::vector<ReportRequest> requests = read_report_requests(options.reports);
  BaselineFile baseline(options.baseline, today());
  const target::SystemClock clock;
  const double begun_ms = clock.steady_ms();
  core::RunRecord record;
  record.header = audit_header(options);
  record.header.started_at = rfc3339(clock.wall_time());
  bool is_cut_short = false;
  const audit::PartialAudit done = perform(options, record.header, is_cut_short, terminal);
  core::RecordFooter& footer = record.footer.emplace();
  footer.duration_ms = clock.steady_ms() - begun_ms;
  if (!options.partition.empty()) {
    if (is_cut_short) return core::ExitCode::nothing_proven;
    return audit_partition(options, std::move(record), done, *outputs, terminal);
  }
  record.cases = audit::cases_of(done.result, done.rules, done.sources, done.command);
  footer.cases = record.cases.size();
  if (is_cut_short) record.footer.reset();
  baseline.apply(record, audit::audit_case_ids());
  outputs->keep();
  const std::string text = record_text(record);
  if (!options.record.empty()) write_file(options.record, text);
  reports::Report report = reports::make_report(record, clause_table(), limits_for(requests));
  report.record_digest = digest_of(text);
  write_reports(requests, report, terminal.out);
  say_what_was_read(done.result, terminal);
  if (take_standard_output(requests)) return report.exit_code;
  if (options.quiet) {
    terminal.out << fmt::format("{}  {}\n", report.headline, report.explanation);
  } else {
    terminal.out << reports::render_text(report,
                                         {.colour = terminal.colour, .verbose = options.verbose});
  }
  return report.exit_code;
}

}  // namespace

void add_audit(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("audit", "Judge event logs that are there already");
  const auto options = std::make_shared<AuditVerbOptions>();
  add_audit_options(*verb, *options);
  verb->footer(
      "Nothing is sent to anybody. Events of executions may be mixed. A clause of which the log\n"
      "shows nothing is not applicable, never kept. docs/auditing-logs.md says what is asked.\n"
      "Examples:\n"
      "  assay audit events.ndjson\n"
      "  assay audit events-*.ndjson.gz --record audit.ndjson --report html=audit.html\n"
      "  kubectl logs -f engine | assay audit - --follow --clause STM-ONCE-1\n"
      "  assay audit --postgres 'dbname=noetl' --query noetl --profile noetl-py");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return audit_verb(*options, terminal); };
  });
}

}  // namespace assay::cli
