#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <stop_token>
#include <thread>
#include <type_traits>

#include "cli/acquittal.h"
#include "cli/choice_trial.h"
#include "cli/in_process_run.h"
#include "cli/interruption.h"
#include "cli/kill_table.h"
#include "cli/property_hunt.h"
#include "cli/quick.h"
#include "cli/reference.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/suite_runner.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/wire/json.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/liberties/catalogue.h"
#include "reference_impl/liberties/choices.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

struct SelftestOptions {
  std::vector<std::string> faults;
  std::vector<std::string> liberties;
  std::vector<std::string> choices;
  std::string markdown;
  std::string liberties_markdown;
  /// Where the cases of `run --quick` are written; empty: nowhere.
  std::string quick_cases;
  /// The zoo is seen through the lens of this profile.
  std::string profile = "reference";
  std::size_t every = 1;
  std::uint64_t property_commands = 1'000;
  bool own_clause = false;
  bool json = false;
};

bool is_through_a_lens(const SelftestOptions& options) { return options.profile != "reference"; }

/// Those of `all` that a glob names, every N-th of them; no glob names all. Throws UsageError for a
/// glob that names none.
template <typename Entry>
std::vector<const Entry*> chosen_of(std::span<const Entry> all, std::string_view what,
                                    const std::vector<std::string>& globs, std::size_t every) {
  std::vector<std::string> known;
  for (const Entry& entry : all) known.emplace_back(entry.id);
  for (const std::string& glob : globs) {
    const auto matches = [&](const std::string& id) { return core::matches_glob(glob, id); };
    if (std::none_of(known.begin(), known.end(), matches)) {
      throw UsageError(unknown_name_text(what, glob, known));
    }
  }
  std::vector<const Entry*> chosen;
  std::size_t index = 0;
  for (const Entry& entry : all) {
    const auto matches = [&](const std::string& glob) {
      return core::matches_glob(glob, entry.id);
    };
    const bool is_named = globs.empty() || std::any_of(globs.begin(), globs.end(), matches);
    if (is_named && index++ % every == 0) chosen.push_back(&entry);
  }
  return chosen;
}

/// No faults where only liberties are named.
std::vector<const faults::Fault*> chosen_faults(const SelftestOptions& options) {
  const bool names_others = !options.liberties.empty() || !options.choices.empty();
  if (options.faults.empty() && names_others) return {};
  return chosen_of(faults::faults(), "fault", options.faults, options.every);
}

/// How many servers share the liberties out where speed counts.
constexpr std::size_t sharing_servers = 8;

/// A server for each liberty and one that takes all; none where only faults are named, and none
/// through a lens, which shows what a pass of another target is worth.
std::vector<SoundServer> chosen_servers(const SelftestOptions& options) {
  const bool names_others = !options.faults.empty() || !options.choices.empty();
  if ((options.liberties.empty() && names_others) || is_through_a_lens(options)) return {};
  std::vector<std::string> globs = options.liberties;
  const bool names_all = std::erase(globs, "all") > 0;
  if (names_all && globs.empty()) return {taking_all()};
  std::vector<SoundServer> servers;
  const bool names_every_one = globs.empty() || globs == std::vector<std::string>{"*"};
  if (options.own_clause && names_every_one) {
    servers = sharing_out(sharing_servers);
  } else {
    for (const auto* one : chosen_of(liberties::liberties(), "liberty", globs, options.every)) {
      servers.push_back(taking(*one));
    }
  }
  if (names_all || globs.empty()) servers.push_back(taking_all());
  return servers;
}

std::string choice_name(const liberties::OtherChoice& other) {
  return fmt::format("{}={}", other.key, other.choice);
}

