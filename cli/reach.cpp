#include "cli/reach.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

ClauseReach reach_of(const core::Clause& clause, const Suite& suite, const core::Profile& profile) {
  ClauseReach reach{&clause, 0, {}, {}};
  std::vector<core::Case> cases;
  std::optional<Names> least;
  for (const core::Scenario& scenario : suite.scenarios) {
    const auto& named = scenario.clauses;
    if (std::find(named.begin(), named.end(), clause.id) == named.end()) continue;
    Names missing = run::missing_for(scenario, profile);
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

/// What a declaration would bring: the clauses for which it is the least.
struct ReachStep {
  Names missing;
  Names clauses;
};

std::vector<ReachStep> steps_of(const std::vector<ClauseReach>& all) {
  std::map<Names, Names> by_missing;
  for (const ClauseReach& each : all) {
    if (!each.missing.empty()) by_missing[each.missing].push_back(each.clause->id);
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
      out << line << "\n";
      line = std::string(begin.size(), ' ');
    }
    line += word + (is_last ? "" : ", ");
  }
  out << line << "\n";
}

void print_reach(const std::vector<ClauseReach>& all, const core::Profile& profile,
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
  const std::vector<ReachStep> steps = steps_of(all);
  if (!steps.empty()) out << "\nNot in reach, and what would bring them\n";
  for (const ReachStep& step : steps) {
    print_wrapped(fmt::format("  {:>3} with ", step.clauses.size()), step.missing, out);
    print_wrapped("      ", step.clauses, out);
  }
  Names never;
  for (const ClauseReach& each : all) {
    if (each.cases == 0 && each.missing.empty()) never.push_back(each.clause->id);
  }
  if (never.empty()) return;
  out << "\nShown by no request\n";
  print_wrapped("  ", never, out);
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

void explain_reach(const std::string& profile, bool json, Terminal& terminal) {
  const LoadedProfile loaded = load_profile(profile, terminal);
  const Suite suite = whole_suite("", loaded.profile, {});
  std::vector<ClauseReach> all;
  for (const core::Clause& clause : clause_table().clauses()) {
    all.push_back(reach_of(clause, suite, loaded.profile));
  }
  (json ? print_reach_json : print_reach)(all, loaded.profile, terminal.out);
}

}  // namespace assay::cli
