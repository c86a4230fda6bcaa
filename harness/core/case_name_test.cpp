#include "harness/core/case_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::core {
namespace {

using ::testing::ElementsAre;

using Matrix = std::vector<std::pair<std::string, std::vector<Value>>>;

Value event(std::string type, std::string node) {
  return Object{{"type", std::move(type)}, {"node", std::move(node)}};
}

TEST(RowNames, AreTheValuesOfTheRow) {
  EXPECT_THAT(row_names({{"word", {"COMPLETED", "a b[*]"}}, {"n", {0, -1}}}),
              ElementsAre("COMPLETED-0", "a_b___--1"));
  EXPECT_THAT(row_names({{"v", {nullptr, true, 1.5, "", Value(List{}), Value(Object{})}}}),
              ElementsAre("null", "true", "1.5", "empty", "()", "{}"));
}

TEST(RowNames, OfAnEventIsItsType) {
  EXPECT_THAT(row_names({{"later", {event("step.enter", "late"), event("step.exit", "late")}}}),
              ElementsAre("step.enter", "step.exit"));
}

TEST(RowNames, StayWhenRowsAreInserted) {
  const Matrix before = {{"later", {event("a", "x"), event("c", "x")}}, {"n", {1, 3}}};
  const Matrix after = {{"later", {event("a", "x"), event("b", "x"), event("c", "x")}},
                        {"n", {1, 2, 3}}};
  EXPECT_EQ(row_names(before).back(), row_names(after).back());
}

TEST(RowNames, AreUnique) {
  EXPECT_THAT(row_names({{"later", {event("a", "x"), event("a", "y"), event("a", "y")}}}),
              ElementsAre("a", "{node=y,type=a}", "{node=y,type=a}~2"));
  const std::string longest(70, 'x');
  const auto names = row_names({{"text", {Value(longest + "1"), Value(longest + "2")}}});
  EXPECT_NE(names[0], names[1]);
  EXPECT_LE(names[0].size(), 70U);
}

TEST(RowNames, AreNeverAnIndex) {
  EXPECT_THAT(row_names({{"n", {1, 0}}}), ElementsAre("n=1", "n=0"));
}

TEST(IdOfIndex, CountsTheRowsOfTheScenario) {
  const std::vector<std::string> ids = {"s/a", "s/b[x]", "s/b[y]", "s/bc[z]", "s/c[n=1]"};
  EXPECT_EQ(id_of_index("s/b[1]", ids), "s/b[y]");
  EXPECT_EQ(id_of_index("s/c[0]", ids), "s/c[n=1]");
  EXPECT_EQ(id_of_index("s/b[2]", ids), std::nullopt);
  EXPECT_EQ(id_of_index("s/a[0]", ids), std::nullopt);
  EXPECT_EQ(id_of_index("s/b[x]", ids), std::nullopt);
  EXPECT_EQ(id_of_index("s/b[]", ids), std::nullopt);
  EXPECT_EQ(id_of_index("s/b[1]", std::vector<std::string>{"s/b[0]", "s/b[1]"}), std::nullopt);
}

}  // namespace
}  // namespace assay::core
