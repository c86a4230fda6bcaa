#include "harness/core/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::core {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

Check check_of(std::vector<std::string> clauses, Verdict verdict, std::string expected,
               std::string actual) {
  Check check;
  check.clauses = std::move(clauses);
  check.verdict = verdict;
  check.expected = std::move(expected);
  check.actual = std::move(actual);
  return check;
}

TEST(Signature, HasNoIdentifiersAndNoTimes) {
  EXPECT_EQ(without_identifiers("GET /api/executions/769736227418276839/status: null"),
            "GET /api/executions/<number>/status: null");
  EXPECT_EQ(without_identifiers("\"2026-11-28T00:48:29.049551+00:00\""), "\"<time>\"");
  EXPECT_EQ(without_identifiers("id 8fcdf93f-e404-4ba5-8765-e12f8e66a80c, x"), "id <id>, x");
  EXPECT_EQ(without_identifiers("/runs/assay-7f-runs-a-0--fb30b274-main/retry"),
            "/runs/<id>/retry");
  EXPECT_EQ(without_identifiers("deadbeefdeadbeef01"), "<id>");
  EXPECT_EQ(without_identifiers("12345 events\n65536 ms, v1234567"),
            "12345 events 65536 ms, v1234567");
}

TEST(Signature, OfAnAccountIsItsFirstLineWithoutNumbers) {
  CaseResult result;
  result.verdict = Verdict::fail;
  result.checks = {
      check_of({"A"}, Verdict::fail, "an order",
               "No order of these 27 calls. The longest has 5:\n  1. [0.18 ms] start")};
  EXPECT_EQ(failures_of(result).front().signature,
            "an order -> No order of these <number> calls. The longest has <number>:");
}

TEST(Signature, IsCut) {
  const std::string cut = without_identifiers(std::string(400, 'x'));
  EXPECT_EQ(cut.size(), 303U);
  EXPECT_THAT(cut, EndsWith("x..."));
  EXPECT_THAT(without_identifiers(std::string(299, 'x') + "\xc3\xa4yz"), EndsWith("x..."));
}

TEST(Failures, AreTheClausesOfEachCheckThatDoesNotPass) {
  CaseResult result;
  result.clauses = {"A", "B"};
  result.verdict = Verdict::fail;
  result.checks = {check_of({"A"}, Verdict::pass, "", ""),
                   check_of({"A", "B"}, Verdict::fail, "/state: \"X\"", "\"Y\""),
                   check_of({"A"}, Verdict::fail, "/state: \"X\"", "\"Y\""),
                   check_of({}, Verdict::inconclusive, "", "")};
  const std::string signature = "/state: \"X\" -> \"Y\"";
  EXPECT_THAT(failures_of(result), ElementsAre(Failure{"A", Verdict::fail, signature},
                                               Failure{"B", Verdict::fail, signature},
                                               Failure{"A", Verdict::inconclusive, ""},
                                               Failure{"B", Verdict::inconclusive, ""}));
}

TEST(Failures, OfACaseWithoutAnyCheckAreAboutAllOfItsClauses) {
  CaseResult result;
  result.clauses = {"A"};
  result.verdict = Verdict::inconclusive;
  result.reason = "set-up refused";
  EXPECT_THAT(failures_of(result),
              ElementsAre(Failure{"A", Verdict::inconclusive, "set-up refused"}));
  result.verdict = Verdict::error;
  EXPECT_THAT(failures_of(result), IsEmpty());
}

}  // namespace
}  // namespace assay::core
