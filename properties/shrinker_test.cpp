#include "properties/shrinker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "properties/campaign.h"
#include "properties/testing/laboratory.h"

namespace assay::properties {
namespace {

using testing::Laboratory;

/// A fault that needs so many commands to show.
struct Need {
  std::string_view fault;
  std::size_t commands;
};

std::ostream& operator<<(std::ostream& out, const Need& need) { return out << need.fault; }

class Shrinking : public ::testing::TestWithParam<Need> {};

TEST_P(Shrinking, MakesAHundredCommandsSmallInAHundredRunsAndFiveHundredRequests) {
  Laboratory laboratory(GetParam().fault);
  Finding finding;
  for (std::uint64_t index = 0; index < 200 && finding.moves_found < 100; ++index) {
    CampaignOutcome outcome = laboratory.run(
        {.seed = 1, .first_case = index, .cases = 1, .most_moves = 150, .most_causes = 1},
        "properties/lower-layers-never-close");
    if (!outcome.findings.empty()) finding = std::move(outcome.findings.front());
  }
  ASSERT_GE(finding.moves_found, 100U);
  EXPECT_LE(finding.moves_left, GetParam().commands) << finding.cause;
  EXPECT_LE(finding.shrink_runs, 100U);
  EXPECT_LE(finding.shrink_requests, 500U);
}

std::string name_of(const ::testing::TestParamInfo<Need>& need) {
  std::string name(need.param.fault);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Faults, Shrinking,
                         ::testing::Values(Need{"batch-completed-closes", 1},
                                           Need{"last-iteration-closes", 1},
                                           Need{"second-command-completes-it", 2},
                                           Need{"third-tool-error-fails-it", 3}),
                         name_of);

}  // namespace
}  // namespace assay::properties
