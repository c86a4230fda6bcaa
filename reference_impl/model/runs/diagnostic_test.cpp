#include "reference_impl/model/runs/diagnostic.h"

#include <gtest/gtest.h>

namespace assay::runs {
namespace {

Object complete() {
  return {{"error_code", "TOOL_TIMEOUT"},
          {"category", "tool"},
          {"message", "no answer"},
          {"likely_cause", "overload"},
          {"suggested_fix", "retry later"},
          {"retryable", true},
          {"severity", "error"}};
}

TEST(Diagnostic, ACompleteOneHasNoProblem) { EXPECT_FALSE(diagnostic_problem(complete())); }

TEST(Diagnostic, FurtherMembersAreTheSendersOwn) {
  Object diagnostic = complete();
  diagnostic["trace"] = List{1, 2};
  EXPECT_FALSE(diagnostic_problem(diagnostic));
}

TEST(Diagnostic, EachOfTheSevenMembersIsRequired) {
  for (const auto& [member, value] : complete()) {
    Object diagnostic = complete();
    diagnostic.erase(member);
    const auto problem = diagnostic_problem(diagnostic);
    ASSERT_TRUE(problem) << member;
    EXPECT_EQ(problem->pointer, "/" + member);
  }
}

TEST(Diagnostic, EachOfTheSevenMembersHasItsType) {
  for (const auto& [member, value] : complete()) {
    for (const Value& wrong : {Value(), Value(1), Value(List{}), Value("")}) {
      Object diagnostic = complete();
      diagnostic[member] = wrong;
      const auto problem = diagnostic_problem(diagnostic);
      ASSERT_TRUE(problem) << member;
      EXPECT_EQ(problem->pointer, "/" + member);
    }
  }
}

TEST(Diagnostic, SeverityIsOneOfFourWords) {
  for (const char* word : {"info", "warn", "error", "critical"}) {
    Object diagnostic = complete();
    diagnostic["severity"] = word;
    EXPECT_FALSE(diagnostic_problem(diagnostic)) << word;
  }
  for (const char* word : {"high", "Error", "warning"}) {
    Object diagnostic = complete();
    diagnostic["severity"] = word;
    EXPECT_TRUE(diagnostic_problem(diagnostic)) << word;
  }
}

TEST(Diagnostic, AnythingButAnObjectIsAtFaultAsAWhole) {
  for (const Value& wrong : {Value(), Value("it broke"), Value(List{complete()}), Value(true)}) {
    const auto problem = diagnostic_problem(wrong);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->pointer, "");
  }
}

TEST(Diagnostic, ThatOfAForcedFailureIsComplete) {
  const Value diagnostic = forced_failure_diagnostic("created", "success");
  EXPECT_FALSE(diagnostic_problem(diagnostic));
  EXPECT_EQ(diagnostic.string_at("error_code"), "INVALID_STATE_TRANSITION");
  EXPECT_EQ(*diagnostic.find("retryable"), Value(false));
}

}  // namespace
}  // namespace assay::runs
