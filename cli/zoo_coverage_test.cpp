// The zoo breaks every clause that can be observed in three ways at the least.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
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

/// The clauses of fixtures/spec/few_faults.yaml.
std::set<std::string> excused_clauses() {
  const std::string path = ASSAY_SOURCE_DIR "/fixtures/spec/few_faults.yaml";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<core::Diagnostic> wrong;
  std::set<std::string> clauses;
  for (const NotObservable& entry : read_not_observable(text, path, clause_table(), wrong)) {
    clauses.insert(entry.clause);
  }
  EXPECT_TRUE(wrong.empty()) << core::diagnostic_text(wrong.front());
  return clauses;
}

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
  const std::set<std::string> excused = excused_clauses();
  const std::set<std::string> unobservable = unobservable_clauses();
  for (const core::Clause& clause : clause_table().clauses()) {
    if (excused.contains(clause.id) || unobservable.contains(clause.id)) continue;
    const auto found = counts.find(clause.id);
    EXPECT_GE(found == counts.end() ? 0U : found->second, faults_due) << clause.id;
  }
}

TEST(ZooCoverage, AnExcuseThatIsNoLongerNeededIsStale) {
  const auto counts = fault_counts();
  for (const std::string& id : excused_clauses()) {
    const auto found = counts.find(id);
    const std::size_t count = found == counts.end() ? 0 : found->second;
    EXPECT_LT(count, faults_due) << id;
  }
}

}  // namespace
}  // namespace assay::cli
