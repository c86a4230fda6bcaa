#include "harness/run/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace assay::run {
namespace {

using ::testing::Contains;

std::vector<core::Case> cases(std::size_t count) {
  std::vector<core::Case> all;
  for (std::size_t index = 0; index < count; ++index) {
    all.push_back({"family/case-" + std::to_string(index), nullptr, {}});
  }
  return all;
}

std::vector<std::string> ids(const std::vector<core::Case>& cases) {
  std::vector<std::string> all;
  for (const core::Case& one : cases) all.push_back(one.id);
  return all;
}

TEST(Shard, IsReadFromItsText) {
  const auto shard = shard_from_text("2/3");
  ASSERT_TRUE(shard.has_value());
  EXPECT_EQ(shard_text(*shard), "2/3");
  for (const char* text : {"", "2", "0/3", "4/3", "2/3/4", "a/b", "-1/3", "1/", "/3", "1/1001"}) {
    EXPECT_FALSE(shard_from_text(text).has_value()) << text;
  }
}

TEST(Shard, EachCaseIsInOne) {
  for (const bool is_timed : {false, true}) {
    std::map<std::string, double> durations_ms;
    if (is_timed) {
      for (const core::Case& one : cases(150)) durations_ms[one.id] = 10;
    }
    std::multiset<std::string> seen;
    for (std::size_t number = 1; number <= 3; ++number) {
      const auto part = ids(cases_of_shard(cases(300), {number, 3}, durations_ms));
      EXPECT_GT(part.size(), 60U);
      seen.insert(part.begin(), part.end());
    }
    EXPECT_EQ(seen.size(), 300U);
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 300U);
  }
}

TEST(Shard, ACaseStaysWhereItIsWhenOthersAreAdded) {
  for (const std::string& id : ids(cases_of_shard(cases(100), {2, 3}))) {
    EXPECT_THAT(ids(cases_of_shard(cases(200), {2, 3})), Contains(id));
  }
}

TEST(Shard, OneLongCaseOutweighsManyShortOnes) {
  std::map<std::string, double> durations_ms;
  for (const core::Case& one : cases(11)) durations_ms[one.id] = 10;
  durations_ms["family/case-0"] = 100;
  const auto first = ids(cases_of_shard(cases(11), {1, 2}, durations_ms));
  EXPECT_EQ(first, std::vector<std::string>{"family/case-0"});
  EXPECT_EQ(cases_of_shard(cases(11), {2, 2}, durations_ms).size(), 10U);
}

}  // namespace
}  // namespace assay::run
