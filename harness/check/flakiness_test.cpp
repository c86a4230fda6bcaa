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
  EXPECT_EQ(flaky[1].rate.failed, 1U);
  EXPECT_EQ(flaky[1].rate.played, 4U);
  // Wilson's interval of 1 in 4.
  EXPECT_NEAR(flaky[1].rate.lowest, 0.0456, 0.0005);
  EXPECT_NEAR(flaky[1].rate.highest, 0.6994, 0.0005);
}

TEST(Flakiness, CountsRetries) {
  core::CaseResult result = case_of("a", Verdict::fail);
  result.retries.resize(3);
  result.retries[0].verdict = Verdict::pass;
  result.retries[1].verdict = Verdict::error;
  result.retries[2].verdict = Verdict::pass;
  EXPECT_TRUE(is_flaky(result));
  EXPECT_EQ(failure_rate(result).failed, 1U);
  EXPECT_EQ(failure_rate(result).played, 3U);
  std::vector<core::RunRecord> records(1);
  records[0].cases = {result};
  ASSERT_EQ(flaky_cases(records).size(), 1U);
  EXPECT_EQ(rate_text(flaky_cases(records)[0].rate), "33 % (95 % interval 6 to 79 %)");
}

core::CaseResult failing(std::string id, std::string actual) {
  core::CaseResult result = case_of(std::move(id), Verdict::fail);
  core::Check check;
  check.clauses = {"A"};
  check.verdict = Verdict::fail;
  check.expected = "/state: 1";
  check.actual = std::move(actual);
  result.checks.push_back(check);
  return result;
}

TEST(Flakiness, ACaseThatFailsInDifferentWaysIsFlaky) {
  std::vector<core::RunRecord> records(3);
  records[0].cases = {failing("a", "2"), failing("b", "2"), failing("properties/f-0", "2")};
  records[1].cases = {failing("a", "3"), failing("b", "2"), failing("properties/f-0", "3")};
  records[2].cases = {failing("a", "3"), failing("b", "2")};
  records[1].header.seed = 1;  // Another seed makes another case.
  const auto flaky = flaky_cases(records);
  ASSERT_EQ(flaky.size(), 1U);
  EXPECT_EQ(flaky[0].id, "a");
  ASSERT_EQ(flaky[0].ways.size(), 2U);
  EXPECT_EQ(flaky[0].ways[0].times, 2U);
  EXPECT_EQ(flaky[0].ways[0].failures, std::vector<std::string>{"A /state: 1 -> 3"});
  EXPECT_EQ(flaky[0].ways[1].times, 1U);
}

TEST(Flakiness, WhatNeverPassesOrPassedAtFirstIsNotFlaky) {
  core::CaseResult result = case_of("a", Verdict::fail);
  EXPECT_FALSE(is_flaky(result));
  result.retries.resize(1);
  result.retries[0].verdict = Verdict::fail;
  EXPECT_FALSE(is_flaky(result));
  EXPECT_FALSE(is_flaky(case_of("a", Verdict::pass)));
}

}  // namespace
}  // namespace assay::check::flakiness_test
