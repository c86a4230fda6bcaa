// What the specifications say is judged on every target that has the means, not only on one that
// speaks the reference binding.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/testing/clause_list.h"
#include "harness/run/plan.h"

namespace assay::cli {
namespace {

/// The clauses of the binding itself begin so.
bool is_of_the_binding(const std::string& clause) { return clause.starts_with("API-"); }

/// The clauses that a scenario names which does without the reference binding.
const std::set<std::string>& clauses_beyond_the_binding() {
  static const std::set<std::string> clauses = [] {
    std::set<std::string> found;
    for (const core::Scenario& scenario : load_suite("").scenarios) {
      if (run::capabilities_of(scenario).contains("binding.reference")) continue;
      found.insert(scenario.clauses.begin(), scenario.clauses.end());
    }
    return found;
  }();
  return clauses;
}

TEST(BindingReach, NoClauseOfASpecificationNeedsTheBindingButThoseListed) {
  const std::set<std::string>& beyond = clauses_beyond_the_binding();
  const std::set<std::string> listed = clauses_listed_in("binding_only.yaml");
  for (const core::Clause& clause : clause_table().clauses()) {
    if (is_of_the_binding(clause.id) || listed.contains(clause.id)) continue;
    EXPECT_TRUE(beyond.contains(clause.id))
        << "every scenario of " << clause.id << " needs binding.reference";
  }
}

TEST(BindingReach, AReasonThatIsNoLongerNeededIsStale) {
  const std::set<std::string>& beyond = clauses_beyond_the_binding();
  for (const std::string& id : clauses_listed_in("binding_only.yaml")) {
    EXPECT_FALSE(is_of_the_binding(id)) << id;
    EXPECT_FALSE(beyond.contains(id)) << id;
  }
}

}  // namespace
}  // namespace assay::cli
