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

List steps(std::initializer_list<const char*> names) {
  List items;
  for (const char* name : names) items.push_back(Object{{"step", name}, {"state", "RUNNING"}});
  return items;
}

Projection of_detail(std::string member) {
  Projection projection{{std::move(member)}};
  projection.operation = "executions.detail";
  return projection;
}

TEST(Projection, PairsTheItemsOfAListWithoutPromisedOrder) {
  EXPECT_EQ(text_of(of_detail("steps.step"), Object{{"steps", steps({"a", "b"})}},
                    Object{{"steps", steps({"b", "a"})}}),
            R"({"steps": !unordered [{"step": "a"},{"step": "b"}]})");
}

TEST(Projection, AsksForTheItemsThatBothPlaysHave) {
  EXPECT_EQ(text_of(of_detail("steps.step"), Object{{"steps", steps({"a"})}},
                    Object{{"steps", steps({"c", "a"})}}),
            R"({"steps": !contains [{"step": "a"}]})");
  EXPECT_EQ(text_of(of_detail("anomalies"), Object{{"anomalies", List{Object{{"seq", 2}}}}},
                    Object{{"anomalies", List{Object{{"seq", 3}}, Object{{"seq", 2}}}}}),
            R"({"anomalies": !contains [{"seq": 2}]})");
}

/// What the server numbers as it comes has another number where it comes in another order.
TEST(Projection, PairsWhatComesInAnyOrderWhateverItsNumber) {
  const auto event = [](int seq, const char* entity) {
    return Object{{"seq", seq}, {"entity_id", entity}};
  };
  Projection projection{{"entity_id"}, false, true};
  projection.operation = "events.list";
  EXPECT_EQ(
      text_of(projection, List{event(1, "a"), event(2, "b")}, List{event(1, "b"), event(2, "a")}),
      R"(!unordered [{"entity_id": "a"},{"entity_id": "b"}])");
}

/// Of two of one step each is paired with what is as much like it as any.
TEST(Projection, PairsWhatHasTheSameMembers) {
  const auto token = [](const Value& args) { return Object{{"step", "a"}, {"args", args}}; };
  const Object one{{"v", 1}};
  Projection projection{{"step", "args"}, true, true};
  EXPECT_EQ(
      text_of(projection, List{token(Object{}), token(one)}, List{token(one), token(Object{})}),
      R"(!unordered [{"args": !exactly {},"step": "a"},{"args": !exactly {"v": 1},"step": "a"}])");
}

TEST(Projection, TakesTheItemsThatAreChosen) {
  Projection projection = of_detail("steps");
  projection.choice = ItemChoice{"step", "b"};
  const Value detail = Object{{"steps", steps({"a", "b"})}};
  EXPECT_EQ(text_of(projection, detail, detail),
            R"({"steps": !contains [{"state": "RUNNING","step": "b"}]})");
  projection.choice->is_text = false;
  EXPECT_EQ(text_of(projection, detail, detail),
            R"({"steps": !contains [{"state": "RUNNING","step": "a"}]})");
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
