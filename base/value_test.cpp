#include "base/value.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace assay {
namespace {

TEST(Value, NumbersAreEqualByValueAndNeverByRounding) {
  EXPECT_EQ(Value(1), Value(1.0));
  EXPECT_NE(Value(1), Value(true));
  EXPECT_NE(Value(std::int64_t{9007199254740993}), Value(9007199254740992.0));
  EXPECT_EQ(Value(std::uint64_t{18446744073709549568ULL}), Value(18446744073709549568.0));
  EXPECT_NE(Value(std::uint64_t{18446744073709551615ULL}), Value(18446744073709551616.0));
  EXPECT_EQ(Value(std::uint64_t{7}), Value(7));
}

TEST(Value, ContainersAreEqualMemberByMember) {
  const Value left(Object{{"a", List{1, 2.0}}, {"b", nullptr}});
  const Value right(Object{{"b", nullptr}, {"a", List{1.0, 2}}});
  EXPECT_EQ(left, right);
  EXPECT_NE(left, Value(Object{{"a", List{1, 2}}}));
}

TEST(Value, PointersFindWhatTheyName) {
  const Value value(Object{{"a/b", List{Object{{"~", "deep"}}}}});
  ASSERT_NE(value.at_pointer("/a~1b/0/~0"), nullptr);
  EXPECT_EQ(*value.at_pointer("/a~1b/0/~0"), Value("deep"));
  EXPECT_EQ(value.at_pointer(""), &value);
  EXPECT_EQ(value.at_pointer("/a~1b/1"), nullptr);
  EXPECT_EQ(value.at_pointer("/a~1b/00"), nullptr);
  EXPECT_EQ(value.at_pointer("a"), nullptr);
  EXPECT_EQ(value.at_pointer("/~2"), nullptr);
}

TEST(Value, IntegralNumbersGiveTheirInteger) {
  EXPECT_EQ(Value(3.0).to_int64(), 3);
  EXPECT_EQ(Value(3.5).to_int64(), std::nullopt);
  EXPECT_EQ(Value(1e30).to_int64(), std::nullopt);
  EXPECT_EQ(Value(std::uint64_t{18446744073709551615ULL}).to_int64(), std::nullopt);
}

TEST(Value, PointerTokensSurviveEscaping) {
  EXPECT_EQ(escape_pointer_token("a/~b"), "a~1~0b");
  EXPECT_EQ(pointer_tokens("/a~1~0b"), (std::vector<std::string>{"a/~b"}));
}

}  // namespace
}  // namespace assay
