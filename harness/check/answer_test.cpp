#include "harness/check/answer.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::check::answer_test {
namespace {

using core::Acceptance;
using core::AnswerPattern;
using core::Pattern;

core::Answer refused() {
  core::Answer answer;
  answer.acceptance = Acceptance::refused;
  answer.status = 409;
  answer.body = Object{{"code", "EVENT_ID_CONFLICT"}, {"deep", List{Object{{"x/y", 1}}}}};
  return answer;
}

std::string broken(const AnswerPattern& expected, const core::Answer& answer = refused()) {
  const Value* body = answer.trouble.empty() ? &answer.body : nullptr;
  const auto mismatch = match_answer(
      expected, answer, {{"Content-Type", "text/plain"}, {"X-A", "1"}, {"x-a", "2"}}, body);
  return mismatch ? mismatch->pointer + " | " + mismatch->expected + " | " + mismatch->actual
                  : "none";
}

Pattern literal(Value value) {
  return {core::OperandPattern{Pattern::By::literal, std::move(value)}};
}

TEST(Answers, AnyOfTheStatusesWillDo) {
  AnswerPattern expected;
  EXPECT_EQ(broken(expected), "none");
  expected.statuses = {409, 422};
  EXPECT_EQ(broken(expected), "none");
  expected.statuses = {200, 201};
  EXPECT_EQ(broken(expected), " | status 200 or 201 | status 409");
}

TEST(Answers, AnyOfTheAcceptancesWillDo) {
  AnswerPattern expected;
  expected.acceptances = {Acceptance::accepted, Acceptance::refused};
  EXPECT_EQ(broken(expected), "none");
  expected.acceptances = {Acceptance::accepted, Acceptance::duplicate};
  EXPECT_EQ(broken(expected), " | an answer that is accepted or duplicate | refused (status 409)");
}

TEST(Answers, HeaderNamesAreInAnyCaseAndMayRepeat) {
  AnswerPattern expected;
  expected.headers = {{"content-type", literal("text/plain")}, {"X-a", literal("2")}};
  EXPECT_EQ(broken(expected), "none");
  expected.headers = {{"content-type", literal("application/json")}};
  EXPECT_EQ(broken(expected),
            " | header content-type: \"application/json\" | header content-type: \"text/plain\"");
  expected.headers = {{"content-type", {core::AbsentPattern()}}};
  EXPECT_NE(broken(expected), "none");
  expected.headers = {{"no-such", {core::AbsentPattern()}}};
  EXPECT_EQ(broken(expected), "none");
}

TEST(Answers, ABodyThatCannotBeReadNeverMatches) {
  AnswerPattern expected;
  expected.body = literal(nullptr);
  core::Answer answer = refused();
  answer.body = nullptr;
  answer.trouble = "the body is not JSON";
  EXPECT_EQ(broken(expected, answer), " | null | the body is not JSON");
  expected.body = Pattern{core::ObjectPattern{{{"code", literal("OTHER")}}}};
  EXPECT_EQ(broken(expected), "/code | \"OTHER\" | \"EVENT_ID_CONFLICT\"");
}

TEST(Answers, AForbiddenMemberIsFoundAtAnyDepth) {
  AnswerPattern expected;
  expected.nowhere = {"variables"};
  EXPECT_EQ(broken(expected), "none");
  expected.nowhere = {"variables", "x/y"};
  EXPECT_EQ(broken(expected), "/deep/0/x~1y | no member x/y at any depth | 1");
}

TEST(Answers, VariablesReachEveryPart) {
  AnswerPattern expected;
  expected.headers = {{"x", literal("${n}")}};
  expected.body = literal("${n}");
  expected.nowhere = {"a${n}"};
  expected.status_variables = {"${status}"};
  expected.acceptance_variables = {"${kind}"};
  const AnswerPattern done =
      substitute_answer(expected, {{"n", 2}, {"status", 409}, {"kind", "refused"}});
  EXPECT_EQ(done.statuses, std::vector<int>{409});
  EXPECT_EQ(done.acceptances, std::vector<Acceptance>{Acceptance::refused});
  EXPECT_THROW(static_cast<void>(
                   substitute_answer(expected, {{"n", 2}, {"status", "x"}, {"kind", "refused"}})),
               SubstitutionError);
  EXPECT_THROW(
      static_cast<void>(substitute_answer(expected, {{"n", 2}, {"status", 409}, {"kind", "odd"}})),
      SubstitutionError);
  EXPECT_EQ(*done.headers.front().second.literal(), Value(2));
  EXPECT_EQ(*done.body->literal(), Value(2));
  EXPECT_EQ(done.nowhere.front(), "a2");
}

}  // namespace
}  // namespace assay::check::answer_test
