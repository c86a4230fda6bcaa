#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <ostream>
#include <random>
#include <stop_token>
#include <thread>

#include "base/encoding.h"
#include "cli/exploration.h"
#include "cli/generated.h"
#include "cli/interruption.h"
#include "cli/number_checks.h"
#include "cli/output_files.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/target_choice.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/run/identity.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/wire/json.h"
#include "properties/campaign.h"
#include "reports/curl.h"

namespace assay::cli {
namespace {

constexpr double longest_time_s = 365.0 * 24 * 3'600;
constexpr double lowest_rate = 0.001;
constexpr double highest_rate = 1'000'000;

struct ExploreOptions {
  TargetChoice target;
  std::vector<std::string> globs;
  std::optional<std::uint64_t> seed;
  std::uint64_t cases = 200;
  std::uint64_t first_case = 0;
  std::size_t steps = 24;
  double time_s = 0;
  double rate = 0;
  std::size_t jobs = 64;
  std::size_t most_failures = 10;
  std::string save;
  std::string corpus;
  std::vector<std::string> reports;
  bool verify_determinism = false;
  bool json = false;
};

/// Asks for a stop once the time is over or the person wants it, whichever is first.
class Deadline {
 public:
  Deadline(double time_s, std::stop_token interrupted)
      : on_interrupt_(std::move(interrupted), [this] { source_.request_stop(); }) {
    if (time_s <= 0) return;
    timer_ = std::jthread([this, time_s](const std::stop_token& ended) {
      std::mutex mutex;
      std::condition_variable_any none;
      std::unique_lock lock(mutex);
      none.wait_for(lock, ended, std::chrono::duration<double>(std::min(time_s, longest_time_s)),
                    [] { return false; });
      if (!ended.stop_requested()) source_.request_stop();
    });
  }

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> on_interrupt_;
  std::jthread timer_;
};

/// One campaign against a target of its own (a reference that is started here is a fresh one).
properties::CampaignOutcome explore_once(const ExploreOptions& options, std::uint64_t seed,
                                         const std::stop_token& stop, Exploration& exploration,
                                         Terminal& terminal) {
  LoadedProfile profile = load_profile(options.target.profile, terminal);
  if (options.rate > 0) {
    profile.profile.limits.rate = std::clamp(options.rate, lowest_rate, highest_rate);
  }
  boost::asio::io_context io(1);
  ReadyTarget ready(io, profile, options.target, seed);
  target::SystemClock clock;
  run::TimerWaiter waiter(stop);
  const run::RunContext context{.target = ready.target(),
                                .profile = profile.profile,
                                .clock = clock,
                                .waiter = waiter,
                                .seed = seed,
                                .prefix = run::prefix_of_run(run_id_for("", ready, seed)),
                                .command = exploration.command};
  exploration.begin(profile, ready, clock, seed);
  if (!options.corpus.empty()) exploration.run_corpus(io, context, options.corpus, stop);
  properties::CampaignOptions campaign;
  campaign.seed = seed;
  campaign.first_case = options.first_case;
  campaign.cases = options.time_s > 0 ? std::uint64_t{1} << 40U : options.cases;
  campaign.most_moves = options.steps;
  // Ids that a server makes, and pages that grow, depend on who comes first.
  campaign.jobs = options.verify_determinism ? 1 : options.jobs;
  campaign.most_causes = options.most_failures;
  campaign.stop = stop;
  ProgressLine progress(terminal);
  campaign.on_progress = [&progress](std::uint64_t ended) {
    if (ended % 64 == 0) progress.show(fmt::format("{} cases", ended));
  };
  campaign.on_case = [&exploration](const core::CaseResult& result) { exploration.add(result); };
  const std::vector<const properties::Family*> families = chosen_families(options.globs);
  const double start_ms = clock.steady_ms();
  properties::CampaignOutcome outcome =
      properties::run_campaign(io, context, reference_profile(), families, campaign);
  exploration.duration_ms = clock.steady_ms() - start_ms;
  exploration.notes = ready.notes();
  return outcome;
}

std::string command_of(const ExploreOptions& options) {
  std::string command = fmt::format("assay run --profile {}", shell_word(options.target.profile));
  if (!options.target.url.empty()) {
    command += fmt::format(" --target {}", shell_word(options.target.url));
  }
  if (options.target.in_process) command += " --in-process";
  return command;
}

core::ExitCode explore(const ExploreOptions& options, Terminal& terminal) {
  const std::vector<ReportRequest> requests = read_report_requests(options.reports);
  std::vector<std::string> files;
  for (const ReportRequest& request : requests) files.push_back(request.file);
  OutputFiles outputs(files, {options.target.profile});
  (void)chosen_families(options.globs);
  const Interruption interruption;
  const Deadline deadline(options.time_s, interruption.token());
  const std::uint64_t seed = options.seed.value_or(std::random_device()());
  Exploration exploration;
  exploration.command = command_of(options);
  exploration.selection = options.globs;
  properties::CampaignOutcome outcome =
      explore_once(options, seed, deadline.token(), exploration, terminal);
  if (!outcome.unreachable.empty()) {
    terminal.err << "assay: " << outcome.unreachable << "\n";
    if (outcome.is_profile_fault) return core::ExitCode::usage;
    if (!outcome.has_cases()) return core::ExitCode::target_unreachable;
  }
  exploration.is_deterministic = true;
  if (options.verify_determinism) {
    Exploration second;
    second.command = exploration.command;
    const auto again = explore_once(options, seed, deadline.token(), second, terminal);
    exploration.is_deterministic = again.request_digest == outcome.request_digest;
  }
  exploration.was_interrupted = interruption.token().stop_requested();
  exploration.conclude(std::move(outcome));
  outputs.keep();
  if (!options.save.empty()) exploration.save(options.save);
  write_reports(requests,
                reports::make_report(exploration.record(), clause_table(), limits_for(requests)),
                terminal.out);
  if (take_standard_output(requests)) return exploration.exit_code();
  if (options.json) {
    terminal.out << wire::to_pretty_json(exploration.json()) << "\n";
  } else {
    terminal.out << exploration.text();
  }
  return exploration.exit_code();
}

void add_options(CLI::App& verb, ExploreOptions& options) {
  verb.add_option("families", options.globs,
                  "Property families (`assay list properties`); * stands for any characters. "
                  "Without any: all");
  add_target_options(verb, options.target);
  verb.add_option(
      "--seed", options.seed,
      "Seed for generated cases. The same seed, profile and version send the same requests");
  verb.add_option("--cases", options.cases, "Number of cases for each family")
      ->capture_default_str();
  verb.add_option("--first", options.first_case, "Index of the first case to run")
      ->capture_default_str();
  verb.add_option("--steps", options.steps, "Maximum number of commands in a case")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  verb.add_option("--time", options.time_s, "Run for this many seconds instead of --cases")
      ->check(finite_number(0));
  verb.add_option("--rate", options.rate, "Maximum number of requests per second")
      ->check(finite_number(0));
  verb.add_option("--jobs", options.jobs, "Maximum number of cases to run concurrently")
      ->capture_default_str()
      ->check(CLI::Range(1, 4'096));
  verb.add_option("--max-failures", options.most_failures,
                  "Stop after this many distinct causes; repeats are only counted")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb.add_option("--save", options.save,
                  "Write the smallest case of each cause to this folder, as a scenario");
  verb.add_option(
      "--corpus", options.corpus,
      "Run the scenarios in this folder first; each is reported as FIXED, FAILED or ERROR");
  verb.add_flag(
      "--verify-determinism", options.verify_determinism,
      "Run twice on a fresh target, such as the embedded reference, and compare all requests");
  verb.add_option("--report", options.reports, "FORMAT=FILE, one of `assay list formats`")
      ->expected(1)
      ->take_all();
  verb.add_flag("--json", options.json, "As JSON");
}

}  // namespace

void add_explore(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "explore", "Judge a server by generated cases, for as long as you like");
  const auto options = std::make_shared<ExploreOptions>();
  add_options(*verb, *options);
  verb->footer(
      "Each failure is rerun three times, shrunk, and grouped with others of the same cause.\n"
      "Examples:\n"
      "  assay explore --target http://127.0.0.1:8080 --time 60 --save counterexamples\n"
      "  assay explore run-walks --seed 7 --cases 1000\n"
      "  assay run --scenarios counterexamples --target http://127.0.0.1:8080");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return explore(*options, terminal); };
  });
}

}  // namespace assay::cli
