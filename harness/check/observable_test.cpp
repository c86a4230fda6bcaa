#include "harness/check/observable.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/events.h"
#include "harness/check/match.h"

namespace assay::check::observable_test {
namespace {

using core::Pattern;
using By = Pattern::By;
using How = Pattern::How;

Pattern literal(Value value) { return {core::OperandPattern{By::literal, std::move(value)}}; }
Pattern object(std::map<std::string, Pattern> members) {
  return {core::ObjectPattern{std::move(members)}};
}
Pattern of(How how, std::vector<Pattern> elements) {
  return {core::ElementsPattern{how, std::move(elements)}};
}

const std::set<std::string, std::less<>> hidden = {"terminal_event"};
const Observability without_end{hidden, false};

bool accepts(const Pattern& pattern, const Value& value) {
  const auto part = observable(pattern, without_end);
  return part && matches(*part, &value);
}

TEST(Observable, LeavesOutWhatIsNotShownAndKeepsTheRest) {
  const Pattern pattern =
      object({{"state", literal("FAILED")}, {"terminal_event", literal("playbook.failed")}});
  EXPECT_TRUE(accepts(pattern, Object{{"state", "FAILED"}}));
  EXPECT_FALSE(accepts(pattern, Object{{"state", "RUNNING"}}));
}

TEST(Observable, TakesAnOutcomeThatTheTargetHasAcknowledgedItself) {
  const std::set<std::string, std::less<>> all_shown;
  const Pattern pattern =
      of(How::contains, {object({{"status", literal("FAILED_SAFE")}, {"n", literal(1)}})});
  const auto accepted = [&](bool own_acknowledgements, const char* status) {
    const auto part = observable(pattern, {all_shown, false, own_acknowledgements});
    const Value seen = List{Object{{"status", status}, {"n", 1}}};
    return part && matches(*part, &seen);
  };
  EXPECT_TRUE(accepted(true, "FAILED_SAFE"));
  EXPECT_TRUE(accepted(true, "FAILED_SAFE_ACK"));
  EXPECT_FALSE(accepted(true, "FAILED_UNSAFE_ACK"));
  EXPECT_FALSE(accepted(true, "COMPLETED"));
  EXPECT_FALSE(accepted(false, "FAILED_SAFE_ACK"));
}

/// Who has no word for a state is not accused of not showing it.
TEST(Observable, LeavesOutStatesThatTheTargetHasNoWordFor) {
  const std::set<std::string, std::less<>> all_shown;
  const std::set<std::string, std::less<>> missing = {"NEW", "LOCKED"};
  const Observability without_words{all_shown, false, false, &missing};
  EXPECT_FALSE(observable(object({{"status", literal("NEW")}}), without_words));
  EXPECT_FALSE(observable(of(How::one_of, {object({{"status", literal("LOCKED")}}),
                                           object({{"status", literal("RUNNING")}})}),
                          without_words));
  const auto part =
      observable(object({{"status", literal("LOCKED")}, {"n", literal(1)}}), without_words);
  ASSERT_TRUE(part);
  const Value other = Object{{"status", "RUNNING"}, {"n", 1}};
  const Value wrong = Object{{"status", "RUNNING"}, {"n", 2}};
  EXPECT_TRUE(matches(*part, &other));
  EXPECT_FALSE(matches(*part, &wrong));
  EXPECT_TRUE(observable(object({{"status", literal("RUNNING")}}), without_words));
}

/// A target without CREATED starts what it makes: that it has a start then is no fault.
TEST(Observable, ASkippedStateMayHaveStarted) {
  const std::set<std::string, std::less<>> all_shown;
  const std::set<std::string, std::less<>> missing = {"created"};
  const Observability without_words{all_shown, false, false, &missing};
  const Value started =
      Object{{"status", "running"}, {"started_at", "2026-01-01T00:00:00Z"}, {"ended_at", Value()}};
  const auto part = observable(object({{"status", literal("created")},
                                       {"started_at", literal(Value())},
                                       {"ended_at", literal(Value())}}),
                               without_words);
  ASSERT_TRUE(part);
  EXPECT_TRUE(matches(*part, &started));
  EXPECT_FALSE(observable(
      object({{"status", literal("created")}, {"started_at", literal(Value())}}), without_words));
  const auto in_a_state_it_has = observable(
      object({{"status", literal("running")}, {"started_at", literal(Value())}}), without_words);
  ASSERT_TRUE(in_a_state_it_has);
  EXPECT_FALSE(matches(*in_a_state_it_has, &started));
}

/// What is left of it could not fail: every state is S or is not S.
TEST(Observable, AlternativesThatShrinkToSomethingAndItsDenialAreNothing) {
  const auto denied = [](Pattern pattern) { return of(How::none_of, {std::move(pattern)}); };
  const Pattern state = object({{"state", literal("FAILED")}});
  const Pattern state_and_end =
      object({{"state", literal("FAILED")}, {"terminal_event", literal("playbook.failed")}});
  EXPECT_FALSE(observable(of(How::one_of, {state_and_end, denied(state)}), without_end));
  const Pattern other = object({{"state", literal("FAILED")}, {"n", literal(1)}});
  EXPECT_FALSE(observable(of(How::one_of, {state_and_end, denied(other)}), without_end))
      << "what is denied would have been allowed";
  const Pattern narrow = object({{"state", literal("FAILED")}, {"n", literal(1)}});
  EXPECT_TRUE(observable(of(How::one_of, {narrow, denied(state)}), without_end))
      << "a FAILED without n is neither";
}

TEST(Observable, AlternativesOfWhichOneIsNotShownAreNothing) {
  const Pattern unseen = object({{"terminal_event", literal("playbook.failed")}});
  const Pattern seen = object({{"state", literal("RUNNING")}});
  EXPECT_FALSE(observable(of(How::one_of, {unseen, seen}), without_end))
      << "the one that is not shown might be so";
  EXPECT_TRUE(observable(of(How::one_of, {seen}), without_end));
}

TEST(Observable, IsNothingWhereNothingIsShown) {
  EXPECT_FALSE(observable(object({{"terminal_event", literal("x")}}), without_end));
  EXPECT_TRUE(observable(object({}), without_end));
}

TEST(Observable, ReachesIntoTheItemsOfAListing) {
  const Pattern item = object({{"id", literal(1)}, {"terminal_event", literal("x")}});
  EXPECT_TRUE(accepts(of(How::contains, {item}), List{Object{{"id", 1}}}));
  EXPECT_FALSE(accepts(of(How::contains, {item}), List{Object{{"id", 2}}}));
}

TEST(Observable, KeepsThePlaceOfAnItemOfWhichNothingIsShown) {
  const Pattern unseen = object({{"terminal_event", literal("x")}});
  const Pattern seen = object({{"id", literal(2)}});
  EXPECT_TRUE(accepts(of(How::list, {unseen, seen}), List{Object{}, Object{{"id", 2}}}));
  EXPECT_FALSE(accepts(of(How::list, {unseen, seen}), List{Object{{"id", 2}}}));
}

TEST(Observable, NeverForbidsMoreThanWasForbidden) {
  const Pattern end = object({{"state", literal("A")}, {"terminal_event", literal("x")}});
  EXPECT_FALSE(observable(of(How::excludes, {end}), without_end));
  EXPECT_FALSE(observable(of(How::none_of, {end}), without_end));
  EXPECT_TRUE(observable(of(How::excludes, {object({{"state", literal("A")}})}), without_end));
}

TEST(Observable, TakesAnyTimeWhereTimesAreTheTargetsOwn) {
  const std::set<std::string, std::less<>> nothing;
  const Pattern pattern =
      object({{"ended_at", {core::OperandPattern{By::instant, "2026-01-01T00:00:00Z"}}}});
  const auto part = observable(pattern, {nothing, true});
  ASSERT_TRUE(part);
  const Value later = Object{{"ended_at", "2031-05-05T05:05:05Z"}};
  const Value never = Object{{"ended_at", nullptr}};
  EXPECT_TRUE(matches(*part, &later));
  EXPECT_FALSE(matches(*part, &never));
  EXPECT_FALSE(matches(pattern, &later));
}

TEST(Observable, LogsKeepTheirCountsAndEdgesThatAreShown) {
  core::EventExpectation log;
  log.absent = {object({{"event_type", literal("a")}, {"terminal_event", literal("x")}})};
  log.contains = {object({{"event_type", literal("b")}, {"terminal_event", literal("x")}})};
  log.distinct = {"/terminal_event", "/event_type"};
  const auto part = observable(log, without_end);
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->absent.empty());
  EXPECT_EQ(part->distinct, std::vector<std::string>{"/event_type"});
  EXPECT_FALSE(match_events(*part, {Object{{"event_type", "b"}}}));
  EXPECT_TRUE(match_events(*part, {Object{{"event_type", "c"}}}));

