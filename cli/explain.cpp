#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/wire/json.h"
#include "properties/family.h"
#include "reference_impl/faults/catalogue.h"

namespace assay::cli {
namespace {

struct ExplainOptions {
  std::string clause;
  std::string scenarios;
  bool json = false;
};

/// All that is known of one clause.
struct Explanation {
  const core::Clause* clause = nullptr;
  std::vector<const core::Scenario*> checked_by;
  std::vector<const properties::Family*> explored_by;
  std::string not_observable;
  std::vector<const Interpretation*> interpretations;
  std::vector<const faults::Fault*> broken_by;
};

bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

const core::Clause& find_clause(std::string id) {
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  if (const core::Clause* clause = clause_table().find(id)) return *clause;
  std::vector<std::string> known;
  for (const core::Clause& each : clause_table().clauses()) known.push_back(each.id);
  throw UsageError(unknown_name_text("clause", id, known));
}

Explanation gather(const core::Clause& clause, const Suite& suite,
                   const Specification& specification) {
  Explanation all{&clause, {}, {}, "", {}, {}};
  for (const core::Scenario& scenario : suite.scenarios) {
    if (names(scenario.clauses, clause.id)) all.checked_by.push_back(&scenario);
  }
  for (const properties::Family& family : properties::families()) {
    if (names(family.clauses, clause.id)) all.explored_by.push_back(&family);
  }
  for (const NotObservable& entry : specification.not_observable) {
    if (entry.clause == clause.id) all.not_observable = entry.reason;
  }
  for (const Interpretation& entry : specification.interpretations) {
    if (names(entry.clauses, clause.id)) all.interpretations.push_back(&entry);
  }
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.clause == clause.id) all.broken_by.push_back(&fault);
  }
  return all;
}

void print_text(const Explanation& all, std::ostream& out) {
  out << fmt::format("{}  {}, {}\n  {}\n", all.clause->id, core::level_word(all.clause->level),
                     all.clause->source, all.clause->statement);
  if (!all.checked_by.empty()) {
    out << "\nChecked by\n";
    for (const core::Scenario* scenario : all.checked_by) {
      out << fmt::format("  {}\n    {}\n", scenario->id, scenario->title);
    }
  } else if (!all.not_observable.empty()) {
    out << fmt::format("\nNot observable from outside\n  {}\n", all.not_observable);
  } else {
    out << "\nNo case checks it yet.\n";
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
  if (!all.checked_by.empty()) {
    out << fmt::format("\nJudge it alone:  assay run --clause {}\n", all.clause->id);
  }
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
             {"level", core::level_word(all.clause->level)},
             {"source", all.clause->source},
             {"statement", all.clause->statement},
             {"checked_by", std::move(scenarios)},
             {"explored_by", std::move(explored_by)},
             {"not_observable", all.not_observable.empty() ? Value() : Value(all.not_observable)},
             {"interpretations", std::move(interpretations)},
             {"broken_by", std::move(broken_by)},
         })
      << "\n";
}

}  // namespace

void add_explain(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "explain", "Say what a clause demands, where it comes from and which cases check it");
  const auto options = std::make_shared<ExplainOptions>();
  verb->add_option("clause", options->clause, "A clause's id, as `assay list clauses` has them")
      ->required();
  verb->add_option("--scenarios", options->scenarios,
                   "A file or folder instead of the built-in ones");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer("Example:\n  assay explain STM-INF-BATCH");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) {
      const core::Clause& clause = find_clause(options->clause);
      const Suite suite = load_suite(options->scenarios);
      const Specification specification = embedded_specification();
      const Explanation all = gather(clause, suite, specification);
      (options->json ? print_json : print_text)(all, terminal.out);
      return core::ExitCode::conforms;
    };
  });
}

}  // namespace assay::cli
