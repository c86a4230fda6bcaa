#include "harness/run/patience.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace assay::run {
namespace {

using core::Verdict;

/// What a target shows over time: from each moment on, that look.
using Story = std::vector<std::pair<double, ReadResult>>;

ReadResult shown_at(const Story& story, double now_ms) {
  ReadResult look = ReadResult::undecided;
  for (const auto& [from_ms, shown] : story) {
    if (now_ms >= from_ms) look = shown;
  }
  return look;
}

struct Outcome {
  Verdict verdict;
  std::int64_t looks;
  std::int64_t looked_ms;
  std::string reason;
  double ended_ms;
};

/// Looks until it is decided; each look takes `answer_ms`.
Outcome watch(const Waiting& waiting, const Story& story, double answer_ms = 0) {
  Patience patience(waiting, 0);
  double now_ms = 0;
  std::optional<double> pause = 0;
  while (pause) {
    now_ms += *pause;
    const double called_ms = now_ms;
    now_ms += answer_ms;
    pause = patience.after_look(shown_at(story, called_ms), called_ms, now_ms);
  }
  return {patience.verdict(), patience.looks(), patience.looked_ms(), patience.reason(), now_ms};
}

Waiting within(double within_ms) {
  Waiting waiting;
  waiting.within_ms = within_ms;
  waiting.latest_ms = 60'000;
  return waiting;
}

Waiting hold(double hold_ms, double within_ms = 0) {
  Waiting waiting = within(within_ms);
  waiting.hold = true;
  waiting.hold_ms = hold_ms;
  return waiting;
}

Waiting never(double hold_ms) {
  Waiting waiting = within(0);
  waiting.never = true;
  waiting.hold_ms = hold_ms;
  return waiting;
}

Waiting immediate(Waiting waiting) {
  waiting.immediate = true;
  return waiting;
}

TEST(Patience, WithoutAWaitOneLookDecides) {
  EXPECT_EQ(watch(within(0), {{0, ReadResult::matched}}).verdict, Verdict::pass);
  EXPECT_EQ(watch(within(0), {{0, ReadResult::mismatched}}).verdict, Verdict::fail);
  EXPECT_EQ(watch(within(0), {{0, ReadResult::missing}}).verdict, Verdict::fail);
  EXPECT_EQ(watch(within(0), {{0, ReadResult::undecided}}).verdict, Verdict::inconclusive);
  EXPECT_EQ(watch(within(0), {{0, ReadResult::fault}}).verdict, Verdict::error);
  EXPECT_EQ(watch(within(0), {{0, ReadResult::matched}}).looks, 1);
}

TEST(Patience, WithinLooksAgainUntilItComesTrue) {
  const Outcome outcome =
      watch(within(1'000), {{0, ReadResult::mismatched}, {300, ReadResult::matched}});
  EXPECT_EQ(outcome.verdict, Verdict::pass);
  EXPECT_GT(outcome.looks, 2);
  EXPECT_LT(outcome.ended_ms, 1'000);
}

TEST(Patience, TheLastMomentIsLookedAt) {
  EXPECT_EQ(
      watch(within(1'000), {{0, ReadResult::mismatched}, {1'000, ReadResult::matched}}).verdict,
      Verdict::pass);
}

TEST(Patience, WhatComesTrueLateIsAFail) {
  const Outcome outcome =
      watch(within(1'000), {{0, ReadResult::mismatched}, {1'001, ReadResult::matched}});
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_TRUE(outcome.reason.starts_with("not within 1000 ms (")) << outcome.reason;
}

TEST(Patience, ALookThatComesTooLateDecidesNothing) {
  // The first answer takes 3 s: when the next look is called, the second that was given is over.
  const Outcome outcome =
      watch(within(1'000), {{0, ReadResult::mismatched}, {3'000, ReadResult::matched}}, 3'000);
  EXPECT_EQ(outcome.verdict, Verdict::inconclusive);
  EXPECT_EQ(outcome.looks, 2);
}

TEST(Patience, AMatchBeforeTheReadsHaveSettledDecidesNothing) {
  Waiting waiting = within(500);
  waiting.lag_ms = 500;
  waiting.settled_ms = 300;
  const Outcome kept = watch(waiting, {{0, ReadResult::matched}});
  EXPECT_EQ(kept.verdict, Verdict::pass);
  EXPECT_EQ(kept.looks, 2);
  EXPECT_EQ(kept.ended_ms, 300);
  EXPECT_EQ(watch(waiting, {{0, ReadResult::matched}, {250, ReadResult::mismatched}}).verdict,
            Verdict::fail);
}

TEST(Patience, ALateLookTellsWhereOnlyTheReadsLag) {
  Waiting waiting = within(500);
  const Story story = {{0, ReadResult::mismatched}, {400, ReadResult::matched}};
  EXPECT_EQ(watch(waiting, story, 900).verdict, Verdict::inconclusive);
  waiting.lag_ms = 500;
  EXPECT_EQ(watch(waiting, story, 900).verdict, Verdict::pass);
}

TEST(Patience, SilenceToTheEndIsInconclusiveOrAnError) {
  EXPECT_EQ(watch(within(100), {{0, ReadResult::undecided}}).verdict, Verdict::inconclusive);
  EXPECT_EQ(watch(within(100), {{0, ReadResult::fault}}).verdict, Verdict::error);
  EXPECT_EQ(watch(within(100), {{0, ReadResult::undecided}, {50, ReadResult::matched}}).verdict,
            Verdict::pass);
}

TEST(Patience, HoldWatchesTheWholeWindow) {
  const Outcome outcome = watch(hold(1'000), {{0, ReadResult::matched}});
  EXPECT_EQ(outcome.verdict, Verdict::pass);
  EXPECT_EQ(outcome.looked_ms, 1'000);
  EXPECT_GT(outcome.looks, 2);
}

TEST(Patience, HoldBreaksOnItsSecondLook) {
  const Outcome outcome =
      watch(hold(1'000), {{0, ReadResult::matched}, {5, ReadResult::mismatched}});
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_EQ(outcome.looks, 2);
  EXPECT_EQ(outcome.reason, "held for 5 ms of 1000, then broke");
  EXPECT_EQ(watch(hold(1'000), {{0, ReadResult::matched}, {1'000, ReadResult::missing}}).verdict,
            Verdict::fail);
}

TEST(Patience, HoldMustBeginTrue) {
  EXPECT_EQ(watch(hold(100), {{0, ReadResult::mismatched}, {5, ReadResult::matched}}).verdict,
            Verdict::fail);
  EXPECT_EQ(watch(hold(100, 50), {{0, ReadResult::mismatched}, {5, ReadResult::matched}}).verdict,
            Verdict::pass);
}

TEST(Patience, HoldWithSilenceInItIsNoPass) {
  const Story gap = {
      {0, ReadResult::matched}, {20, ReadResult::undecided}, {40, ReadResult::matched}};
  EXPECT_EQ(watch(hold(100), gap).verdict, Verdict::inconclusive);
  const Story broken = {
      {0, ReadResult::matched}, {20, ReadResult::fault}, {40, ReadResult::mismatched}};
  EXPECT_EQ(watch(hold(100), broken).verdict, Verdict::fail);
}

TEST(Patience, HoldLooksTwiceHoweverShortItIs) {
  EXPECT_EQ(watch(hold(0), {{0, ReadResult::matched}}).looks, 2);
}

TEST(Patience, NeverFailsOnceItComesTrue) {
  EXPECT_EQ(watch(never(1'000), {{0, ReadResult::mismatched}}).verdict, Verdict::pass);
  EXPECT_EQ(watch(never(1'000), {{0, ReadResult::mismatched}}).looked_ms, 1'000);
  EXPECT_EQ(watch(never(1'000), {{0, ReadResult::matched}}).verdict, Verdict::fail);
  EXPECT_EQ(
      watch(never(1'000), {{0, ReadResult::mismatched}, {1'000, ReadResult::matched}}).verdict,
      Verdict::fail);
}

TEST(Patience, NeverIsNotProvenByWhatCannotBeRead) {
  EXPECT_EQ(watch(never(100), {{0, ReadResult::missing}}).verdict, Verdict::inconclusive);
  EXPECT_EQ(watch(never(100), {{0, ReadResult::undecided}}).verdict, Verdict::inconclusive);
  EXPECT_EQ(watch(never(100), {{0, ReadResult::mismatched}, {50, ReadResult::fault}}).verdict,
            Verdict::error);
}

TEST(Patience, AnImmediateTargetIsLookedAtOnceOrTwiceWithoutAPause) {
  const Outcome once = watch(immediate(within(1'000)), {{0, ReadResult::mismatched}});
  EXPECT_EQ(once.verdict, Verdict::fail);
  EXPECT_EQ(once.looks, 1);
  for (const Waiting& waiting : {hold(1'000), never(1'000)}) {
    const ReadResult look = waiting.never ? ReadResult::mismatched : ReadResult::matched;
    const Outcome twice = watch(immediate(waiting), {{0, look}});
    EXPECT_EQ(twice.verdict, Verdict::pass);
    EXPECT_EQ(twice.looks, 2);
    EXPECT_EQ(twice.ended_ms, 0);
  }
}

TEST(Patience, TheCasesTimeBoundsEveryWait) {
  Waiting waiting = within(10'000);
  waiting.latest_ms = 500;
  const Outcome outcome = watch(waiting, {{0, ReadResult::mismatched}});
  EXPECT_EQ(outcome.verdict, Verdict::inconclusive);
  EXPECT_EQ(outcome.ended_ms, 500);
}

TEST(Patience, TheCasesTimeBoundsTheWaitForReadsToCatchUp) {
  Waiting waiting = within(10'000);
  waiting.latest_ms = 500;
  waiting.settled_ms = 600'000;
  const Outcome outcome = watch(waiting, {{0, ReadResult::matched}});
  EXPECT_EQ(outcome.verdict, Verdict::inconclusive);
  EXPECT_LE(outcome.ended_ms, 500);
}

}  // namespace
}  // namespace assay::run
