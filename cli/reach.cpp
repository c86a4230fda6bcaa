#include "cli/reach.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/generated.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "harness/check/sensitivity.h"
#include "harness/run/plan.h"
#include "harness/wire/json.h"
#include "reports/wording.h"

namespace assay::cli {
namespace {

using Names = std::vector<std::string>;

/// What a profile lets the suite judge of one clause.
struct ClauseReach {
  const core::Clause* clause = nullptr;
  /// Cases that apply.
  std::size_t cases = 0;
  /// What the profile hides of what these cases expect.
  Names hidden_by;
  /// Of a clause without such a case: the least that the profile would have to declare. Empty: no
  /// request shows the clause.
  Names missing;
};

bool is_less_to_declare(const Names& left, const Names& right) {
  return std::tuple(left.size(), left) < std::tuple(right.size(), right);
}

bool names(const core::Scenario& scenario, const std::string& clause) {
  return std::find(scenario.clauses.begin(), scenario.clauses.end(), clause) !=
         scenario.clauses.end();
}

/// The scenario as the profile's target is asked it, kept in `asked` where it is not the whole.
const core::Scenario& as_asked(const core::Scenario& whole, const core::Profile& profile,
                               std::deque<core::Scenario>& asked) {
  auto chosen = run::as_asked_of(profile, whole);
  return chosen ? asked.emplace_back(*std::move(chosen)) : whole;
}

/// What steps with needs of their own lack of the profile.
Names missing_steps(const core::Scenario& whole, const core::Profile& profile) {
  std::set<std::string> missing;
  for (const core::Step& step : whole.steps) {
    for (const std::string& capability : step.needs) {
      if (!profile.capabilities.contains(capability)) missing.insert(capability);
    }
  }
  return {missing.begin(), missing.end()};
}

ClauseReach reach_of(const core::Clause& clause, const Suite& suite, const core::Profile& profile) {
  ClauseReach reach{&clause, 0, {}, {}};
  std::vector<core::Case> cases;
  std::deque<core::Scenario> asked;
  std::optional<Names> least;
  for (const core::Scenario& whole : suite.scenarios) {
    if (!names(whole, clause.id)) continue;
    const core::Scenario& scenario = as_asked(whole, profile, asked);
    Names missing = run::missing_for(scenario, profile);
    if (missing.empty() && !names(scenario, clause.id)) missing = missing_steps(whole, profile);
    if (missing.empty()) {
      for (core::Case& one : core::cases_of(scenario)) cases.push_back(std::move(one));
    } else if (!least || is_less_to_declare(missing, *least)) {
      least = std::move(missing);
    }
  }
  reach.cases = cases.size();
  std::vector<const core::Case*> all;
  for (const core::Case& one : cases) all.push_back(&one);
  if (!all.empty()) {
    reach.hidden_by = check::hidden_by(clause.id, all, profile);
  } else if (least) {
    reach.missing = *std::move(least);
  }
  return reach;
}

std::string specification_of(const ClauseReach& each) {
  return std::string(reports::specification_of(*each.clause));
}

bool is_of(const ClauseReach& each, const Names& specifications) {
  return std::find(specifications.begin(), specifications.end(), specification_of(each)) !=
         specifications.end();
}

/// The specifications of which no clause is in reach: a target that is judged by one of them has
/// little use for what the others would need. None where nothing at all is in reach.
Names others_of(const std::vector<ClauseReach>& all) {
  Names specifications;
  std::set<std::string> reached;
  for (const ClauseReach& each : all) {
    if (each.cases > 0) reached.insert(specification_of(each));
    if (!is_of(each, specifications)) specifications.push_back(specification_of(each));
  }
  if (reached.empty()) return {};
  std::erase_if(specifications, [&reached](const auto& name) { return reached.contains(name); });
  return specifications;
}

/// What a declaration would bring: the clauses for which it is the least.
struct ReachStep {
  Names missing;
  Names clauses;
};

std::vector<ReachStep> steps_of(const std::vector<ClauseReach>& all, const Names& others) {
  std::map<Names, Names> by_missing;
  for (const ClauseReach& each : all) {
    if (each.missing.empty() || is_of(each, others)) continue;
    by_missing[each.missing].push_back(each.clause->id);
  }
  std::vector<ReachStep> steps;
  for (auto& [missing, clauses] : by_missing) steps.push_back({missing, std::move(clauses)});
  std::stable_sort(steps.begin(), steps.end(), [](const ReachStep& left, const ReachStep& right) {
    return std::tuple(left.missing.size(), right.clauses.size()) <
           std::tuple(right.missing.size(), left.clauses.size());
  });
  return steps;
}

void print_wrapped(const std::string& begin, const Names& words, std::ostream& out) {
  constexpr std::size_t widest = 100;
  std::string line = begin;
  for (const std::string& word : words) {
    const bool is_last = &word == &words.back();
    if (line.size() + word.size() + 1 > widest) {
      out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
      line = std::string(begin.size(), ' ');
    }
    line += word + (is_last ? "" : ", ");
  }
  out << line << "\n";
}

void print_unreached(const std::vector<ClauseReach>& all, bool whole, std::ostream& out) {
  const Names others = whole ? Names() : others_of(all);
  const std::vector<ReachStep> steps = steps_of(all, others);
  if (!steps.empty()) out << "\nNot in reach, and what would bring them\n";
  for (const ReachStep& step : steps) {
    print_wrapped(fmt::format("  {:>3} with ", step.clauses.size()), step.missing, out);
    print_wrapped("      ", step.clauses, out);
  }
  Names never;
  for (const ClauseReach& each : all) {
    if (each.cases == 0 && each.missing.empty() && !is_of(each, others)) {
      never.push_back(each.clause->id);
    }
  }
  if (!never.empty()) out << "\nShown by no request\n";
  if (!never.empty()) print_wrapped("  ", never, out);
  if (others.empty()) return;
  out << "\nOf these specifications nothing is declared (--all says what it would take)\n";
  for (const std::string& name : others) {
    const auto clauses = std::count_if(all.begin(), all.end(), [&name](const ClauseReach& each) {
      return specification_of(each) == name;
    });
    out << fmt::format("  {}: {}\n", reports::specification_title(name),
                       reports::counted(static_cast<std::size_t>(clauses), "clause"));
  }
}

void print_reach(const std::vector<ClauseReach>& all, const core::Profile& profile, bool whole,
                 std::ostream& out) {
  Names reached;
  std::size_t musts = 0;
  std::size_t reached_musts = 0;
  for (const ClauseReach& each : all) {
    const bool is_must = each.clause->level == core::Level::must;
    if (is_must) ++musts;
    if (each.cases == 0) continue;
    reached.push_back(each.clause->id);
    if (is_must) ++reached_musts;
  }
  out << fmt::format("Through the profile {} {} of {} clauses are in reach, {} of the {} MUST\n\n",
                     profile.name, reached.size(), all.size(), reached_musts, musts);
  if (!reached.empty()) print_wrapped("  ", reached, out);
  std::map<std::string, Names> hidden;
  for (const ClauseReach& each : all) {
    for (const std::string& reason : each.hidden_by) hidden[reason].push_back(each.clause->id);
  }
  if (!hidden.empty()) out << "\nHidden in part, and what hides it\n";
  for (const auto& [reason, clauses] : hidden) {
    out << fmt::format("  {}\n", reason);
    print_wrapped("    ", clauses, out);
  }
  print_unreached(all, whole, out);
}

void print_reach_json(const std::vector<ClauseReach>& all, const core::Profile& profile,
                      std::ostream& out) {
  List clauses;
  for (const ClauseReach& each : all) {
    clauses.emplace_back(Object{{"id", each.clause->id},
                                {"level", core::level_word(each.clause->level)},
                                {"cases", static_cast<std::uint64_t>(each.cases)},
                                {"hidden_by", List(each.hidden_by.begin(), each.hidden_by.end())},
                                {"missing", List(each.missing.begin(), each.missing.end())}});
  }
  out << wire::to_pretty_json(Object{{"profile", profile.name}, {"clauses", std::move(clauses)}})
      << "\n";
}

}  // namespace

void explain_reach(const std::string& profile, ReachStyle style, Terminal& terminal) {
  const LoadedProfile loaded = load_profile(profile, terminal);
  const Suite suite = whole_suite("", loaded.profile, {});
  std::vector<ClauseReach> all;
  for (const core::Clause& clause : clause_table().clauses()) {
    all.push_back(reach_of(clause, suite, loaded.profile));
  }
  if (style.json) return print_reach_json(all, loaded.profile, terminal.out);
  print_reach(all, loaded.profile, style.whole, terminal.out);
}

}  // namespace assay::cli
