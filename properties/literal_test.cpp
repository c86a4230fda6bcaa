#include "properties/literal.h"

#include <gtest/gtest.h>

#include "harness/check/text.h"

namespace assay::properties {
namespace {

std::string text_of(const Value& first, const Value& second,
                    const std::vector<KnownName>& names = {}) {
  return check::pattern_text(literal_of(first, second, names));
}

TEST(Literal, KeepsWhatBothPlaysAgreeOn) {
  EXPECT_EQ(text_of("RUNNING", "RUNNING"), "\"RUNNING\"");
  EXPECT_EQ(text_of(Value(), Value()), "null");
  EXPECT_EQ(text_of(List{1, true}, List{1, true}), "[1,true]");
}

TEST(Literal, KnowsTheInstantOfATimeWrittenInTwoWays) {
  EXPECT_EQ(text_of("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"),
            "!instant \"2026-01-01T00:00:00Z\"");
  EXPECT_EQ(text_of("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"), "!type \"string\"");
}

TEST(Literal, NamesTheIdentifiersOfTheCase) {
  const std::vector<KnownName> names{{"unique", "a-1", "b-22"},
                                     {"id:main", "a-1-main", "b-22-main"}};
  EXPECT_EQ(text_of("a-1-main", "b-22-main", names), "\"${id:main}\"");
  EXPECT_EQ(text_of("see a-1-e3", "see b-22-e3", names), "\"see ${unique}-e3\"");
}

TEST(Literal, KnowsOnlyTheTypeOfWhatAServerMadeUp) {
  EXPECT_EQ(text_of("f81d", "07aa"), "!type \"string\"");
  EXPECT_EQ(text_of(5, 6), "!type \"integer\"");
  EXPECT_EQ(text_of(List{1}, List{}), "!type \"array\"");
  EXPECT_EQ(text_of(1, "1"), "any value");
}

TEST(Literal, TakesNoServersTextForAVariable) {
  EXPECT_EQ(text_of("${id}", "${id}"), "\"$${id}\"");
}

TEST(Literal, LetsObjectsHaveMoreMembers) {
  const core::Pattern pattern =
      literal_of(Object{{"a", 1}, {"b", "x"}}, Object{{"a", 1}, {"b", "y"}}, {});
  EXPECT_FALSE(std::get<core::ObjectPattern>(pattern.form).exactly);
  EXPECT_EQ(check::pattern_text(pattern), R"({"a": 1,"b": !type "string"})");
}

}  // namespace
}  // namespace assay::properties
