#include "harness/core/open_answers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace assay::core {
namespace {

using By = Pattern::By;
using How = Pattern::How;

Pattern of_operand(By by, Value operand) { return {OperandPattern{by, std::move(operand)}}; }
Pattern of_members(std::map<std::string, Pattern> members, bool exactly = false) {
  return {ObjectPattern{std::move(members), exactly}};
}

/// What is said of a read that shows this.
std::string said_of(const std::string& operation, Pattern pattern) {
  ReadExpectation read;
  read.operation = operation;
  read.shows = std::move(pattern);
  Expect expect;
  expect.reads.push_back(std::move(read));
  Step step;
  step.action = std::move(expect);
  Scenario scenario;
  scenario.steps.push_back(std::move(step));
  const auto found = check_open_answers(scenario);
  return found.empty() ? "" : found.front().message;
}

Pattern anomalies(How how, Pattern item) {
  return of_members({{"anomalies", {ElementsPattern{how, {std::move(item)}}}}});
}

TEST(OpenAnswers, TheWordsOfAReasonAreTheServers) {
  EXPECT_NE(said_of("workflow.get", of_members({{"reason", of_operand(By::literal, "no")}})), "");
  EXPECT_NE(said_of("workflow.get", of_members({{"reason", of_operand(By::includes, "no")}})), "");
  EXPECT_EQ(said_of("workflow.get", of_members({{"reason", of_operand(By::type, "string")}})), "");
  EXPECT_EQ(said_of("workflow.get", of_members({{"reason", of_operand(By::literal, nullptr)}})),
            "");
}

TEST(OpenAnswers, AnomaliesAreNoClosedList) {
  const Pattern item = of_members({{"seq", of_operand(By::literal, 2)}});
  EXPECT_EQ(said_of("executions.detail", anomalies(How::list, item)), "");
  EXPECT_NE(said_of("executions.detail", anomalies(How::unordered, item)), "");
  EXPECT_NE(said_of("executions.detail", of_members({{"anomalies", of_operand(By::length, 2)}})),
            "");
  EXPECT_NE(said_of("executions.detail", anomalies(How::contains, of_members({}, true))), "");
}

TEST(OpenAnswers, ATimeIsNoText) {
  EXPECT_NE(said_of("executions.status",
                    of_members({{"ended_at", of_operand(By::begins, "2026-01-01")}})),
            "");
  EXPECT_EQ(said_of("executions.status", of_members({{"ended_at", of_operand(By::ends, "Z")}})),
            "");
}

TEST(OpenAnswers, AProblemsTitleAndDetailAreTheServersToo) {
  Step step;
  step.response.emplace().body = of_members({{"detail", of_operand(By::literal, "bad")}});
  Scenario scenario;
  scenario.steps.push_back(std::move(step));
  ASSERT_EQ(check_open_answers(scenario).size(), 1U);
}

}  // namespace
}  // namespace assay::core
