#include "harness/check/merging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::check::merging_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

NamedRecord shard_of(int number, int count, const std::vector<std::string>& ids) {
  NamedRecord shard;
  shard.name = "s" + std::to_string(number);
  shard.record.header.seed = 7;
  shard.record.header.selection = {
      "status/*", shard_word + std::to_string(number) + "/" + std::to_string(count),
      std::string(cases_word) + "3"};
  for (const std::string& id : ids) shard.record.cases.emplace_back().id = id;
  core::RecordFooter footer;
  footer.cases = ids.size();
  footer.coverage = {{"execution", {"A", "B"}, {}, {}, {}}};
  footer.coverage[0].states_seen = {number == 1 ? "B" : "A"};
  shard.record.footer = footer;
  return shard;
}

std::vector<std::string> problems_of(const std::vector<NamedRecord>& shards) {
  const Merged merged = merge_shards(shards, {});
  return merged ? std::vector<std::string>() : merged.error();
}

TEST(Merging, MakesOneRunOfAllShardsInTheSuitesOrder) {
  const std::vector<NamedRecord> shards = {shard_of(2, 2, {"b"}), shard_of(1, 2, {"c", "a"})};
  const std::vector<std::string> ids = {"a", "b", "c"};
  const Merged whole = merge_shards(shards, ids);
  ASSERT_TRUE(whole);
  std::vector<std::string> merged;
  for (const core::CaseResult& result : whole->cases) merged.push_back(result.id);
  EXPECT_THAT(merged, ElementsAre("a", "b", "c"));
  EXPECT_THAT(whole->header.selection, ElementsAre("status/*"));
  ASSERT_TRUE(whole->footer.has_value());
  EXPECT_EQ(whole->footer->cases, 3U);
  EXPECT_THAT(whole->footer->coverage[0].states_seen, ElementsAre("A", "B"));
}

TEST(Merging, KeepsTheRunIdsOfAllShards) {
  std::vector<NamedRecord> shards = {shard_of(1, 3, {"a"}), shard_of(2, 3, {"b"}),
                                     shard_of(3, 3, {"c"})};
  shards[0].record.header.run_id = shards[2].record.header.run_id = "7-x";
  shards[1].record.header.run_id = "7-y";
  EXPECT_THAT(run_ids_of(merge_shards(shards, {}).value().header), ElementsAre("7-x", "7-y"));
  EXPECT_THAT(run_ids_of(shards[1].record.header), ElementsAre("7-y"));
  shards[0].record.header.setup = {{"7-x", Object{{"room", "east"}}}};
  shards[1].record.header.setup = {{"7-y", Object{{"room", "west"}}}};
  EXPECT_EQ(Value(merge_shards(shards, {}).value().header.setup),
            Value(Object{{"7-x", Object{{"room", "east"}}}, {"7-y", Object{{"room", "west"}}}}));
  core::RecordHeader old;
  old.seed = 26;
  EXPECT_THAT(run_ids_of(old), ElementsAre("1a"));
}

TEST(Merging, RefusesWhatIsNoWholeRun) {
  const NamedRecord first = shard_of(1, 2, {"a", "c"});
  const NamedRecord second = shard_of(2, 2, {"b"});
  EXPECT_THAT(problems_of({first}), Contains("shard 2/2 is missing"));
  EXPECT_THAT(problems_of({first, second, second}),
              Contains("s2: shard 2/2 comes twice, s2 is it too"));
  EXPECT_THAT(problems_of({first, shard_of(2, 2, {"a"})}), Contains("s2: case a is in s1 too"));
  EXPECT_THAT(problems_of({first, shard_of(2, 2, {})}),
              Contains("the shards have 2 cases together, the run has 3"));
  NamedRecord cut = second;
  cut.record.footer.reset();
  EXPECT_THAT(problems_of({first, cut}), Contains("s2: cut short after 1 cases"));
  NamedRecord whole = second;
  whole.record.header.selection = {"status/*", std::string(cases_word) + "3"};
  EXPECT_THAT(problems_of({first, whole}),
              Contains("s2: not the record of a shard (run with --shard I/N)"));
}

TEST(Merging, RefusesShardsOfAnotherRun) {
  const auto problem = [](auto change) {
    NamedRecord second = shard_of(2, 2, {"b"});
    change(second.record.header);
    const auto problems = problems_of({shard_of(1, 2, {"a", "c"}), second});
    return problems.empty() ? std::string() : problems.front();
  };
  using Header = core::RecordHeader;
  EXPECT_EQ(problem([](Header&) {}), "");
  EXPECT_EQ(problem([](Header& header) { header.seed = 8; }), "s2: another seed than s1: 8, not 7");
  EXPECT_EQ(problem([](Header& header) { header.suite_digest = "x"; }),
            "s2: another suite than s1: x, not ");
  EXPECT_EQ(problem([](Header& header) { header.profile = "x"; }),
            "s2: another profile than s1: x, not ");
  EXPECT_EQ(problem([](Header& header) { header.target_identity = "x 2"; }),
            "s2: another target than s1: x 2, not ");
  EXPECT_EQ(problem([](Header& header) { header.assay_version = "9"; }),
            "s2: another version of assay than s1: 9, not ");
  EXPECT_EQ(problem([](Header& header) { header.flaky = core::flaky_policy::warn; }),
            "s2: another --flaky policy than s1: warn, not no retries");
  EXPECT_EQ(problem([](Header& header) { header.selection.front() = "runs/*"; }),
            "s2: another selection of cases than s1");
}

}  // namespace
}  // namespace assay::check::merging_test
