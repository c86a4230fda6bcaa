#include "harness/check/cause.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace assay::check {
namespace {

using core::Verdict;

core::CaseResult failed(std::vector<std::string> clauses, std::string expected,
                        std::string actual) {
  core::CaseResult result;
  result.verdict = Verdict::fail;
  result.checks.resize(2);
  result.checks.front().verdict = Verdict::pass;
  core::Check& check = result.checks.back();
  check.verdict = Verdict::fail;
  check.clauses = std::move(clauses);
  check.expected = std::move(expected);
  check.actual = std::move(actual);
  return result;
}

TEST(Cause, SaysWhatWasLookedAtWhatWasDueAndWhatCame) {
  const Cause cause = cause_of(failed({"STM-EXEC-R1", "STM-CORE-1"},
                                      R"(executions.status /state: "COMPLETED")", R"("RUNNING")"));
  EXPECT_EQ(cause.clause, "STM-EXEC-R1");
  EXPECT_EQ(cause.subject, "executions.status /state");
  EXPECT_EQ(cause.expected, R"("COMPLETED")");
  EXPECT_EQ(cause.actual, R"("RUNNING")");
  EXPECT_EQ(cause_text(cause), R"(STM-EXEC-R1: executions.status /state is "RUNNING")");
}

TEST(Cause, OfARawRequestHasItsPathAndThePlaceInTheAnswer) {
  const Cause cause = cause_of(failed(
      {"API-PROBLEM"}, "POST /executions/assay-7-x-3dc58839-main/events: /status: 422", "201"));
  EXPECT_EQ(cause.subject, "POST /executions/<id>/events /status");
  EXPECT_EQ(cause.expected, "422");
}

TEST(Cause, IsOneForWhatDiffersOnlyInNamesTimesAndPlaces) {
  const auto with = [](const std::string& id, const std::string& time, int index) {
    return cause_of(failed(
        {"EVT-ENV-1"}, "executions.events /items/" + std::to_string(index) + "/entity_id: \"x\"",
        "\"" + id + "\" at " + time));
  };
  EXPECT_TRUE(is_same_cause(
      with("assay-7-status-x-3dc58839-e0", "2026-01-01T00:00:20Z", 3),
      with("assay-8-63718c07-status-y-734a99c9-e12", "2027-11-30T10:11:12.345+01:00", 12)));
  EXPECT_TRUE(is_same_cause(with("0b2f6d1e-8a3c-4f7e-9d11-0c5a6b7e8f90", "never", 0),
                            with("9a2f6d1e-8a3c-4f7e-9d11-0c5a6b7e8f90", "never", 0)));
}

TEST(Cause, DiffersByClauseMemberAndValueAndNotByWhatWasDue) {
  const Cause one =
      cause_of(failed({"A"}, R"(executions.status /state: "FAILED")", R"("RUNNING")"));
  EXPECT_TRUE(is_same_cause(
      one, cause_of(failed({"A"}, R"(executions.status /state: "COMPLETED")", R"("RUNNING")"))));
  EXPECT_FALSE(is_same_cause(
      one, cause_of(failed({"B"}, R"(executions.status /state: "FAILED")", R"("RUNNING")"))));
  EXPECT_FALSE(is_same_cause(
      one, cause_of(failed({"A"}, R"(executions.detail /state: "FAILED")", R"("RUNNING")"))));
  EXPECT_FALSE(is_same_cause(
      one, cause_of(failed({"A"}, R"(executions.status /state: "FAILED")", R"("PENDING")"))));
}

TEST(Cause, KeepsStatusesAndShortNumbers) {
  EXPECT_EQ(without_identifiers("answered 422, expected 409"), "answered 422, expected 409");
  EXPECT_EQ(without_identifiers("seq 1234567890123"), "seq <id>");
}

TEST(Cause, OfANarrativeIsItsFirstLineWithoutCounts) {
  EXPECT_EQ(without_identifiers(
                "No order of these 27 calls explains it, the longest has 5:\n  1. [0.11 ms] start"),
            "No order of these # calls explains it, the longest has #");
}

TEST(Cause, OfAnUndecidedCaseIsItsReason) {
  core::CaseResult result;
  result.verdict = Verdict::inconclusive;
  result.checks.resize(1);
  result.checks.front().reason = "set-up refused: POST /executions was answered with 404";
  EXPECT_EQ(cause_text(cause_of(result)), "set-up refused: POST /executions was answered with 404");
  result.checks.clear();
  result.reason = "the case did not end in time";
  EXPECT_EQ(cause_text(cause_of(result)), "the case did not end in time");
}

}  // namespace
}  // namespace assay::check
