#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/scenario.h"
#include "harness/core/source.h"
#include "harness/core/verdict.h"

namespace assay::core {
namespace {

constexpr std::array<Verdict, 5> all_verdicts = {
    Verdict::not_applicable, Verdict::pass, Verdict::inconclusive, Verdict::error, Verdict::fail};

TEST(Verdict, MergeTakesTheWorstOfEveryPair) {
  for (std::size_t left = 0; left < all_verdicts.size(); ++left) {
    for (std::size_t right = 0; right < all_verdicts.size(); ++right) {
      const Verdict worst = all_verdicts.at(std::max(left, right));
      EXPECT_EQ(merge(all_verdicts.at(left), all_verdicts.at(right)), worst);
    }
  }
}

TEST(Verdict, NothingToMergeIsNeverAPass) {
  EXPECT_EQ(merge(std::vector<Verdict>{}), Verdict::not_applicable);
}

TEST(Verdict, WordsComeBack) {
  for (const Verdict verdict : all_verdicts) {
    EXPECT_EQ(verdict_words.parse(verdict_words[verdict]), verdict);
  }
  EXPECT_EQ(verdict_words.parse("passed"), std::nullopt);
}

TEST(Cases, AMatrixIsReadSideBySide) {
  Scenario scenario;
  scenario.id = "status/x";
  scenario.variables = {{"kept", 1}};
  scenario.matrix = {{"n", {0, 1}}, {"taken", {"c", "b"}}};
  const std::vector<Case> cases = cases_of(scenario);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[1].id, "status/x[1-b]");
  EXPECT_EQ(cases[1].variables.at("taken"), Value("b"));
  EXPECT_EQ(cases[1].variables.at("kept"), Value(1));
}

TEST(EventShorthands, StandForTheStandardNames) {
  const Object event = {{"type", "call.done"}, {"command", "c1"}, {"status", "OK"}};
  EXPECT_EQ(Value(expand_event_shorthands(event)),
            Value(Object{{"event_type", "call.done"}, {"command_id", "c1"}, {"status", "OK"}}));
}

TEST(ClauseTable, ReadsEveryClauseOfTheSpecifications) {
  std::ifstream file(ASSAY_SOURCE_DIR "/fixtures/spec/clauses.tsv");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const ClauseTable table(text);
  ASSERT_NE(table.find("STM-INF-BATCH"), nullptr);
  EXPECT_EQ(table.find("STM-INF-BATCH")->level, Level::must);
  EXPECT_EQ(table.find("STM-INF-BATCH")->source, "000 Ownership");
  EXPECT_EQ(table.find("NO-SUCH"), nullptr);
}

TEST(ClauseTable, NamesTheLineThatItCannotRead) {
  try {
    const ClauseTable table("# c\nA-1\tMUST\t000 X\tText\nA-2\tOUGHT\t000 X\tText\n");
    FAIL() << "a level that is none was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "clauses.tsv:3:1: found level OUGHT, expected MUST, SHOULD or MAY");
  }
  EXPECT_THROW(ClauseTable("A-1\tMUST\tx\ty\nA-1\tMUST\tx\ty\n"), std::invalid_argument);
}

TEST(Globs, AStarStandsForAnyRun) {
  EXPECT_TRUE(matches_glob("status/*", "status/a/b"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("a*b*c", "axxbyyc"));
  EXPECT_FALSE(matches_glob("a*b*c", "axxbyy"));
  EXPECT_FALSE(matches_glob("status", "status/a"));
}

TEST(Diagnostics, StartWithThePlace) {
  EXPECT_EQ(diagnostic_text({{"a.yaml", 3, 7}, "found x"}), "a.yaml:3:7: found x");
  EXPECT_EQ(diagnostic_text({{"a.yaml", 0, 0}, "found x"}), "a.yaml: found x");
}

}  // namespace
}  // namespace assay::core
