#include "properties/projection.h"

#include <gtest/gtest.h>

#include "harness/check/text.h"

namespace assay::properties {
namespace {

Value marking(const char* run) {
  return Object{{"tokens", List{Object{{"step", "a"}, {"run", run}, {"args", Object{{"n", 1}}}}}},
                {"fan_in", List{}}};
}

std::string text_of(const Projection& projection, const Value& first, const Value& second) {
  return check::pattern_text(projected(projection, first, second, {}));
}

TEST(Projection, TakesAllWhereNothingIsNamed) {
  EXPECT_EQ(text_of({}, Object{{"a", 1}}, Object{{"a", 1}}), R"({"a": 1})");
}

TEST(Projection, FollowsPathsThroughObjectsAndLists) {
  EXPECT_EQ(text_of({{"tokens.step"}}, marking("r1"), marking("r2")),
            R"({"tokens": [{"step": "a"}]})");
  EXPECT_EQ(text_of({{"tokens.step", "tokens.run"}}, marking("r1"), marking("r2")),
            R"({"tokens": [{"run": !type "string","step": "a"}]})");
}

TEST(Projection, IsExactOnlyAtTheEndsOfItsPaths) {
  EXPECT_EQ(text_of({{"tokens.args"}, true}, marking("r1"), marking("r2")),
            R"({"tokens": [{"args": !exactly {"n": 1}}]})");
}

TEST(Projection, LeavesTheOrderOfListsOpenWhereItIsToldTo) {
  EXPECT_EQ(text_of({{"tokens.step"}, false, true}, marking("r1"), marking("r2")),
            R"({"tokens": !unordered [{"step": "a"}]})");
}

TEST(Projection, TakesOneItemOfAListWhereverItStands) {
  const Value history =
      Object{{"history", List{Object{{"status", "NEW"}}, Object{{"status", "VALID"}}}}};
  EXPECT_EQ(text_of({{"history.status"}, false, false, 1}, history, history),
            R"({"history": !contains [{"status": "VALID"}]})");
}

TEST(Projection, ComparesWhatHasAnotherShapeAsItIs) {
  EXPECT_EQ(text_of({{"tokens.step"}}, List{}, List{1}), "!type \"array\"");
  EXPECT_EQ(text_of({{"a.b"}}, nullptr, nullptr), "null");
}

}  // namespace
}  // namespace assay::properties
