#include "properties/draft.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "properties/family.h"

namespace assay::properties {
namespace {

TEST(Draft, FollowsFromFamilySeedAndIndexAlone) {
  const Family& family = families().front();
  const Draft once = generate(family, 7, 1'000);
  EXPECT_NE(generate(family, 7, 3), once);
  EXPECT_EQ(generate(family, 7, 1'000), once);
  EXPECT_NE(generate(family, 8, 1'000), once);
  EXPECT_NE(generate(family, 7, 1'001), once);
  EXPECT_NE(generate(families()[1], 7, 1'000), once);
}

TEST(Draft, UsesEveryKindOfEveryFamily) {
  for (const Family& family : families()) {
    std::set<std::size_t> used;
    for (std::uint64_t index = 0; index < 200; ++index) {
      for (const Move& move : generate(family, 1, index).moves) {
        ASSERT_LT(move.kind, family.kinds.size());
        used.insert(move.kind);
      }
    }
    EXPECT_EQ(used.size(), family.kinds.size()) << family.id;
  }
}

TEST(Draft, HasAsManyMovesAsItIsAllowed) {
  std::set<std::size_t> lengths;
  for (std::uint64_t index = 0; index < 200; ++index) {
    lengths.insert(generate(families().front(), 1, index, 5).moves.size());
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{1, 2, 3, 4, 5}));
}

TEST(Draft, MixesStrategiesAsDocumented) {
  std::map<Strategy, int> uses;
  for (std::uint64_t index = 0; index < 100; ++index) ++uses[strategy_of(index)];
  EXPECT_EQ(uses[Strategy::weighted], 30);
  EXPECT_EQ(uses[Strategy::swarm], 40);
  EXPECT_EQ(uses[Strategy::directed], 20);
  EXPECT_EQ(uses[Strategy::rarest], 10);
}

TEST(Draft, ShrinksOperandsTowardsZero) {
  const Move move{2, {3, 0, 1, 0}};
  for (const Move& simpler_move : simpler(move)) {
    EXPECT_EQ(simpler_move.kind, move.kind);
    EXPECT_NE(simpler_move, move);
    for (std::size_t index = 0; index < 4; ++index) {
      EXPECT_LE(simpler_move.operands[index], move.operands[index]);
    }
  }
  EXPECT_EQ(simpler(move).front().operands[0], 0);
  EXPECT_TRUE(simpler(Move{2, {}}).empty());
}

}  // namespace
}  // namespace assay::properties
