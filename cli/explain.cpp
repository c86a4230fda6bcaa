#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <set>

#include "cli/generated.h"
#include "cli/reach.h"
#include "cli/sensitivity.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/sensitivity.h"
#include "harness/run/plan.h"
#include "harness/wire/json.h"
#include "properties/family.h"
#include "reference_impl/faults/catalogue.h"

namespace assay::cli {
namespace {

struct ExplainOptions {
  std::string clause;
  std::string scenarios;
  /// A profile through which the clause is to be seen; empty: none.
  std::string profile;
  bool json = false;
  bool whole = false;
};

/// What a profile lets the suite see of a clause.
struct Seen {
  std::string profile;
  /// Had all of the clause's cases passed.
  core::Sensitivity most;
  /// What the profile would have to show or to have a word for, whether it is enough or not.
  std::vector<std::string> hidden_by;
  /// Capabilities that cases of the clause need and the profile does not declare.
  std::set<std::string> missing;
};

/// All that is known of one clause.
struct Explanation {
  const core::Clause* clause = nullptr;
  std::vector<const core::Scenario*> checked_by;
  std::vector<const properties::Family*> explored_by;
  const NotObservable* not_observable = nullptr;
  std::vector<const Interpretation*> interpretations;
  std::vector<const faults::Fault*> broken_by;
  std::optional<Seen> seen;
};

bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

const core::Clause& find_clause(const std::string& asked) {
  const std::string id = as_clause_id(asked);
  if (const core::Clause* clause = clause_table().find(id)) return *clause;
  std::vector<std::string> known;
  for (const core::Clause& each : clause_table().clauses()) known.push_back(each.id);
  throw UsageError(unknown_name_text("clause", id, known));
}

Explanation gather(const core::Clause& clause, const Suite& suite,
                   const Specification& specification) {
  Explanation all;
  all.clause = &clause;
  for (const core::Scenario& scenario : suite.scenarios) {
    if (names(scenario.clauses, clause.id)) all.checked_by.push_back(&scenario);
  }
  for (const properties::Family& family : properties::families()) {
    if (names(family.clauses, clause.id)) all.explored_by.push_back(&family);
  }
  for (const NotObservable& entry : specification.not_observable) {
    if (entry.clause == clause.id) all.not_observable = &entry;
  }
  for (const Interpretation& entry : specification.interpretations) {
    if (names(entry.clauses, clause.id)) all.interpretations.push_back(&entry);
  }
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.clause == clause.id) all.broken_by.push_back(&fault);
  }
  return all;
}

Seen see_through(const LoadedProfile& profile, const core::Clause& clause, Terminal& terminal) {
  const Suite suite = whole_suite("", profile.profile, {}, SuiteCache(terminal, true, profile));
  Seen seen{profile.profile.name, {}, {}, {}};
  std::vector<core::Case> cases;
  std::vector<const core::Case*> all;
  for (const core::Scenario& scenario : suite.scenarios) {
    if (!names(scenario.clauses, clause.id)) continue;
    const std::vector<std::string> missing = run::missing_for(scenario, profile.profile);
    seen.missing.insert(missing.begin(), missing.end());
    for (core::Case& one : core::cases_of(scenario)) cases.push_back(std::move(one));
  }
  for (const core::Case& one : cases) all.push_back(&one);
  seen.hidden_by = check::hidden_by(clause.id, all, profile.profile);
  const SensitivityCache cache(terminal, true, suite.digest, profile.digest);
  seen.most = possible_sensitivity(clause.id, cases, profile.profile, cache, terminal);
  return seen;
}

void print_seen(const Seen& seen, std::ostream& out) {
  out << fmt::format("\nThrough the profile {}\n", seen.profile);
  out << fmt::format("  {} of {} known ways to break it can be noticed{}\n",
                     seen.most.caught.size(), seen.most.known,
                     seen.most.caught.empty() ? ": a pass shows nothing" : "");
  for (const std::string& reason : seen.hidden_by) out << fmt::format("  {}\n", reason);
  if (!seen.missing.empty()) {
    out << fmt::format("  not declared, and cases of it need: {}\n", fmt::join(seen.missing, ", "));
  }
}

/// Why no request can show it; of a part of the clause, that part first.
std::string unseen_text(const NotObservable& entry) {
  return entry.part.empty() ? entry.reason : fmt::format("\"{}\": {}", entry.part, entry.reason);
}

