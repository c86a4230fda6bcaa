#include "properties/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <set>
#include <string>
#include <variant>

#include "harness/wire/profile_reader.h"
#include "properties/campaign.h"
#include "properties/testing/laboratory.h"

namespace assay::properties {
namespace {

using testing::Laboratory;

/// What one set has and another has not, in words.
std::string without(const std::set<std::string>& some, const std::set<std::string>& others) {
  std::string text;
  for (const std::string& one : some) {
    if (!others.contains(one)) text += (text.empty() ? "" : " ") + one;
  }
  return text;
}

TEST(Recorder, MakesTheSameScenarioOfTheSameDraft) {
  const Laboratory laboratory;
  const Recorder recorder(laboratory.profile(), laboratory.profile());
  for (const Family& family : families()) {
    const Draft draft = generate(family, 3, 5);
    const Recording once = recorder.record(family, draft, "x");
    const Recording again = recorder.record(family, once.draft, "x");
    EXPECT_EQ(again.draft, once.draft) << family.id;
    EXPECT_EQ(again.scenario.steps.size(), once.scenario.steps.size()) << family.id;
    EXPECT_EQ(again.lines, once.lines) << family.id;
  }
}

class EachFamily : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EachFamily, ReachesTheClausesThatItNamesAndNoOthers) {
  const Laboratory laboratory;
  const Recorder recorder(laboratory.profile(), laboratory.profile());
  const Family& family = families()[GetParam()];
  std::set<std::string> reached;
  for (std::uint64_t index = 0; index < 150; ++index) {
    const Recording recording = recorder.record(family, generate(family, 1, index), "x");
    reached.insert(recording.scenario.clauses.begin(), recording.scenario.clauses.end());
  }
  const std::set<std::string> named(family.clauses.begin(), family.clauses.end());
  EXPECT_EQ(without(reached, named), "") << "not named";
  EXPECT_EQ(without(named, reached), "") << "not reached";
}

std::string family_name_of(const ::testing::TestParamInfo<std::size_t>& family) {
  std::string name = families()[family.param].id.substr(std::string_view("properties/").size());
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Families, EachFamily, ::testing::Range<std::size_t>(0, families().size()),
                         family_name_of);

TEST(Campaign, AccusesTheSoundReferenceOfNothing) {
  Laboratory laboratory;
  const CampaignOutcome outcome = laboratory.run({.seed = 11, .cases = 48});
  for (const Finding& finding : outcome.findings) {
    ADD_FAILURE() << finding.cause << ": " << finding.result.checks.back().expected << " but "
                  << finding.result.checks.back().actual;
  }
  for (const FamilyTally& tally : outcome.families) {
    EXPECT_EQ(tally.cases, 48U) << tally.family;
    EXPECT_EQ(tally.undecided, 0U) << tally.family << ": " << tally.reason;
    EXPECT_GT(tally.commands, 200U) << tally.family;
  }
}

TEST(Campaign, MakesWhatItFindsSmall) {
  Laboratory laboratory("batch-completed-closes");
  const CampaignOutcome outcome = laboratory.run({.seed = 1, .cases = 40, .most_causes = 1},
                                                 "properties/lower-layers-never-close");
  ASSERT_EQ(outcome.findings.size(), 1U);
  const Finding& finding = outcome.findings.front();
  EXPECT_EQ(finding.reproduced, 3);
  EXPECT_EQ(finding.moves_left, 1U);
  EXPECT_EQ(finding.scenario.clauses, std::vector<std::string>{"STM-INF-BATCH"});
  EXPECT_LE(finding.shrink_runs, 100U);
  EXPECT_LE(finding.shrink_requests, 500U);
}

TEST(Campaign, FindsDoubledEventsByBadDeliveryAndByRedelivery) {
  for (const char* family :
       {"properties/delivery-loses-and-doubles-nothing", "properties/redelivery-changes-nothing"}) {
    Laboratory laboratory("stores-duplicates");
    const CampaignOutcome outcome = laboratory.run({.seed = 1, .cases = 40}, family);
    std::set<std::string> accused;
    for (const Finding& finding : outcome.findings) {
      accused.insert(finding.scenario.clauses.begin(), finding.scenario.clauses.end());
    }
    EXPECT_TRUE(accused.contains("EVT-IDEM-1")) << family;
  }
}

TEST(Campaign, SendsTheSameRequestsForTheSameSeed) {
  Laboratory once;
  Laboratory again;
  Laboratory other;
  const auto digest = once.run({.seed = 5, .cases = 10}).request_digest;
  EXPECT_EQ(again.run({.seed = 5, .cases = 10}).request_digest, digest);
  EXPECT_NE(other.run({.seed = 6, .cases = 10}).request_digest, digest);
}

}  // namespace
}  // namespace assay::properties
