#include "harness/check/flakiness.h"

#include <gtest/gtest.h>

namespace assay::check::flakiness_test {
namespace {

using core::Verdict;

core::CaseResult case_of(std::string id, Verdict verdict) {
  core::CaseResult result;
  result.id = std::move(id);
  result.verdict = verdict;
  return result;
}

TEST(Flakiness, IsARateWithItsIntervalOverAllRecords) {
  std::vector<core::RunRecord> records(4);
  records[0].cases = {case_of("a", Verdict::fail), case_of("b", Verdict::fail)};
  records[1].cases = {case_of("a", Verdict::pass), case_of("c", Verdict::error)};
  records[2].cases = {case_of("a", Verdict::pass), case_of("d", Verdict::inconclusive)};
  records[3].cases = {case_of("a", Verdict::pass), case_of("d", Verdict::pass)};
  const auto flaky = flaky_cases(records);
  ASSERT_EQ(flaky.size(), 2U);
  EXPECT_EQ(flaky[0].id, "d");
  EXPECT_EQ(flaky[1].id, "a");
  EXPECT_EQ(flaky[1].failed, 1U);
  EXPECT_EQ(flaky[1].played, 4U);
  // Wilson's interval of 1 in 4.
  EXPECT_NEAR(flaky[1].lowest, 0.0456, 0.0005);
  EXPECT_NEAR(flaky[1].highest, 0.6994, 0.0005);
}

}  // namespace
}  // namespace assay::check::flakiness_test
