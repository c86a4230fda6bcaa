#include "harness/check/match.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay::check {
namespace {

using core::Pattern;
using By = Pattern::By;
using How = Pattern::How;

Pattern literal(Value value) { return {core::OperandPattern{By::literal, std::move(value)}}; }
Pattern operand(By by, Value value) { return {core::OperandPattern{by, std::move(value)}}; }
Pattern members(std::map<std::string, Pattern> each, bool exactly = false) {
  return {core::ObjectPattern{std::move(each), exactly}};
}
Pattern elements(How how, std::vector<Pattern> each) {
  return {core::ElementsPattern{how, std::move(each)}};
}
Pattern any() { return {}; }
Pattern absent() { return {core::AbsentPattern()}; }

std::string difference(const Pattern& pattern, const Value& actual) {
  const auto mismatch = match(pattern, &actual);
  if (!mismatch) return "none";
  return mismatch->pointer + " | " + mismatch->expected + " | " + mismatch->actual;
}

TEST(Match, ScalarsAreEqualAsJson) {
  EXPECT_TRUE(matches(literal(1), std::make_unique<Value>(1.0).get()));
  EXPECT_EQ(difference(literal(1), "1"), " | 1 | \"1\"");
  EXPECT_EQ(difference(literal(true), 1), " | true | 1");
  EXPECT_EQ(difference(literal(nullptr), nullptr), "none");
  EXPECT_EQ(
      difference(literal(std::int64_t{9'007'199'254'740'993}), std::int64_t{9'007'199'254'740'992}),
      " | 9007199254740993 | 9007199254740992");
}

TEST(Match, AnObjectMayHaveMoreMembers) {
  const Value actual(Object{{"a", 1}, {"b", Object{{"c/d", 2}}}});
  EXPECT_EQ(difference(members({{"a", literal(1)}}), actual), "none");
  EXPECT_EQ(difference(members({{"b", members({{"c/d", literal(3)}})}}), actual),
            "/b/c~1d | 3 | 2");
  EXPECT_EQ(difference(members({{"z", literal(nullptr)}}), actual), "/z | null | absent");
  EXPECT_EQ(difference(members({}), List{}), " | {} | []");
}

TEST(Match, TheStateIsToldBeforeWhatFollowsFromIt) {
  const Value actual(Object{{"ended_at", "2026-01-01T00:00:04Z"}, {"state", "COMPLETED"}});
  EXPECT_EQ(
      difference(members({{"ended_at", literal(nullptr)}, {"state", literal("RUNNING")}}), actual),
      "/state | \"RUNNING\" | \"COMPLETED\"");
}

TEST(Match, TimesAreInstants) {
  const Pattern wanted = members({{"started_at", literal("2026-01-01T00:00:00Z")}});
  EXPECT_EQ(difference(wanted, Object{{"started_at", "2026-01-01T00:00:00.000Z"}}), "none");
  EXPECT_EQ(difference(wanted, Object{{"started_at", "2026-01-01T00:00:01Z"}}),
            "/started_at | \"2026-01-01T00:00:00Z\" | \"2026-01-01T00:00:01Z\"");
}

TEST(Match, ATextThatLooksLikeATimeIsAText) {
  EXPECT_NE(difference(members({{"note", literal("2026-01-01T00:00:00Z")}}),
                       Object{{"note", "2026-01-01T00:00:00.000Z"}}),
            "none");
}

TEST(Match, AnExactObjectMayNot) {
  const Value actual(Object{{"a", 1}, {"b", 2}});
  EXPECT_EQ(difference(members({{"a", literal(1)}}, true), actual), "/b | absent | 2");
  EXPECT_EQ(difference(members({{"a", literal(1)}, {"b", any()}}, true), actual), "none");
}

TEST(Match, AbsenceIsKeptByAbsentAlone) {
  const Pattern wanted = members({{"a", absent()}});
  EXPECT_EQ(difference(wanted, Object{}), "none");
  EXPECT_EQ(difference(wanted, Object{{"a", nullptr}}), "/a | absent | null");
  EXPECT_EQ(difference(members({{"a", any()}}), Object{}), "/a | any value | absent");
  EXPECT_EQ(difference(members({{"a", elements(How::none_of, {literal(1)})}}), Object{}),
            "/a | !not 1 | absent");
  EXPECT_EQ(difference(members({{"a", elements(How::one_of, {absent(), literal(1)})}}), Object{}),
            "none");
}

TEST(Match, AListIsInOrderAndWhole) {
  const Value actual(List{1, 2});
  EXPECT_EQ(difference(elements(How::list, {literal(1), literal(2)}), actual), "none");
  EXPECT_EQ(difference(elements(How::list, {literal(2), literal(1)}), actual), "/0 | 2 | 1");
  EXPECT_EQ(difference(elements(How::list, {literal(1)}), actual), "/1 | absent | 2");
  EXPECT_EQ(difference(elements(How::list, {literal(1), literal(2), any()}), actual),
            "/2 | any value | absent");
}

TEST(Match, UnorderedGivesEachPatternAnElementOfItsOwn) {
  const Value actual(List{Object{{"a", 1}}, Object{{"a", 2}}});
  const Pattern one = members({{"a", literal(1)}});
  // Greedy choice would give the first element to the pattern that could take either.
  EXPECT_EQ(difference(elements(How::unordered, {members({{"a", any()}}), one}), actual), "none");
  EXPECT_EQ(difference(elements(How::unordered, {one, one}), actual), "/1/a | 1 | 2");
  EXPECT_EQ(difference(elements(How::unordered, {one}), actual), "/1 | absent | {\"a\":2}");
  EXPECT_NE(difference(elements(How::unordered, {any(), any(), any()}), actual), "none");
}

TEST(Match, ContainsNamesTheNearestElement) {
  const Value actual(List{Object{{"step", "b"}, {"n", 1}}, Object{{"step", "c"}, {"n", 2}}});
  const Pattern wanted = members({{"step", literal("c")}, {"n", literal(3)}});
  EXPECT_EQ(difference(elements(How::contains, {wanted}), actual), "/1/n | 3 | 2");
  EXPECT_EQ(difference(elements(How::contains, {members({{"n", literal(2)}})}), actual), "none");
  EXPECT_EQ(difference(elements(How::contains, {}), actual), "none");
}

TEST(Match, ExcludesNamesTheElement) {
  const Value actual(List{1, 2});
  EXPECT_EQ(difference(elements(How::excludes, {literal(2)}), actual),
            "/1 | no element like 2 | 2");
  EXPECT_EQ(difference(elements(How::excludes, {literal(3)}), actual), "none");
}

TEST(Match, MatchingManyInterchangeableElementsIsQuick) {
  // Each pattern takes every element but one is missing: a search by trial would take 60! steps.
  const List numbers(60, Value(1));
  std::vector<Pattern> patterns(59, literal(1));
  patterns.push_back(literal(2));
  EXPECT_EQ(difference(elements(How::unordered, patterns), numbers), "/59 | 2 | 1");
}

TEST(Match, TypesAreThoseOfJson) {
  EXPECT_EQ(difference(operand(By::type, "integer"), 3), "none");
  EXPECT_EQ(difference(operand(By::type, "integer"), 3.5), " | !type \"integer\" | 3.5");
  EXPECT_EQ(difference(operand(By::type, "number"), 3), "none");
  EXPECT_EQ(difference(operand(By::type, "string"), nullptr), " | !type \"string\" | null");
  EXPECT_EQ(difference(operand(By::type, "boolean"), false), "none");
}

TEST(Match, LengthsCountElementsMembersAndBytes) {
  EXPECT_EQ(difference(operand(By::length, 2), List{1, 2}), "none");
  EXPECT_EQ(difference(operand(By::length, 2), "é"), "none");
  EXPECT_EQ(difference(operand(By::length, 1), Object{}), " | !length 1 | {}");
  EXPECT_EQ(difference(operand(By::length, 0), nullptr), " | !length 0 | null");
}

TEST(Match, InstantsAreComparedAcrossZones) {
  const Pattern noon = operand(By::instant, "2026-01-01T12:00:00Z");
  EXPECT_EQ(difference(noon, "2026-01-01T14:00:00.000+02:00"), "none");
  EXPECT_NE(difference(noon, "2026-01-01T12:00:00.001Z"), "none");
  EXPECT_NE(difference(noon, "2026-01-01T12:00:00"), "none");
  EXPECT_NE(difference(noon, 0), "none");
}

TEST(Match, TextsAndBounds) {
  EXPECT_EQ(difference(operand(By::begins, "ab"), "abc"), "none");
  EXPECT_EQ(difference(operand(By::ends, "ab"), "abc"), " | !ends \"ab\" | \"abc\"");
  EXPECT_EQ(difference(operand(By::includes, "b"), "abc"), "none");
  EXPECT_EQ(difference(operand(By::at_least, 2), 2.0), "none");
  EXPECT_EQ(difference(operand(By::at_least, 2), 1), " | !at_least 2 | 1");
  EXPECT_EQ(difference(operand(By::at_most, 2), 3), " | !at_most 2 | 3");
  EXPECT_EQ(difference(operand(By::at_most, std::int64_t{9'007'199'254'740'992}),
                       std::int64_t{9'007'199'254'740'993}),
            " | !at_most 9007199254740992 | 9007199254740993");
}

TEST(Match, NegationAndChoice) {
  EXPECT_EQ(difference(elements(How::none_of, {literal(1)}), 2), "none");
  EXPECT_EQ(difference(elements(How::none_of, {literal(1)}), 1), " | !not 1 | 1");
  EXPECT_EQ(difference(elements(How::one_of, {literal(1), literal(2)}), 3), " | !one_of [1,2] | 3");
}

TEST(Match, AMessageIsCutAndNeverInsideACharacter) {
  const std::string text = difference(literal(1), std::string(399, 'x') + "éé");
  EXPECT_LT(text.size(), 500U);
  EXPECT_TRUE(text.ends_with("…"));
  EXPECT_EQ(text.find("\xC3…"), std::string::npos);
}

}  // namespace
}  // namespace assay::check
