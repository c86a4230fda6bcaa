#include "cli/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <ostream>
#include <random>

#include "base/encoding.h"
#include "base/rfc3339.h"
#include "base/visible.h"
#include "cli/baseline_file.h"
#include "cli/generated.h"
#include "cli/interruption.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/sensitivity.h"
#include "cli/specification.h"
#include "cli/usage_error.h"
#include "cli/version_text.h"
#include "harness/check/comparison.h"
#include "harness/check/flakiness.h"
#include "harness/check/judge.h"
#include "harness/check/late_answers.h"
#include "harness/check/refused_requests.h"
#include "harness/run/identity.h"
#include "harness/run/scheduler.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/adapter_target.h"
#include "harness/target/clock.h"
#include "reports/curl.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::cli {
namespace {

core::RecordHeader record_header(const Judging& judging, const ReadyTarget& ready,
                                 const target::Clock& clock, std::uint64_t seed,
                                 const std::string& run_id) {
  core::RecordHeader header;
  header.assay_version = version_text;
  header.suite_digest = judging.suite_digest;
  header.profile = judging.profile.profile.name;
  header.profile_digest = judging.profile.digest;
  const core::Secrets secrets(judging.profile.profile);
  header.target = secrets.masked(judging.profile.profile.base_url);
  header.target_source = ready.source();
  header.seed = seed;
  header.run_id = run_id;
  header.started_at = rfc3339(clock.wall_time());
  header.selection = judging.selection;
  header.suite_cases = judging.known_cases.size();
  for (const auto& [key, choice] : judging.profile.profile.interpretations) {
    header.interpretations.emplace(key, choice);
  }
  return header;
}

/// What calls this run again, up to the choice of its cases. A server that was started for the run
/// is started again: its address now says nothing.
std::string run_command(const JudgingOptions& options) {
  std::string command = fmt::format("assay run --profile {}", shell_word(options.target.profile));
  if (!options.target.url.empty()) {
    command += fmt::format(" --target {}", shell_word(options.target.url));
  }
  if (options.target.in_process) command += " --in-process";
  if (options.target.consistency_ms) {
    command += fmt::format(" --consistency-ms {}", *options.target.consistency_ms);
  }
  if (!options.scenarios.empty()) {
    command += fmt::format(" --scenarios {}", shell_word(options.scenarios));
  }
  return command;
}

constexpr std::size_t limit_output_bytes = 4'000;

/// Keeps a person informed while cases end.
class Progress {
 public:
  Progress(Terminal& terminal, std::size_t cases) : line_(terminal), cases_(cases) {}

  void add(const core::CaseResult& result, const core::RecordHeader& header) {
    ++ended_;
    const bool is_new = result.verdict == core::Verdict::fail && !result.expected_fail;
    if (is_new && !check::is_let_through(result, header)) ++failed_;
    line_.show(fmt::format("{} of {} cases{}", ended_, cases_,
                           failed_ == 0 ? "" : fmt::format(", {} failed", failed_)));
  }

