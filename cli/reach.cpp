#include "cli/reach.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "cli/generated.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "harness/check/sensitivity.h"
#include "harness/check/substitute.h"
#include "harness/run/plan.h"
#include "harness/wire/exchange.h"
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
  /// request shows the clause, or `lacking` says why none does.
  Names missing;
  /// Of a clause each of whose cases asks for what the target has not: what the first of them asks.
  std::string lacking = {};
};

/// What a case asks of a target by its steps and the target has no word or no place for; empty: it
/// can be asked all of it. A run finds such a case not applicable.
std::string lacked_by(const std::vector<core::Step>& steps, const core::Case& one,
                      const core::Profile& profile);

/// What a step before captures is known only when the case runs: a value with that stays as it is.
Value with_variables(const Value& value, const check::Variables& variables) {
  try {
    return check::substitute(value, variables);
  } catch (const check::SubstitutionError&) {
    return value;
  }
}

std::string lacked_by(const core::Operation& asked, const core::Case& one,
                      const core::Profile& profile) {
  const check::Variables variables(one.variables.begin(), one.variables.end());
  core::Operation operation = asked;
  for (auto& [name, value] : operation.parameters) {
    value = with_variables(value, variables);
  }
  const auto words = wire::in_the_targets_words(profile, operation);
  return words ? "" : words.error().reason;
}

std::string lacked_by(const core::Step& step, const core::Case& one, const core::Profile& profile) {
  if (const auto* operate = std::get_if<core::Operate>(&step.action)) {
    return lacked_by(operate->operation, one, profile);
  }
  if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
    return lacked_by(repeat->steps, one, profile);
  }
  const auto* together = std::get_if<core::Together>(&step.action);
  if (together == nullptr) return "";
  for (const std::vector<core::Step>& branch : together->branches) {
    if (std::string lack = lacked_by(branch, one, profile); !lack.empty()) return lack;
  }
  return "";
}

std::string lacked_by(const std::vector<core::Step>& steps, const core::Case& one,
                      const core::Profile& profile) {
  for (const core::Step& step : steps) {
    if (std::string lack = lacked_by(step, one, profile); !lack.empty()) return lack;
  }
  return "";
}

/// Whether all that a pattern looks at is what the profile does not show of that operation.
bool is_unobserved(const core::Pattern& pattern, const core::OperationTemplate& form) {
  const auto& members = pattern.members();
  if (!members.empty()) {
    return std::all_of(members.begin(), members.end(), [&form](const auto& member) {
      return form.unobserved.contains(member.first);
    });
  }
  return !pattern.elements().empty() &&
         std::all_of(pattern.elements().begin(), pattern.elements().end(),
                     [&form](const core::Pattern& each) { return is_unobserved(each, form); });
}

bool is_unobserved(const core::ReadExpectation& read, const core::Profile& profile) {
  const auto form = profile.operations.find(read.operation);
  if (form == profile.operations.end() || read.pattern() == nullptr) return false;
  return is_unobserved(*read.pattern(), form->second);
}

/// Whether the steps compare anything under the clause that the profile shows.
bool judges(const std::vector<core::Step>& steps, const core::Scenario& scenario,
            const std::string& clause, const core::Profile& profile) {
  const auto is_about_it = [&](const Names& clauses) {
    const Names& named = clauses.empty() ? scenario.clauses : clauses;
    return std::find(named.begin(), named.end(), clause) != named.end();
  };
  return std::any_of(steps.begin(), steps.end(), [&](const core::Step& step) {
    if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      return judges(repeat->steps, scenario, clause, profile);
    }
    if (const auto* together = std::get_if<core::Together>(&step.action)) {
      return std::any_of(
          together->branches.begin(), together->branches.end(),
          [&](const auto& branch) { return judges(branch, scenario, clause, profile); });
    }
    if (step.response && is_about_it(step.clauses)) return true;
    const auto* expect = std::get_if<core::Expect>(&step.action);
    if (expect == nullptr || !is_about_it(expect->clauses)) return false;
    return expect->reads.empty() ||
           std::any_of(expect->reads.begin(), expect->reads.end(),
                       [&profile](const auto& read) { return !is_unobserved(read, profile); });
  });
}

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
      for (core::Case& one : core::cases_of(scenario)) {
        std::string lack = lacked_by(scenario.steps, one, profile);
        if (lack.empty() && !judges(scenario.steps, scenario, clause.id, profile)) {
          const Names hidden =
              check::hidden_by(clause.id, std::array{&std::as_const(one)}, profile);
          lack = hidden.empty() ? std::string("nothing that is shown is compared")
                                : fmt::format("{}", fmt::join(hidden, ", "));
        }
        if (lack.empty()) {
          cases.push_back(std::move(one));
        } else if (reach.lacking.empty()) {
          reach.lacking = std::move(lack);
        }
      }
    } else if (!least || is_less_to_declare(missing, *least)) {
      least = std::move(missing);
    }
  }
  reach.cases = cases.size();
  std::vector<const core::Case*> all;
  for (const core::Case& one : cases) all.push_back(&one);
  if (!all.empty()) {
    reach.lacking.clear();
    reach.hidden_by = check::hidden_by(clause.id, all, profile);
  } else if (least && reach.lacking.empty()) {
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

void print_lacking(const std::vector<ClauseReach>& all, std::ostream& out) {
  std::map<std::string, Names> lacking;
  for (const ClauseReach& each : all) {
    if (!each.lacking.empty()) lacking[each.lacking].push_back(each.clause->id);
  }
  if (!lacking.empty()) out << "\nNot in reach, because each case asks for what the target lacks\n";
  for (const auto& [reason, clauses] : lacking) {
    out << fmt::format("  {}\n", reason);
    print_wrapped("    ", clauses, out);
  }
}

void print_unreached(const std::vector<ClauseReach>& all, bool whole, std::ostream& out) {
  const Names others = whole ? Names() : others_of(all);
  const std::vector<ReachStep> steps = steps_of(all, others);
  if (!steps.empty()) out << "\nNot in reach, and what would bring them\n";
  for (const ReachStep& step : steps) {
    print_wrapped(fmt::format("  {:>3} with ", step.clauses.size()), step.missing, out);
    print_wrapped("      ", step.clauses, out);
  }
  print_lacking(all, out);
  Names never;
  for (const ClauseReach& each : all) {
    if (each.cases == 0 && each.missing.empty() && each.lacking.empty() && !is_of(each, others)) {
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
                                {"level", core::level_words[each.clause->level]},
                                {"cases", static_cast<std::uint64_t>(each.cases)},
                                {"hidden_by", List(each.hidden_by.begin(), each.hidden_by.end())},
                                {"missing", List(each.missing.begin(), each.missing.end())},
                                {"lacking", each.lacking}});
  }
  out << wire::to_pretty_json(Object{{"profile", profile.name}, {"clauses", std::move(clauses)}})
      << "\n";
}

}  // namespace

void explain_reach(const std::string& profile, ReachStyle style, Terminal& terminal) {
  const LoadedProfile loaded = load_profile(profile, terminal);
  const Suite suite = whole_suite("", loaded.profile, {}, SuiteCache(terminal, true, loaded));
  std::vector<ClauseReach> all;
  for (const core::Clause& clause : clause_table().clauses()) {
    all.push_back(reach_of(clause, suite, loaded.profile));
  }
  if (style.json) return print_reach_json(all, loaded.profile, terminal.out);
  print_reach(all, loaded.profile, style.whole, terminal.out);
}

}  // namespace assay::cli
