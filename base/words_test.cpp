#include "base/words.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

enum class Colour { red, green, blue };

constexpr Words<Colour::blue> words = {"red", "green", "BLUE"};

TEST(Words, GoBothWays) {
  for (const Colour colour : words.values()) EXPECT_EQ(words.parse(words[colour]), colour);
  EXPECT_EQ(words[Colour::blue], "BLUE");
  EXPECT_EQ(words.parse("BLUE"), Colour::blue);
}

TEST(Words, AreNoneWhereATextIsNotOne) {
  EXPECT_EQ(words.parse("blue"), std::nullopt);
  EXPECT_EQ(words.parse(""), std::nullopt);
  EXPECT_EQ(words.parse("gree"), std::nullopt);
}

TEST(Words, AreFoundByWhatTheCallerTakesForTheSame) {
  const auto begins = [](std::string_view text, std::string_view word) {
    return word.starts_with(text);
  };
  EXPECT_EQ(words.parse("g", begins), Colour::green);
  EXPECT_EQ(words.parse("x", begins), std::nullopt);
}

TEST(Words, AreListedFromOneToAnother) {
  EXPECT_EQ(words.names(), (std::vector<std::string>{"red", "green", "BLUE"}));
  EXPECT_EQ(words.names(Colour::green), (std::vector<std::string>{"green", "BLUE"}));
  EXPECT_EQ(words.names(Colour::red, Colour::green), (std::vector<std::string>{"red", "green"}));
}

TEST(EnumTable, HasOnePartForEachValue) {
  EnumTable<Colour::blue, int> counts;
  ++counts[Colour::green];
  counts[Colour::green] += 2;
  EXPECT_EQ(counts[Colour::red], 0);
  EXPECT_EQ(counts[Colour::green], 3);
  EXPECT_EQ(std::vector<int>(counts.begin(), counts.end()), (std::vector<int>{0, 3, 0}));
  EXPECT_THROW((void)counts[static_cast<Colour>(3)], std::out_of_range);
}

TEST(EnumTable, TakesAllPartsOrNone) {
  static_assert(std::constructible_from<EnumTable<Colour::blue, int>, int, int, int>);
  static_assert(!std::constructible_from<EnumTable<Colour::blue, int>, int, int>);
  static_assert(!std::constructible_from<Words<Colour::blue>, const char*, const char*>);
  constexpr EnumTable<Colour::blue, int> given = {7, 8, 9};
  EXPECT_EQ(given[Colour::blue], 9);
}

TEST(NearestName, SuggestsWhatIsNearAndNothingElse) {
  const std::vector<std::string> names = {"status/batch", "routing/loop"};
  EXPECT_EQ(nearest_name("status/bacth", names), "status/batch");
  EXPECT_EQ(nearest_name("zzz", names), std::nullopt);
}

}  // namespace
}  // namespace assay