/// The choices that are not the reference's; none where only faults or liberties are named.
std::vector<const liberties::OtherChoice*> chosen_choices(const SelftestOptions& options) {
  const bool names_others = !options.faults.empty() || !options.liberties.empty();
  if ((options.choices.empty() && names_others) || is_through_a_lens(options)) return {};
  std::vector<std::string> known;
  std::vector<const liberties::OtherChoice*> chosen;
  std::size_t index = 0;
  for (const liberties::OtherChoice& other : liberties::other_choices()) {
    known.push_back(choice_name(other));
    const bool is_named =
        options.choices.empty() ||
        std::any_of(options.choices.begin(), options.choices.end(),
                    [&known](const auto& glob) { return core::matches_glob(glob, known.back()); });
    if (is_named && index++ % options.every == 0) chosen.push_back(&other);
  }
  for (const std::string& glob : options.choices) {
    const auto matches = [&](const std::string& name) { return core::matches_glob(glob, name); };
    if (std::none_of(known.begin(), known.end(), matches)) {
      throw UsageError(unknown_name_text("choice", glob, known));
    }
  }
  return chosen;
}

using Runners = std::vector<std::unique_ptr<SuiteRunner>>;

/// What `work(runner, index)` gives for each index under `count`, in their order, by as many
/// threads as there are runners: a server is one thread's alone. Once a stop is requested none is
/// begun, and what was under way, which may have been cut short, gives nothing.
template <typename Work>
auto share_out(Runners& runners, std::size_t count, const std::stop_token& stop, const Work& work) {
  using Result = std::invoke_result_t<Work, SuiteRunner&, std::size_t>;
  std::vector<std::optional<Result>> places(count);
  std::atomic<std::size_t> next = 0;
  std::vector<std::future<void>> workers;
  for (const std::unique_ptr<SuiteRunner>& runner : runners) {
    workers.push_back(std::async(std::launch::async, [&, count] {
      for (std::size_t index = next++; index < count && !stop.stop_requested(); index = next++) {
        Result result = work(*runner, index);
        if (!stop.stop_requested()) places[index] = std::move(result);
      }
    }));
  }
  for (std::future<void>& worker : workers) worker.get();
  std::vector<Result> results;
  for (std::optional<Result>& place : places) {
    if (place) results.push_back(*std::move(place));
  }
  return results;
}

/// The whole suite on the correct reference; what fails there is a false positive.
core::RunRecord judge_the_sound(SuiteRunner& runner) {
  const std::unique_ptr<service::Service> sound =
      service::make_reference(reference_options(in_process_seed, runner.profile()));
  return runner.run(*sound);
}

/// One line of progress that several threads write.
class SharedProgress {
 public:
  SharedProgress(std::string_view what, std::size_t count, Terminal& terminal)
      : what_(what), count_(count), line_(terminal) {}

  void show(std::string_view id) {
    const std::scoped_lock lock(mutex_);
    line_.show(fmt::format("{} of {} {}: {}", shown_++, count_, what_, id));
  }

 private:
  std::string what_;
  std::size_t count_;
  std::mutex mutex_;
  std::size_t shown_ = 0;
  ProgressLine line_;
};

Kill kill_on(SuiteRunner& runner, const faults::Fault& fault, const SelftestOptions& options) {
  const auto broken = [&] {
    return faults::make_broken(fault, reference_options(in_process_seed, runner.profile()));
  };
  if (options.own_clause || is_through_a_lens(options)) {
    Kill by_own = kill_of(fault, runner.run_clause(fault.clause, *broken()));
    // What a lens hides, the cases of other clauses show no better.
    if (by_own.caught() || is_through_a_lens(options)) return by_own;
  }
  return kill_of(fault, runner.run(*broken()));
}

Kill kill(const faults::Fault& fault, SuiteRunner& runner, const SelftestOptions& options) {
  if (fault.under.key.empty() || is_through_a_lens(options)) return kill_on(runner, fault, options);
  SuiteRunner declaring(profile_showing(fault));
  return kill_on(declaring, fault, options);
}

std::vector<Kill> kill_all(const std::vector<const faults::Fault*>& chosen, Runners& runners,
                           const SelftestOptions& options, const std::stop_token& stop,
                           Terminal& terminal) {
  PropertyHunt hunt(options.property_commands, stop);
  SharedProgress progress("faults", chosen.size(), terminal);
  return share_out(runners, chosen.size(), stop, [&](SuiteRunner& runner, std::size_t index) {
    const faults::Fault& fault = *chosen[index];
    progress.show(fault.id);
    Kill judged = kill(fault, runner, options);
    if (options.property_commands > 0 && !is_through_a_lens(options))
      judged.by_property = hunt.hunt(fault);
    return judged;
  });
}

