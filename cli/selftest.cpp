#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <thread>

#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/kill_table.h"
#include "cli/property_hunt.h"
#include "cli/reference.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/lens.h"
#include "harness/run/plan.h"
#include "harness/wire/json.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

struct SelftestOptions {
  std::vector<std::string> globs;
  std::string markdown;
  /// The zoo is seen through the lens of this profile.
  std::string profile = "reference";
  std::size_t every = 1;
  std::uint64_t property_commands = 1'000;
  bool own_clause = false;
  bool json = false;
};

bool is_through_a_lens(const SelftestOptions& options) { return options.profile != "reference"; }

std::vector<const faults::Fault*> chosen_faults(const SelftestOptions& options) {
  std::vector<const faults::Fault*> chosen;
  std::vector<std::string> known;
  for (const faults::Fault& fault : faults::faults()) known.emplace_back(fault.id);
  for (const std::string& glob : options.globs) {
    const auto matches = [&](const std::string& id) { return core::matches_glob(glob, id); };
    if (std::none_of(known.begin(), known.end(), matches)) {
      throw UsageError(unknown_name_text("fault", glob, known));
    }
  }
  std::size_t index = 0;
  for (const faults::Fault& fault : faults::faults()) {
    const auto matches = [&](const std::string& glob) {
      return core::matches_glob(glob, fault.id);
    };
    const bool is_named =
        options.globs.empty() || std::any_of(options.globs.begin(), options.globs.end(), matches);
    if (is_named && index++ % options.every == 0) chosen.push_back(&fault);
  }
  return chosen;
}

/// The whole suite, ready to be run against one service after another.
class Bench {
 public:
  explicit Bench(const LoadedProfile& target)
      : profile_(check::lens(reference_profile(), target.profile)), suite_(load_suite("")) {
    plan_ = run::make_plan(suite_.scenarios, {}, clause_table());
  }

  /// Runs these no more.
  void leave_out(const std::vector<std::string>& case_ids) {
    left_out_.insert(case_ids.begin(), case_ids.end());
  }

  /// The whole suite.
  core::RunRecord run(service::Service& service) { return run(service, plan_.cases); }

  /// Only the cases that check this clause.
  core::RunRecord run_clause(std::string_view clause, service::Service& service) {
    return run(
        service,
        run::make_plan(suite_.scenarios, {.clauses = {std::string(clause)}}, clause_table()).cases);
  }

 private:
  core::RunRecord run(service::Service& service, std::span<const core::Case> cases) {
    std::vector<core::Case> kept(cases.begin(), cases.end());
    std::erase_if(kept, [this](const core::Case& one) { return left_out_.contains(one.id); });
    return run_in_process(service, profile_, kept);
  }

  core::Profile profile_;
  std::set<std::string> left_out_;
  Suite suite_;
  run::Plan plan_;
};

/// Says of what the sound reference is accused; an empty list is what is hoped for.
std::vector<std::string> accuse_the_sound(Bench& bench) {
  const std::unique_ptr<service::Service> sound =
      service::make_reference(reference_options(in_process_seed));
  return accusing_cases(bench.run(*sound));
}

/// The table of all faults, made by as many threads as the machine has cores: a broken server is
/// one thread's alone.
class KillTable {
 public:
  KillTable(const std::vector<const faults::Fault*>& chosen, const SelftestOptions& options,
            Terminal& terminal)
      : chosen_(chosen),
        options_(options),
        hunt_(options.property_commands),
        kills_(chosen.size()),
        progress_(terminal) {}

  /// The benches work side by side.
  std::vector<Kill> made_by(std::vector<std::unique_ptr<Bench>>& benches) {
    std::vector<std::future<void>> workers;
    for (const std::unique_ptr<Bench>& bench : benches) {
      workers.push_back(std::async(std::launch::async, [this, &bench] { work(*bench); }));
    }
    for (std::future<void>& worker : workers) worker.get();
    return std::move(kills_);
  }

