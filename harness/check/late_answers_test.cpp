#include "harness/check/late_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace assay::check {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

core::CaseResult without_answer(core::TransportFault fault) {
  core::CaseResult result;
  result.verdict = core::Verdict::inconclusive;
  result.exchanges.emplace_back().error = core::TransportError{fault, ""};
  return result;
}

TEST(LateAnswers, AreSaidWithWhatMayHelp) {
  const std::vector<core::CaseResult> cases(3,
                                            without_answer(core::TransportFault::request_timeout));
  EXPECT_THAT(note_on_late_answers(cases, 64, 5'000),
              Optional(HasSubstr("3 cases had no complete answer within 5000 ms, with 64 cases at "
                                 "the same moment; give it fewer by --jobs 4")));
  EXPECT_THAT(note_on_late_answers(cases, 1, 5'000), Optional(HasSubstr("give it longer")));
}

TEST(LateAnswers, AreNoneWhereFewWereLateOrForOtherReasons) {
  std::vector<core::CaseResult> cases(2, without_answer(core::TransportFault::request_timeout));
  cases.resize(9, without_answer(core::TransportFault::closed));
  EXPECT_EQ(note_on_late_answers(cases, 64, 5'000), std::nullopt);
}

}  // namespace
}  // namespace assay::check
