#include "harness/core/list_order.h"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

using How = Pattern::How;

Pattern list_of(How how, std::size_t count) {
  return {ElementsPattern{how, std::vector<Pattern>(count)}};
}

Pattern member_of(std::string_view operation, const std::string& member, Pattern pattern) {
  const Pattern whole{ObjectPattern{{{member, std::move(pattern)}}}};
  return without_order(operation, whole).members().at(member);
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
  EXPECT_EQ(member_of("executions.detail", "steps", list_of(How::list, 2)),
            list_of(How::unordered, 2));
  EXPECT_EQ(member_of("executions.detail", "anomalies", list_of(How::list, 1)),
            list_of(How::contains, 1));
  EXPECT_EQ(member_of("workflow.get", "history", list_of(How::list, 2)), list_of(How::list, 2));
  EXPECT_EQ(without_order("executions.list", list_of(How::list, 2)), list_of(How::unordered, 2));
}

TEST(ListOrder, AnOpenListThatIsToBeEmptyStaysEmpty) {
  EXPECT_EQ(member_of("executions.detail", "anomalies", list_of(How::list, 0)),
            list_of(How::list, 0));
}

TEST(ListOrder, LooksIntoChoices) {
  const auto choice = [](How how) {
    const Pattern whole{ObjectPattern{{{"steps", list_of(how, 2)}}}};
    return Pattern{ElementsPattern{How::one_of, {whole}}};
  };
  EXPECT_EQ(without_order("executions.detail", choice(How::list)), choice(How::unordered));
}

}  // namespace
}  // namespace assay::core
