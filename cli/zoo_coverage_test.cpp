// The zoo breaks every clause that can be observed in three ways at the least.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "cli/specification.h"
#include "reference_impl/faults/catalogue.h"

namespace assay::cli {
namespace {

std::map<std::string, std::size_t, std::less<>> fault_counts() {
  std::map<std::string, std::size_t, std::less<>> counts;
  for (const faults::Fault& fault : faults::faults()) ++counts[std::string(fault.clause)];
  return counts;
}

constexpr std::size_t faults_due = 3;

std::set<std::string> unobservable_clauses() {
  std::set<std::string> clauses;
  for (const NotObservable& entry : embedded_specification().not_observable) {
    clauses.insert(entry.clause);
  }
  return clauses;
}

TEST(ZooCoverage, EveryFaultBreaksAClauseOfTheTable) {
  for (const faults::Fault& fault : faults::faults()) {
    EXPECT_NE(clause_table().find(fault.clause), nullptr) << fault.id << " names " << fault.clause;
  }
}

TEST(ZooCoverage, EveryObservableClauseHasThreeFaults) {
  const auto counts = fault_counts();
  const std::set<std::string> unobservable = unobservable_clauses();
  for (const core::Clause& clause : clause_table().clauses()) {
    if (unobservable.contains(clause.id)) continue;
    const auto found = counts.find(clause.id);
    EXPECT_GE(found == counts.end() ? 0U : found->second, faults_due) << clause.id;
  }
}

}  // namespace
}  // namespace assay::cli
