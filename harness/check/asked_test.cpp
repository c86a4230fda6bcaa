#include "harness/check/asked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::check {
namespace {

using core::Pattern;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

Pattern literal(const Value& value) { return {core::OperandPattern{Pattern::By::literal, value}}; }

Pattern object(std::map<std::string, Pattern> members) {
  return {core::ObjectPattern{std::move(members)}};
}

Pattern list(std::vector<Pattern> elements) {
  return {core::ElementsPattern{Pattern::How::list, std::move(elements)}};
}

core::Expect expect_of(core::ReadExpectation read) {
  core::Expect expect;
  expect.reads.push_back(std::move(read));
  return expect;
}

TEST(Asked, HasTheMembersOfEachDepthAndTheOperation) {
  core::ReadExpectation read;
  read.operation = "executions.detail";
  read.shows = object({{"steps", list({object({{"state", literal("RUNNING")}})})}});
  EXPECT_THAT(asked_by(expect_of(read)),
              ::testing::UnorderedElementsAre("executions.detail", "steps", "state"));
}

TEST(Asked, KnowsWhatALogIsAskedFor) {
  core::ReadExpectation read;
  read.operation = "events.list";
  auto& events = read.shows.emplace<core::EventExpectation>();
  events.distinct = {"/event_id", "/payload/x"};
  events.count = 2;
  const auto asked = asked_by(expect_of(read));
  EXPECT_THAT(asked, IsSupersetOf({"event_id", "payload", "count"}));
  EXPECT_THAT(asked, Not(Contains("order")));
  events.exactly = {object({{"event_type", literal("step.done")}})};
  EXPECT_THAT(asked_by(expect_of(read)), IsSupersetOf({"event_type", "order"}));
}

TEST(Asked, KnowsADemandedAnswer) {
  core::AnswerPattern answer;
  answer.statuses = {422};
  answer.body = object({{"code", literal("X")}});
  EXPECT_THAT(asked_by(answer, "runs.create"),
              ::testing::UnorderedElementsAre("answer", "code", "runs.create"));
}

}  // namespace
}  // namespace assay::check
