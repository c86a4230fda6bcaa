#include "cli/generated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::cli {
namespace {

using ::testing::Contains;
using ::testing::Not;

std::vector<std::string> recorded_cases(const Suite& suite) {
  std::vector<std::string> ids;
  for (const core::Scenario& scenario : suite.scenarios) {
    if (scenario.id.starts_with("properties/")) ids.push_back(scenario.id);
  }
  return ids;
}

TEST(WholeSuite, RecordsOnlyTheGeneratedCasesThatAreAskedFor) {
  const Suite suite = whole_suite("", reference_profile(), {"status/*", "properties/run-walks-1"});
  EXPECT_EQ(recorded_cases(suite), std::vector<std::string>{"properties/run-walks-1"});
  // The others are known by name, for who asked for one that there is not.
  EXPECT_THAT(suite.unrecorded, Contains("properties/run-walks-2"));
  EXPECT_THAT(suite.unrecorded, Not(Contains("properties/run-walks-1")));
}

TEST(WholeSuite, RecordsAllWhereNothingIsSaid) {
  const Suite suite = whole_suite("", reference_profile(), {});
  EXPECT_TRUE(suite.unrecorded.empty());
  EXPECT_THAT(recorded_cases(suite), Contains("properties/run-walks-1"));
  EXPECT_GE(recorded_cases(suite).size(), chosen_families({}).size());
}

}  // namespace
}  // namespace assay::cli
