#include "cli/coverage_rule.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

namespace assay::cli {

std::vector<core::Diagnostic> check_coverage(const core::ClauseTable& clauses,
                                             const std::vector<core::Scenario>& scenarios,
                                             const Specification& specification) {
  std::map<std::string, std::string> checked_by;
  for (const core::Scenario& scenario : scenarios) {
    for (const std::string& id : scenario.clauses) checked_by.try_emplace(id, scenario.id);
  }
  std::vector<core::Diagnostic> faults;
  std::set<std::string> excused;
  const auto excuse = [&](const core::SourcePosition& at, const std::string& clause) {
    const auto checked = checked_by.find(clause);
    if (checked != checked_by.end()) {
      faults.push_back(
          {at, fmt::format("{} is checked by {}: take it off this list", clause, checked->second)});
    } else if (!excused.insert(clause).second) {
      faults.push_back({at, fmt::format("{} is listed twice", clause)});
    }
  };
  for (const NotObservable& entry : specification.not_observable) {
    // The other parts of the clause are due all the same.
    if (entry.part.empty()) excuse(entry.at, entry.clause);
  }
  for (const NotYetCovered& entry : specification.not_yet_covered) excuse(entry.at, entry.clause);
  for (const core::Clause& clause : clauses.clauses()) {
    if (checked_by.contains(clause.id) || excused.contains(clause.id)) continue;
    faults.push_back({{"fixtures/spec/clauses.tsv", 0, 0},
                      fmt::format("no scenario checks {}, and no list says why", clause.id)});
  }
  return faults;
}

}  // namespace assay::cli