std::vector<Acquittal> acquit_all(const std::vector<SoundServer>& chosen, Runners& runners,
                                  const SelftestOptions& options, const std::stop_token& stop,
                                  Terminal& terminal) {
  SharedProgress progress("sound servers", chosen.size(), terminal);
  return share_out(runners, chosen.size(), stop, [&](SuiteRunner& runner, std::size_t index) {
    progress.show(chosen[index].name);
    return acquit(chosen[index], runner, options.property_commands, stop);
  });
}

std::vector<ChoiceTrial> try_all(const std::vector<const liberties::OtherChoice*>& chosen,
                                 Runners& runners, const SelftestOptions& options,
                                 const std::stop_token& stop, Terminal& terminal) {
  SharedProgress progress("choices", chosen.size(), terminal);
  const TrialScope scope =
      options.own_clause ? TrialScope::cases_of_its_clauses : TrialScope::whole_suite;
  return share_out(runners, chosen.size(), stop, [&](SuiteRunner&, std::size_t index) {
    progress.show(choice_name(*chosen[index]));
    return try_choice(*chosen[index], scope, options.property_commands, stop);
  });
}

void write_page(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  // Where there is no such place the command line is wrong; where there is no room it is not.
  if (!std::ofstream(path, std::ios::app)) {
    throw UsageError(fmt::format("{}: cannot be written", path));
  }
  write_file(path, text);
}

/// What was made of the servers that were chosen, as far as it went.
struct Judged {
  /// Cases that accuse the correct reference.
  std::vector<std::string> accusing;
  std::vector<Kill> kills;
  std::vector<Acquittal> acquittals;
  std::vector<ChoiceTrial> trials;
  /// How many servers there were to be judged.
  std::size_t chosen = 0;

  [[nodiscard]] std::size_t count() const {
    return kills.size() + acquittals.size() + trials.size();
  }
  [[nodiscard]] bool is_whole() const { return count() == chosen; }
  [[nodiscard]] bool is_good() const {
    const auto caught = [](const Kill& kill) { return kill.caught(); };
    const auto acquitted = [](const Acquittal& acquittal) { return acquittal.acquitted(); };
    const auto respected = [](const ChoiceTrial& trial) { return trial.is_respected(); };
    return accusing.empty() && std::all_of(kills.begin(), kills.end(), caught) &&
           std::all_of(acquittals.begin(), acquittals.end(), acquitted) &&
           std::all_of(trials.begin(), trials.end(), respected);
  }
};

/// A table of some servers would be taken for one of all: nothing is written where one is missing.
void write_pages(const SelftestOptions& options, const Judged& judged,
                 const core::RunRecord& sound) {
  if (!judged.is_whole()) return;
  write_page(options.markdown, kill_markdown(judged.kills, options.own_clause));
  write_page(options.liberties_markdown, acquittal_markdown(judged.acquittals));
  if (options.quick_cases.empty()) return;
  write_page(options.quick_cases,
             quick_cases_text(greedy_cover(catching_cases(judged.kills, clause_table()),
                                           requests_of_cases(sound))));
}

void show(const Judged& judged, bool as_json, Terminal& terminal) {
  if (as_json) {
    Value table = kill_json(judged.kills);
    table.as_object()["sound_accused_by"] = List(judged.accusing.begin(), judged.accusing.end());
    table.as_object()["liberties"] = acquittal_json(judged.acquittals);
    table.as_object()["choices"] = trials_json(judged.trials);
    table.as_object()["cut_short"] = !judged.is_whole();
    terminal.out << wire::to_pretty_json(table) << "\n";
    return;
  }
  if (!judged.kills.empty()) terminal.out << kill_text(judged.kills);
  if (!judged.acquittals.empty()) terminal.out << acquittal_text(judged.acquittals);
  if (!judged.trials.empty()) terminal.out << trials_text(judged.trials);
  for (const std::string& id : judged.accusing) {
    terminal.out << fmt::format("false positive: {} fails on the correct reference\n", id);
  }
  if (judged.is_whole()) return;
  terminal.out << fmt::format("Interrupted after {} of {} servers; incomplete\n", judged.count(),
                              judged.chosen);
}

