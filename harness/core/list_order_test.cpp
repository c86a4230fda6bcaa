#include "harness/core/list_order.h"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

using Kind = Pattern::Kind;

Pattern list_of(Kind kind, std::size_t count) {
  Pattern pattern{kind, {}, {}, {}};
  pattern.elements.resize(count);
  return pattern;
}

Kind kind_of_member(std::string_view operation, const std::string& member, Pattern pattern) {
  Pattern whole{Kind::object, {}, {}, {}};
  whole.members.emplace(member, std::move(pattern));
  return without_order(operation, whole).members.at(member).kind;
}

TEST(ListOrder, TheContractPromisesTheOrderOfALogAnAuditAndAHistory) {
  EXPECT_EQ(order_of("events.list", ""), ListOrder::promised);
  EXPECT_EQ(order_of("runs.audit", ""), ListOrder::promised);
  EXPECT_EQ(order_of("workflow.get", "history"), ListOrder::promised);
}

TEST(ListOrder, OtherListsComeInAny) {
  EXPECT_EQ(order_of("executions.list", ""), ListOrder::any);
  EXPECT_EQ(order_of("executions.detail", "steps"), ListOrder::any);
  EXPECT_EQ(order_of("executions.marking", "tokens"), ListOrder::any);
  EXPECT_EQ(order_of("workflow.get", "entities"), ListOrder::any);
}

TEST(ListOrder, AnObjectsAnswerIsNoListing) {
  EXPECT_EQ(order_of("executions.detail", ""), ListOrder::promised);
}

TEST(ListOrder, LoosensAPattern) {
  EXPECT_EQ(kind_of_member("executions.detail", "steps", list_of(Kind::list, 2)), Kind::unordered);
  EXPECT_EQ(kind_of_member("executions.detail", "anomalies", list_of(Kind::list, 1)),
            Kind::contains);
  EXPECT_EQ(kind_of_member("workflow.get", "history", list_of(Kind::list, 2)), Kind::list);
  EXPECT_EQ(without_order("executions.list", list_of(Kind::list, 2)).kind, Kind::unordered);
}

TEST(ListOrder, AnOpenListThatIsToBeEmptyStaysEmpty) {
  EXPECT_EQ(kind_of_member("executions.detail", "anomalies", list_of(Kind::list, 0)), Kind::list);
}

TEST(ListOrder, LooksIntoChoices) {
  Pattern whole{Kind::object, {}, {}, {}};
  whole.members.emplace("steps", list_of(Kind::list, 2));
  const Pattern choice{Kind::one_of, {}, {}, {whole}};
  EXPECT_EQ(without_order("executions.detail", choice).elements[0].members.at("steps").kind,
            Kind::unordered);
}

}  // namespace
}  // namespace assay::core