void print_text(const Explanation& all, std::ostream& out) {
  out << fmt::format("{}  {}, {}\n  {}\n", all.clause->id, core::level_words[all.clause->level],
                     all.clause->source, all.clause->statement);
  if (!all.checked_by.empty()) {
    out << "\nChecked by\n";
    for (const core::Scenario* scenario : all.checked_by) {
      out << fmt::format("  {}\n    {}\n", scenario->id, scenario->title);
    }
  } else if (all.not_observable == nullptr) {
    out << "\nNo case checks it yet.\n";
  }
  if (all.not_observable != nullptr) {
    out << fmt::format("\nNot observable from outside\n  {}\n", unseen_text(*all.not_observable));
  }
  if (!all.explored_by.empty()) out << "\nExplored by (assay explore)\n";
  for (const properties::Family* family : all.explored_by) {
    out << fmt::format("  {}\n    {}\n", family->id, family->title);
  }
  for (const Interpretation* entry : all.interpretations) {
    out << fmt::format("\nGap: {}\n  {}\n", entry->key, entry->question);
    for (const Interpretation::Choice& choice : entry->choices) {
      out << fmt::format("  {} {}: {}\n", choice.name == entry->chosen ? "*" : " ", choice.name,
                         choice.meaning);
    }
    out << fmt::format("  The reference has {}: {}\n", entry->chosen, entry->because);
  }
  if (!all.broken_by.empty()) out << "\nBroken by (assay serve --fault)\n";
  for (const faults::Fault* fault : all.broken_by) {
    out << fmt::format("  {}\n    {}\n", fault->id, fault->title);
  }
  if (all.seen) print_seen(*all.seen, out);
  if (!all.checked_by.empty()) {
    out << fmt::format("\nJudge it alone:  assay run --clause {}\n", all.clause->id);
  }
}

Value seen_json(const std::optional<Seen>& seen) {
  if (!seen) return {};
  return Object{{"profile", seen->profile},
                {"known", static_cast<std::uint64_t>(seen->most.known)},
                {"caught", List(seen->most.caught.begin(), seen->most.caught.end())},
                {"hidden_by", List(seen->hidden_by.begin(), seen->hidden_by.end())},
                {"missing", List(seen->missing.begin(), seen->missing.end())}};
}

void print_json(const Explanation& all, std::ostream& out) {
  List scenarios;
  for (const core::Scenario* scenario : all.checked_by) {
    scenarios.emplace_back(
        Object{{"id", scenario->id}, {"title", scenario->title}, {"file", scenario->at.file}});
  }
  List explored_by;
  for (const properties::Family* family : all.explored_by) explored_by.emplace_back(family->id);
  List interpretations;
  for (const Interpretation* entry : all.interpretations) interpretations.emplace_back(entry->key);
  List broken_by;
  for (const faults::Fault* fault : all.broken_by) broken_by.emplace_back(fault->id);
  out << wire::to_pretty_json(Object{
             {"id", all.clause->id},
             {"level", core::level_words[all.clause->level]},
             {"source", all.clause->source},
             {"statement", all.clause->statement},
             {"checked_by", std::move(scenarios)},
             {"explored_by", std::move(explored_by)},
             {"not_observable",
              all.not_observable == nullptr ? Value() : Value(unseen_text(*all.not_observable))},
             {"interpretations", std::move(interpretations)},
             {"broken_by", std::move(broken_by)},
             {"seen", seen_json(all.seen)},
         })
      << "\n";
}

}  // namespace

void add_explain(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "explain", "Say what a clause demands, where it comes from and which cases check it");
  const auto options = std::make_shared<ExplainOptions>();
  verb->add_option("clause", options->clause,
                   "A clause's id, as `assay list clauses` has them; without one, with --profile:\n"
                   "which clauses that profile brings into reach, and what would bring the others");
  verb->add_option("--scenarios", options->scenarios,
                   "A file or folder instead of the built-in ones");
  verb->add_option(
      "--profile", options->profile,
      "Also what this profile lets the suite see of it, and what it would have to show");
  verb->add_flag("--all", options->whole,
                 "Without a clause: also what it would take for specifications of which the\n"
                 "profile declares nothing");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer(
      "Examples:\n  assay explain STM-INF-BATCH\n  assay explain STM-CMD-T2 --profile noetl-py\n  "
      "assay explain --profile mine.yaml");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) {
      if (options->clause.empty()) {
        if (options->profile.empty()) throw UsageError("explain what? Give a clause, or --profile");
        explain_reach(options->profile, {.json = options->json, .whole = options->whole}, terminal);
        return core::ExitCode::conforms;
      }
      const core::Clause& clause = find_clause(options->clause);
      const Suite suite = load_suite(options->scenarios);
      const Specification specification = embedded_specification();
      Explanation all = gather(clause, suite, specification);
      if (!options->profile.empty()) {
        all.seen = see_through(load_profile(options->profile, terminal), clause, terminal);
      }
      (options->json ? print_json : print_text)(all, terminal.out);
      return core::ExitCode::conforms;
    };
  });
}

}  // namespace assay::cli
