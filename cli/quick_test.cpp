// The quick cases: how they are chosen, and that they show what the whole suite shows.
#include "cli/quick.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/reference.h"
#include "cli/specification.h"
#include "cli/suite_runner.h"
#include "reference_impl/faults/catalogue.h"

namespace assay::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;

TEST(GreedyCover, TakesTheCaseThatCatchesMostForItsRequests) {
  const CatchingCases catching = {
      {"f1", {"long", "both"}}, {"f2", {"both", "two"}}, {"f3", {"long", "only"}}};
  EXPECT_THAT(greedy_cover(catching, {{"long", 90}, {"both", 5}, {"two", 3}, {"only", 40}}),
              ElementsAre("both", "only"));
  EXPECT_THAT(greedy_cover(catching, {{"long", 9}, {"both", 5}, {"two", 3}, {"only", 40}}),
              ElementsAre("both", "long"));
}

TEST(GreedyCover, LeavesOutWhatLaterChoicesMadeNeedless) {
  // "middle" is taken first, and then needs both others all the same.
  const CatchingCases catching = {
      {"f1", {"left"}}, {"f2", {"left", "middle"}}, {"f3", {"middle", "right"}}, {"f4", {"right"}}};
  EXPECT_THAT(greedy_cover(catching, {{"left", 10}, {"middle", 1}, {"right", 10}}),
              ElementsAre("left", "right"));
}

TEST(GreedyCover, NothingCaughtNeedsNoCase) { EXPECT_THAT(greedy_cover({}, {}), IsEmpty()); }

/// Every written case, by id.
std::vector<std::string> written_cases() { return case_ids(load_suite("")); }

TEST(QuickCases, AreCasesOfTheSuiteAndFew) {
  const std::vector<std::string> all = written_cases();
  EXPECT_THAT(quick_cases(), IsSubsetOf(all))
      << "choose again: assay selftest --own-clause --property-commands 0 --quick-cases FILE";
  EXPECT_LT(quick_cases().size() * 3, all.size());
}

TEST(QuickCases, CatchEveryFaultThatBreaksAMustClause) {
  std::vector<std::string> others = written_cases();
  std::erase_if(others, [](const std::string& id) { return quick_cases().contains(id); });
  SuiteRunner runner(reference_profile());
  runner.leave_out(others);
  std::size_t caught = 0;
  std::vector<std::string_view> missed;
  for (const faults::Fault& fault : faults::faults()) {
    if (clause_table().find(fault.clause)->level != core::Level::must) continue;
    const auto broken = faults::make_broken(fault, reference_options(in_process_seed));
    const bool is_caught = kill_of(fault, runner.run_clause(fault.clause, *broken)).caught();
    if (is_caught) {
      ++caught;
    } else {
      missed.push_back(fault.id);
    }
  }
  EXPECT_THAT(missed, IsEmpty())
      << "choose again: assay selftest --own-clause --property-commands 0 --quick-cases FILE";
  EXPECT_GT(caught, 500U);
}

}  // namespace
}  // namespace assay::cli
