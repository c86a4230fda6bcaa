#include "harness/run/rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace assay::run {
namespace {

using ::testing::ElementsAre;

/// A round of one check, whose evidence is the last of its exchanges.
core::CaseResult round_of(core::Verdict verdict, const std::string& clause,
                          std::vector<std::string> targets) {
  core::CaseResult result;
  result.id = "properties/x-0";
  result.repro = "assay run";
  result.verdict = verdict;
  result.duration_ms = 10;
  result.clauses = {clause};
  core::Check& check = result.checks.emplace_back();
  check.verdict = verdict;
  check.clauses = {clause};
  check.evidence = {targets.size() - 1};
  for (std::string& target : targets) {
    result.exchanges.emplace_back().request.target = std::move(target);
  }
  return result;
}

std::vector<core::CaseResult> three_rounds() {
  return {round_of(core::Verdict::fail, "B", {"/a", "/b"}),
          round_of(core::Verdict::fail, "A", {"/c"}),
          round_of(core::Verdict::pass, "C", {"/d", "/e", "/f"})};
}

std::vector<std::string> evidence_of(const core::CaseResult& result) {
  std::vector<std::string> targets;
  for (const core::Check& check : result.checks) {
    targets.push_back(result.exchanges.at(check.evidence.front()).request.target);
  }
  return targets;
}

TEST(Rounds, AreOneResultWithTheEvidenceOfEach) {
  const core::CaseResult whole = joined_rounds(three_rounds(), false);
  EXPECT_EQ(whole.verdict, core::Verdict::fail);
  EXPECT_EQ(whole.duration_ms, 30);
  EXPECT_THAT(whole.clauses, ElementsAre("A", "B", "C"));
  EXPECT_THAT(evidence_of(whole), ElementsAre("/b", "/c", "/f"));
  EXPECT_EQ(whole.rounds.size(), 3U);
  EXPECT_EQ(whole.repro, "assay run --keep-going");
}

TEST(Rounds, TheLastStandsFirstWhereItIsNews) {
  const core::CaseResult whole = joined_rounds(three_rounds(), true);
  EXPECT_THAT(evidence_of(whole), ElementsAre("/f", "/b", "/c"));
  EXPECT_EQ(whole.rounds.front().number, 2U);
}

TEST(Rounds, AreTakenApartAgain) {
  for (const bool last_first : {false, true}) {
    const core::CaseResult whole = joined_rounds(three_rounds(), last_first);
    const auto separate = separate_rounds(whole.checks, whole.exchanges, whole.rounds);
    ASSERT_TRUE(separate);
    ASSERT_EQ(separate->size(), 3U);
    EXPECT_EQ(separate->at(1).checks.front().clauses.front(), "A");
    EXPECT_EQ(separate->at(2).exchanges.back().request.target, "/f");
  }
}

TEST(Rounds, OfACaseThatWasMadeOnceThereIsOne) {
  const core::CaseResult whole = joined_rounds({three_rounds().front()}, false);
  EXPECT_TRUE(whole.rounds.empty());
  const auto separate = separate_rounds(whole.checks, whole.exchanges, whole.rounds);
  ASSERT_TRUE(separate);
  EXPECT_EQ(separate->size(), 1U);
}

TEST(Rounds, ThatAreNotWhatTheResultHasAreRefused) {
  const core::CaseResult whole = joined_rounds(three_rounds(), false);
  std::vector<core::Round> rounds = whole.rounds;
  rounds[1].exchanges = 2;
  EXPECT_FALSE(separate_rounds(whole.checks, whole.exchanges, rounds));
  rounds = whole.rounds;
  rounds[1].number = 0;
  EXPECT_FALSE(separate_rounds(whole.checks, whole.exchanges, rounds));
  rounds = whole.rounds;
  rounds.pop_back();
  EXPECT_FALSE(separate_rounds(whole.checks, whole.exchanges, rounds));
  rounds = whole.rounds;
  rounds[0].checks = 99;
  EXPECT_FALSE(separate_rounds(whole.checks, whole.exchanges, rounds));
}

}  // namespace
}  // namespace assay::run