 private:
  ProgressLine line_;
  std::size_t cases_;
  std::size_t ended_ = 0;
  std::size_t failed_ = 0;
};

std::uint64_t any_seed() {
  std::random_device device;
  return device();
}

void say_what_is_slow(const core::RunRecord& record, std::size_t count, Terminal& terminal) {
  std::vector<std::pair<double, std::string>> slowest;
  for (const core::CaseResult& result : record.cases) {
    slowest.emplace_back(-result.duration_ms, result.id);
  }
  std::sort(slowest.begin(), slowest.end());
  slowest.resize(std::min(count, slowest.size()));
  terminal.out << "Slowest cases\n";
  for (const auto& [negative_ms, id] : slowest) {
    terminal.out << fmt::format("{:>10.1f} ms  {}\n", -negative_ms, id);
  }
}

/// What became of the program that stands for the target, where it is one and that went wrong.
void say_how_the_adapter_went(const target::Target& target, Terminal& terminal) {
  const auto* adapter = dynamic_cast<const target::AdapterTarget*>(&target);
  if (adapter == nullptr || adapter->trouble().empty()) return;
  const std::string output = adapter->output();
  terminal.err << fmt::format(
      "assay: the adapter: {}{}\n", adapter->trouble(),
      output.empty()
          ? "; it wrote nothing to standard error"
          : "; its standard error:\n" + visible(output, limit_output_bytes, Lines::many));
}

/// Adds to the footer what the passes would have noticed. A run that is interrupted here has none:
/// what its passes are worth is not known.
void add_sensitivity(core::RunRecord& record, const Judging& judging, const JudgingOptions& options,
                     const std::stop_token& stop, Terminal& terminal) {
  if (!record.footer) return;
  const SensitivityCache cache(terminal, !options.no_cache, judging.suite_digest,
                               judging.profile.digest);
  record.footer->required_shown = options.required_shown;
  record.footer->sensitivity =
      measure_sensitivity(record, judging.cases, judging.profile.profile, cache, stop, terminal);
  if (!record.footer->sensitivity) record.footer.reset();
}

/// Generated cases go on behind what the baseline excuses, or behind everything.
run::GoingOn going_on(const core::Profile& profile, const BaselineFile& baseline,
                      bool behind_everything) {
  return {.is_excused =
              [&profile, &baseline, behind_everything](const core::CaseResult& result) {
                if (behind_everything) return true;
                core::CaseResult held;
                held.id = result.id;
                held.verdict = result.verdict;
                held.clauses = result.clauses;
                held.checks = result.checks;
                baseline.excuse(held, profile.name);
                return held.expected_fail;
              },
          .rounds_of = [&profile](const std::string& id) { return rounds_of(id, profile); }};
}

core::ExitCode conclude(const run::RunOutcome& outcome, RecordFile& record,
                        const JudgingOptions& options, const std::vector<ReportRequest>& requests,
                        Terminal& terminal) {
  reports::Report report =
      reports::make_report(outcome.record, clause_table(), limits_for(requests));
  report.record_digest = record.finish(outcome.record);
  std::string lost = record.trouble();
  try {
    write_reports(requests, report, terminal.out);
  } catch (const std::runtime_error& error) {
    lost += (lost.empty() ? "" : "; ") + std::string(error.what());
  }
  if (!outcome.unreachable.empty()) {
    terminal.err << "assay: " << outcome.unreachable << "\n";
    if (outcome.is_profile_fault) return core::ExitCode::usage;
    if (outcome.record.cases.empty()) return core::ExitCode::target_unreachable;
  }
  if (options.durations > 0 && !take_standard_output(requests))
    say_what_is_slow(outcome.record, options.durations, terminal);
  if (take_standard_output(requests)) {
    // That is the report that was asked for.
  } else if (options.quiet) {
    terminal.out << fmt::format("{}  {}\n", report.headline, report.explanation);
    for (const std::string& note : reports::notes_of(report)) {
      terminal.out << fmt::format("note: {}\n", note);
    }
    for (const std::string& line : reports::news_of(report)) terminal.out << line << "\n";
  } else {
    terminal.out << reports::render_text(report,
                                         {.colour = terminal.colour, .verbose = options.verbose});
  }
  if (!lost.empty()) {
    terminal.out.flush();
    terminal.err << "assay: " << lost << "\n";
    return core::ExitCode::harness_fault;
  }
  return report.exit_code;
}

/// What all cases together show of how the target answers.
void add_case_notes(const std::vector<core::CaseResult>& cases, std::size_t jobs,
                    const core::Limits& limits, std::vector<std::string>& notes) {
  if (auto late =
          check::note_on_late_answers(cases, std::min(jobs, limits.jobs), limits.request_ms)) {
    notes.push_back(*std::move(late));
  }
  for (std::string& note : check::notes_on_refused_requests(cases)) {
    notes.push_back(std::move(note));
  }
}

}  // namespace

