#include "harness/check/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::check::comparison_test {
namespace {

using core::CaseResult;
using core::RunRecord;
using core::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

CaseResult case_of(std::string id, Verdict verdict, std::string actual = "") {
  CaseResult result;
  result.id = std::move(id);
  result.clauses = {"A"};
  result.verdict = verdict;
  core::Check check;
  check.clauses = {"A"};
  check.verdict = verdict;
  if (verdict == Verdict::fail) {
    check.expected = "/state: 1";
    check.actual = std::move(actual);
  }
  result.checks.push_back(std::move(check));
  return result;
}

RunRecord record_of(std::vector<CaseResult> cases) {
  RunRecord record;
  record.cases = std::move(cases);
  return record;
}

TEST(Comparison, TellsNewFixedAndOtherFailuresApart) {
  const RunRecord before =
      record_of({case_of("a", Verdict::pass), case_of("b", Verdict::fail, "2"),
                 case_of("c", Verdict::fail, "2"), case_of("d", Verdict::fail, "2"),
                 case_of("e", Verdict::pass)});
  const RunRecord after =
      record_of({case_of("a", Verdict::fail, "2"), case_of("b", Verdict::pass),
                 case_of("c", Verdict::fail, "3"), case_of("d", Verdict::fail, "2"),
                 case_of("f", Verdict::pass)});
  const Comparison comparison = compare(before, after);
  ASSERT_THAT(comparison.newly_failing, SizeIs(1));
  EXPECT_EQ(comparison.newly_failing[0].case_id, "a");
  EXPECT_EQ(comparison.newly_failing[0].clause, "A");
  ASSERT_THAT(comparison.failing_otherwise, SizeIs(1));
  EXPECT_EQ(comparison.failing_otherwise[0].case_id, "c");
  EXPECT_THAT(comparison.failing_otherwise[0].before, ElementsAre("/state: 1 -> 2"));
  EXPECT_THAT(comparison.failing_otherwise[0].after, ElementsAre("/state: 1 -> 3"));
  ASSERT_THAT(comparison.fixed, SizeIs(1));
  EXPECT_EQ(comparison.fixed[0].case_id, "b");
  EXPECT_THAT(comparison.new_cases, ElementsAre("f"));
  EXPECT_THAT(comparison.removed_cases, ElementsAre("e"));
  EXPECT_TRUE(comparison.is_worse());
  EXPECT_FALSE(compare(before, before).is_worse());
}

TEST(Comparison, ACaseThatIsNotJudgedAnyMoreIsNotFixed) {
  const Comparison comparison = compare(record_of({case_of("a", Verdict::fail, "2")}),
                                        record_of({case_of("a", Verdict::not_applicable)}));
  EXPECT_THAT(comparison.fixed, IsEmpty());
  EXPECT_FALSE(comparison.is_worse());
}

TEST(Comparison, NamesClausesThatAreNoLongerShown) {
  const Comparison comparison = compare(record_of({case_of("a", Verdict::pass)}),
                                        record_of({case_of("a", Verdict::inconclusive)}));
  EXPECT_THAT(comparison.no_longer_shown, ElementsAre("A"));
}

TEST(Comparison, SaysWhatTheRunsAreOf) {
  RunRecord before;
  before.header.target_identity = "engine 1";
  RunRecord after;
  after.header.target_identity = "engine 2";
  EXPECT_THAT(compare(before, after).facts, ElementsAre("target: engine 1 -> engine 2"));
}

TEST(Comparison, MatchesTheRowsOfOldRecordsByTheirIndex) {
  const Comparison comparison =
      compare(record_of({case_of("s/a[0]", Verdict::pass), case_of("s/a[1]", Verdict::fail, "2")}),
              record_of({case_of("s/a[x]", Verdict::pass), case_of("s/a[y]", Verdict::fail, "2")}));
  EXPECT_THAT(comparison.new_cases, IsEmpty());
  EXPECT_THAT(comparison.removed_cases, IsEmpty());
  EXPECT_FALSE(comparison.is_worse());
}

core::Exchange read_of(std::string body, double called_ms, double returned_ms) {
  core::Exchange exchange;
  exchange.request.method = "GET";
  exchange.request.target = "/audit";
  exchange.response = core::HttpResponse{};
  exchange.response->body = std::move(body);
  exchange.called_ms = called_ms;
  exchange.returned_ms = returned_ms;
  return exchange;
}

std::string why_of(double second_called_ms, const std::string& then, const std::string& now) {
  CaseResult before = case_of("a", Verdict::fail, "2");
  before.exchanges = {read_of(then, 0, 2), read_of("x", second_called_ms, 4)};
  CaseResult after = case_of("a", Verdict::fail, "3");
  after.exchanges = {read_of(now, 0, 2), read_of("x", second_called_ms, 4)};
  return compare(record_of({before}), record_of({after})).failing_otherwise.at(0).why;
}

TEST(Comparison, CallsWhatRequestsAtTheSameMomentComeToARace) {
  EXPECT_EQ(why_of(3, "a", "b"), "the target answers differently now");
  EXPECT_EQ(why_of(3, "a", "a"), "the same answers are judged differently now");
  EXPECT_EQ(why_of(1, "a", "b"),
            "the target answers differently now; requests of the case are open at the same moment, "
            "so this may be a race");
  CaseResult before = case_of("a", Verdict::fail, "2");
  before.exchanges = {read_of("x", 0, 2), read_of("y", 1, 4)};
  CaseResult after = case_of("a", Verdict::fail, "3");
  after.exchanges = {read_of("y", 0, 2), read_of("x", 1, 4)};
  EXPECT_EQ(compare(record_of({before}), record_of({after})).failing_otherwise.at(0).why,
            "the same answers came in another order; requests of the case are open at the same "
            "moment, so this may be a race");
}

TEST(Comparison, ExcusesWhatFailsAsBeforeAndNothingElse) {
  const RunRecord before = record_of({case_of("a", Verdict::fail, "2")});
  CaseResult same = case_of("a", Verdict::fail, "2");
  excuse_as_before(same, before, "main.ndjson");
  EXPECT_TRUE(same.expected_fail);
  EXPECT_THAT(same.baseline_reasons, ElementsAre("fails so in main.ndjson too"));
  CaseResult other = case_of("a", Verdict::fail, "3");
  excuse_as_before(other, before, "main.ndjson");
  EXPECT_FALSE(other.expected_fail);
  CaseResult unknown = case_of("b", Verdict::fail, "2");
  excuse_as_before(unknown, before, "main.ndjson");
  EXPECT_FALSE(unknown.expected_fail);
}

}  // namespace
}  // namespace assay::check::comparison_test