 private:
  void work(Bench& bench) {
    for (std::size_t index = next_++; index < chosen_.size(); index = next_++) {
      const faults::Fault& fault = *chosen_[index];
      show(fault);
      Kill& kill = kills_[index];
      if (options_.own_clause || is_through_a_lens(options_)) {
        kill = kill_of(fault, bench.run_clause(fault.clause, *broken(fault)));
      }
      // What a lens hides, the cases of other clauses show no better.
      if (is_through_a_lens(options_)) continue;
      if (!kill.caught()) kill = kill_of(fault, bench.run(*broken(fault)));
      if (options_.property_commands > 0) kill.by_property = hunt_.hunt(fault);
    }
  }

  static std::unique_ptr<service::Service> broken(const faults::Fault& fault) {
    return faults::make_broken(fault, reference_options(in_process_seed));
  }

  void show(const faults::Fault& fault) {
    const std::scoped_lock lock(mutex_);
    progress_.show(fmt::format("{} of {} faults: {}", shown_++, chosen_.size(), fault.id));
  }

  const std::vector<const faults::Fault*>& chosen_;
  const SelftestOptions& options_;
  PropertyHunt hunt_;
  std::vector<Kill> kills_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t shown_ = 0;
  ProgressLine progress_;
};

void write_markdown(const std::string& path, const std::vector<Kill>& kills) {
  std::ofstream file(path, std::ios::binary);
  file << kill_markdown(kills);
  file.close();
  if (!file) throw UsageError(fmt::format("{}: cannot be written", path));
}

core::ExitCode selftest(const SelftestOptions& options, Terminal& terminal) {
  const std::vector<const faults::Fault*> chosen = chosen_faults(options);
  const LoadedProfile target = load_profile(options.profile, terminal);
  std::vector<std::unique_ptr<Bench>> benches;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t count = 0; count < std::min(cores, chosen.size()); ++count) {
    benches.push_back(std::make_unique<Bench>(target));
  }
  const std::vector<std::string> accusing = accuse_the_sound(*benches.front());
  // What accuses the sound reference through a lens shows nothing of a broken one.
  if (is_through_a_lens(options)) {
    for (const std::unique_ptr<Bench>& bench : benches) bench->leave_out(accusing);
  }
  const std::vector<Kill> kills = KillTable(chosen, options, terminal).made_by(benches);
  if (!options.markdown.empty()) write_markdown(options.markdown, kills);
  if (options.json) {
    Value table = kill_json(kills);
    table.as_object()["sound_accused_by"] = List(accusing.begin(), accusing.end());
    terminal.out << wire::to_pretty_json(table) << "\n";
  } else {
    terminal.out << kill_text(kills);
    for (const std::string& id : accusing) {
      terminal.out << fmt::format("the sound reference is accused by {}\n", id);
    }
  }
  // Through another profile much is hidden; that is what is shown, and no fault of the suite.
  if (is_through_a_lens(options)) return core::ExitCode::conforms;
  const bool all_caught =
      std::all_of(kills.begin(), kills.end(), [](const Kill& kill) { return kill.caught(); });
  return all_caught && accusing.empty() ? core::ExitCode::conforms
                                        : core::ExitCode::unexpected_findings;
}

}  // namespace

void add_selftest(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "selftest", "Show that the suite catches every broken server of the zoo");
  const auto options = std::make_shared<SelftestOptions>();
  verb->add_option("--fault", options->globs,
                   "Only these faults; * stands for any characters (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option("--every", options->every, "Only each N-th of them: a sample for slow builds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_option("--property-commands", options->property_commands,
                   "Commands of generated cases that may be spent on each fault; 0: none are made")
      ->capture_default_str();
  verb->add_option(
          "--profile", options->profile,
          "See the zoo as a target with this profile is seen, by the cases that check each "
          "fault's clause: what a pass there is worth. Faults that survive are no failure "
          "then")
      ->capture_default_str();
  CLI::Option* page = verb->add_option("--markdown", options->markdown,
                                       "Write the table to this file, as docs/zoo.md");
  verb->add_flag("--own-clause", options->own_clause,
                 "Judge each fault by the cases that check its clause, and by the whole suite only "
                 "where they miss it: much faster, but the table counts what was run alone")
      ->excludes(page);
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer(
      "Exits with 1 where a fault survives, where it is caught only under clauses that it does "
      "not\n"
      "break, or where the sound reference is accused.\n"
      "Examples:\n  assay selftest\n  assay selftest --fault 'batch-*'");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return selftest(*options, terminal); };
  });
}

}  // namespace assay::cli