  core::EventExpectation kept;
  kept.keeps = "EVT-ENV-ID";
  EXPECT_TRUE(observable(kept, without_end));
  kept.keeps = "EVT-TASK-RETRY";
  const std::set<std::string, std::less<>> attempt = {"attempt"};
  EXPECT_FALSE(observable(kept, {attempt}));

  core::EventExpectation unseen;
  unseen.contains = {object({{"terminal_event", literal("x")}})};
  EXPECT_FALSE(observable(unseen, without_end));
  unseen.count = 3;
  EXPECT_TRUE(observable(unseen, without_end));
}

TEST(Observable, AsksForNoEventThatTheTargetDoesNotHave) {
  const std::set<std::string, std::less<>> all_shown;
  const std::map<std::string, std::string, std::less<>> names = {{"a", ""}, {"b", "B"}};
  const Observability without_a{all_shown, false, false, nullptr, &names};
  const Pattern of_a = object({{"event_type", literal("a")}});
  const Pattern of_b = object({{"event_type", literal("b")}});
  core::EventExpectation log;
  log.contains = {of_a, of_b};
  log.before = {{of_b, of_a}, {of_b, of_b}};
  const auto part = observable(log, without_a);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->contains.size(), 1U);
  EXPECT_EQ(part->before.size(), 1U);

  core::EventExpectation only_a;
  only_a.contains = {of_a};
  EXPECT_FALSE(observable(only_a, without_a));
  only_a.contains.clear();
  only_a.absent = {of_a};
  EXPECT_FALSE(observable(only_a, without_a)) << "that it is not there shows nothing";
  core::EventExpectation whole;
  whole.exactly = {of_b, of_a};
  EXPECT_FALSE(observable(whole, without_a));
}

}  // namespace
}  // namespace assay::check::observable_test