std::unique_ptr<OutputFiles> open_outputs(const JudgingOptions& options,
                                          const std::vector<std::string>& inputs) {
  if (options.record == standard_output) {
    throw UsageError("--record -: expected a file, such as /dev/stdout");
  }
  std::vector<std::string> paths = {options.record};
  for (const ReportRequest& request : read_report_requests(options.reports)) {
    paths.push_back(request.file);
  }
  std::vector<std::string> read = inputs;
  std::erase(read, "");
  for (const std::string* input :
       {&options.baseline, &options.scenarios, &options.target.profile}) {
    if (!input->empty()) read.push_back(*input);
  }
  return std::make_unique<OutputFiles>(paths, read);
}

core::ExitCode judge(Judging judging, const JudgingOptions& options, OutputFiles& outputs,
                     Terminal& terminal) {
  const std::vector<ReportRequest> requests = read_report_requests(options.reports);
  BaselineFile baseline(options.baseline, today());
  for (const std::string& hint : baseline.use_row_names(judging.known_cases)) {
    terminal.err << "assay: note: " << hint << "\n";
  }
  std::optional<core::RunRecord> before;
  if (!options.against.empty()) {
    before = load_verdicts(options.against);
    check::use_row_names(*before, judging.known_cases);
  }
  const Interruption interruption;
  const std::uint64_t seed = options.seed.value_or(any_seed());
  boost::asio::io_context io(1);
  ReadyTarget ready(io, judging.profile, options.target, seed);
  const std::string run_id = run_id_for(options.run_id, ready, seed);
  target::SystemClock clock;
  run::TimerWaiter waiter(interruption.token());
  const run::RunContext context{.target = ready.target(),
                                .profile = judging.profile.profile,
                                .clock = clock,
                                .waiter = waiter,
                                .seed = seed,
                                .prefix = run::prefix_of_run(run_id),
                                .command = run_command(options)};
  run::RunOptions run_options;
  run_options.jobs = options.jobs;
  run_options.fail_fast = options.fail_fast;
  run_options.required_coverage = options.required_coverage;
  run_options.header = record_header(judging, ready, clock, seed, run_id);
  run_options.header.scenarios = options.scenarios;
  run_options.header.label = options.label;
  run_options.checks_operations = true;
  run_options.asks_for_control = true;
  run_options.amend = [&](core::CaseResult& result) {
    baseline.excuse(result, judging.profile.profile.name);
    if (before) check::excuse_as_before(result, *before, options.against);
  };
  if (options.keep_going || !options.baseline.empty()) {
    run_options.going_on = going_on(judging.profile.profile, baseline, options.keep_going);
  }
  run_options.retries = options.retries;
  if (options.retries > 0) run_options.header.flaky = options.flaky;
  run_options.wait_ms = options.wait_s * 1'000;
  run_options.stop = interruption.token();
  outputs.keep();
  RecordFile record(options.record, run_options.header);
  run::RunOutcome outcome;
  {
    Progress progress(terminal, judging.cases.size());
    run_options.keep_case = [&record](const core::CaseResult& result) { record.add(result); };
    run_options.on_case = [&](const core::CaseResult& result) {
      progress.add(result, run_options.header);
      if (options.on_case) options.on_case(result);
    };
    outcome = run::run_cases(io, context, judging.cases, run_options);
  }
  say_how_the_adapter_went(ready.target(), terminal);
  if (outcome.record.footer) {
    std::vector<std::string> notes = ready.notes();
    add_case_notes(outcome.record.cases, options.jobs, judging.profile.profile.limits, notes);
    outcome.record.footer->notes = std::move(notes);
  }
  baseline.apply(outcome.record, judging.known_cases);
  add_sensitivity(outcome.record, judging, options, interruption.token(), terminal);
  return conclude(outcome, record, options, requests, terminal);
}

}  // namespace assay::cli
