#include "harness/check/presence.h"

#include <gtest/gtest.h>

namespace assay::check {
namespace {

using core::Pattern;
using By = Pattern::By;
using How = Pattern::How;

Pattern literal_pattern(Value value) {
  return {core::OperandPattern{By::literal, std::move(value)}};
}
Pattern member(Pattern inner) { return {core::ObjectPattern{{{"a", std::move(inner)}}}}; }
Pattern of(How how, std::vector<Pattern> elements) {
  return {core::ElementsPattern{how, std::move(elements)}};
}

core::Scenario expecting(core::ReadExpectation read) {
  core::Scenario scenario;
  core::Expect expect;
  expect.reads.push_back(std::move(read));
  scenario.steps.emplace_back();
  scenario.steps.back().action = std::move(expect);
  return scenario;
}

core::ReadExpectation with_events(core::EventExpectation events) {
  core::ReadExpectation read;
  read.shows = std::move(events);
  return read;
}

TEST(Presence, IsDemandedByAValueThatHasToBeThere) {
  EXPECT_TRUE(demands_presence(literal_pattern("RUNNING")));
  EXPECT_TRUE(demands_presence(literal_pattern(false)));
  EXPECT_TRUE(demands_presence(member(literal_pattern(1))));
  EXPECT_TRUE(demands_presence(of(How::contains, {literal_pattern(1)})));
  EXPECT_TRUE(demands_presence(of(How::one_of, {literal_pattern(1), literal_pattern(2)})));
}

TEST(Presence, IsNotDemandedByWhatNothingSatisfiesToo) {
  EXPECT_FALSE(demands_presence(literal_pattern(nullptr)));
  EXPECT_FALSE(demands_presence(member(literal_pattern(nullptr))));
  EXPECT_FALSE(demands_presence(of(How::list, {})));
  EXPECT_FALSE(demands_presence(of(How::excludes, {literal_pattern(1)})));
  EXPECT_FALSE(demands_presence(of(How::none_of, {literal_pattern(1)})));
  EXPECT_FALSE(demands_presence(of(How::one_of, {literal_pattern(1), literal_pattern(nullptr)})));
  EXPECT_FALSE(demands_presence(Pattern{core::OperandPattern{By::length, 0}}));
}

TEST(Presence, OfAScenarioIsThatOfItsReads) {
  core::EventExpectation none;
  none.absent = {member(literal_pattern(1))};
  EXPECT_FALSE(demands_presence(expecting(with_events(none))));
  none.count = 0;
  none.exactly.emplace();
  EXPECT_FALSE(demands_presence(expecting(with_events(none))));
  none.contains = {member(literal_pattern(1))};
  EXPECT_TRUE(demands_presence(expecting(with_events(none))));
}

TEST(Presence, IsNotThatOfOneReadingWhereAnotherIsAllowedThatShowsNothing) {
  core::EventExpectation some;
  some.count = 1;
  core::Scenario scenario = expecting(with_events(some));
  EXPECT_TRUE(demands_presence(scenario));
  core::EventExpectation none;
  none.count = 0;
  std::get<core::Expect>(scenario.steps[0].action).also_allowed = {{with_events(none)}};
  EXPECT_FALSE(demands_presence(scenario));
}

}  // namespace
}  // namespace assay::check