core::ExitCode selftest(const SelftestOptions& options, Terminal& terminal) {
  const std::vector<const faults::Fault*> faults = chosen_faults(options);
  const std::vector<SoundServer> servers = chosen_servers(options);
  const std::vector<const liberties::OtherChoice*> choices = chosen_choices(options);
  const LoadedProfile target = load_profile(options.profile, terminal);
  const Interruption interruption;
  const std::stop_token stop = interruption.token();
  Judged judged;
  judged.chosen = faults.size() + servers.size() + choices.size();
  Runners runners;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t count = 0; count < std::min(cores, judged.chosen); ++count) {
    runners.push_back(std::make_unique<SuiteRunner>(target.profile));
  }
  const core::RunRecord sound = judge_the_sound(*runners.front());
  judged.accusing = accusing_cases(sound);
  // What accuses the sound reference through a lens shows nothing of a broken one.
  if (is_through_a_lens(options)) {
    for (const std::unique_ptr<SuiteRunner>& runner : runners) runner->leave_out(judged.accusing);
  }
  judged.kills = kill_all(faults, runners, options, stop, terminal);
  judged.acquittals = acquit_all(servers, runners, options, stop, terminal);
  judged.trials = try_all(choices, runners, options, stop, terminal);
  show(judged, options.json, terminal);
  write_pages(options, judged, sound);
  // Through another profile much is hidden; that is what is shown, and no fault of the suite.
  if (!is_through_a_lens(options) && !judged.is_good()) return core::ExitCode::unexpected_findings;
  return judged.is_whole() ? core::ExitCode::conforms : core::ExitCode::nothing_proven;
}

}  // namespace

void add_selftest(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "selftest", "Check that the suite catches every broken server and passes every correct one");
  const auto options = std::make_shared<SelftestOptions>();
  verb->add_option("--fault", options->faults,
                   "Only these faults; * stands for any characters (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option("--liberty", options->liberties,
                   "Only these liberties, and only the faults and choices that are named; all: "
                   "every liberty at once (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option(
          "--choice", options->choices,
          "Only these choices (KEY=CHOICE, from `assay list interpretations`; * stands for any "
          "characters), and only the faults and liberties that are named (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option("--every", options->every, "Only every Nth of them: a sample for slow builds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_option("--property-commands", options->property_commands,
                   "Budget of generated commands for each server (0: no generated cases)")
      ->capture_default_str();
  verb->add_option(
          "--profile", options->profile,
          "Judge the zoo through this profile, by the cases that check each fault's clause, to see "
          "what a pass through it is worth. Surviving faults don't fail the selftest then")
      ->capture_default_str();
  verb->add_option("--markdown", options->markdown, "Write the table to this file, as docs/zoo.md");
  verb->add_option("--liberties-markdown", options->liberties_markdown,
                   "Write the table of acquittals to this file, as docs/liberties.md");
  verb->add_option("--quick-cases", options->quick_cases,
                   "Choose the cases of `assay run --quick` anew and write them to this file, as "
                   "fixtures/spec/quick_cases.txt");
  verb->add_flag("--own-clause", options->own_clause,
                 "Judge each fault by the cases that check its clause, and by the whole suite only "
                 "if they miss it, and share the liberties out among a few sound servers: much "
                 "faster; the table then counts the requests of these cases alone");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer(
      "Exits with 1 if a fault survives, if it is caught only under clauses that it does not\n"
      "break, if a correct server fails (the reference, one that takes a liberty, or one whose\n"
      "profile declares its choices), or if an undeclared choice goes unnoticed; with 4 if it was\n"
      "interrupted before any of that was found.\n"
      "Examples:\n  assay selftest\n  assay selftest --fault 'batch-*'\n"
      "  assay selftest --liberty all");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return selftest(*options, terminal); };
  });
}

}  // namespace assay::cli
