#include "harness/check/sequential_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/linearizability.h"

namespace assay::check::sequential_run_test {
namespace {

using core::Acceptance;
using core::Verdict;
using ::testing::HasSubstr;
using Kind = RunCall::Kind;

struct Story {
  std::vector<ObservedCall<RunCall>> calls;
  SequentialRun specification = SequentialRun(true);

  Story& add(RunCall call, double called_ms, double returned_ms) {
    const bool is_answered = call.answer.has_value();
    calls.push_back(
        {std::move(call), {called_ms, is_answered ? std::optional(returned_ms) : std::nullopt}});
    return *this;
  }

  [[nodiscard]] Verdict verdict() const {
    return check_linearizability(specification, calls).verdict;
  }
};

RunCall to(std::string status, std::optional<Acceptance> answer = Acceptance::accepted) {
  RunCall call;
  call.kind = Kind::transition;
  call.to = std::move(status);
  call.answer = answer;
  call.diagnostic = RunCall::Diagnostic::complete;
  return call;
}

RunCall refused(std::string status, std::string now) {
  RunCall call = to(std::move(status), Acceptance::refused);
  call.refusal_code = "INVALID_STATE_TRANSITION";
  call.status = std::move(now);
  return call;
}

RunCall get(std::string status, std::string error_code = "") {
  RunCall call;
  call.answer = Acceptance::accepted;
  call.status = std::move(status);
  call.error_code = std::move(error_code);
  return call;
}

RunCall audit(std::int64_t events) {
  RunCall call;
  call.kind = Kind::audit;
  call.answer = Acceptance::accepted;
  call.audit_events = events;
  return call;
}

RunCall of_kind(Kind kind, Acceptance answer) {
  RunCall call;
  call.kind = kind;
  call.answer = answer;
  return call;
}

TEST(SequentialRun, WalksTheDefinedTransitions) {
  Story story;
  story.add(get("created"), 0, 1)
      .add(to("running"), 2, 3)
      .add(to("waiting"), 4, 5)
      .add(to("running"), 6, 7)
      .add(to("success"), 8, 9)
      .add(get("success"), 10, 11)
      .add(audit(4), 12, 13);
  EXPECT_EQ(story.verdict(), Verdict::pass);
  story.add(to("running"), 14, 15);
  EXPECT_EQ(story.verdict(), Verdict::fail);
}

TEST(SequentialRun, FailsARunThatAttemptsAnUndefinedTransition) {
  const auto then = [](const RunCall& last) {
    Story story;
    story.add(refused("success", "failed"), 0, 1).add(last, 2, 3);
    return story.verdict();
  };
  EXPECT_EQ(then(get("failed", "INVALID_STATE_TRANSITION")), Verdict::pass);
  EXPECT_EQ(then(get("created")), Verdict::fail);
  EXPECT_EQ(then(get("failed", "OTHER")), Verdict::fail);
  EXPECT_EQ(then(audit(2)), Verdict::pass);
  EXPECT_EQ(then(audit(1)), Verdict::fail);
}

TEST(SequentialRun, KeepsAnEndedRunAsItIs) {
  Story story;
  story.add(to("running"), 0, 1)
      .add(to("canceled"), 2, 3)
      .add(refused("running", "canceled"), 4, 5)
      .add(get("canceled"), 6, 7)
      .add(audit(3), 8, 9);
  EXPECT_EQ(story.verdict(), Verdict::pass);
}

TEST(SequentialRun, RetriesWhatTheProfileSaysIsRetried) {
  const auto of_a_canceled_run = [](Acceptance answer, const SequentialRun& specification) {
    Story story;
    story.add(to("running"), 0, 1)
        .add(to("canceled"), 2, 3)
        .add(of_kind(Kind::retry, answer), 4, 5);
    story.specification = specification;
    return story.verdict();
  };
  const SequentialRun usual(true);
  const SequentialRun other(true, run_choices({{"retry_of_success_and_canceled", "made"}}));
  EXPECT_EQ(of_a_canceled_run(Acceptance::refused, usual), Verdict::pass);
  EXPECT_EQ(of_a_canceled_run(Acceptance::accepted, usual), Verdict::fail);
  EXPECT_EQ(of_a_canceled_run(Acceptance::refused, other), Verdict::fail);
  EXPECT_EQ(of_a_canceled_run(Acceptance::accepted, other), Verdict::pass);
}

TEST(SequentialRun, LetsOneOfTwoConcurrentEndsStand) {
  const auto both = [](const RunCall& first, const RunCall& second) {
    Story story;
    story.add(to("running"), 0, 1).add(first, 2, 10).add(second, 2, 10);
    return story.verdict();
  };
  EXPECT_EQ(both(to("success"), refused("canceled", "success")), Verdict::pass);
  EXPECT_EQ(both(refused("success", "canceled"), to("canceled")), Verdict::pass);
  EXPECT_EQ(both(to("success"), to("canceled")), Verdict::fail);
  EXPECT_EQ(both(refused("success", "canceled"), refused("canceled", "success")), Verdict::fail);
}

TEST(SequentialRun, LetsALostTransitionTakeEffectOrNot) {
  const auto then = [](const RunCall& last) {
    Story story;
    story.add(to("running", std::nullopt), 0, 1).add(last, 2, 3);
    return story.verdict();
  };
  EXPECT_EQ(then(get("created")), Verdict::pass);
  EXPECT_EQ(then(get("running")), Verdict::pass);
  EXPECT_EQ(then(get("waiting")), Verdict::fail);
}

TEST(SequentialRun, DemandsADiagnosticOnlyOfDefinedFailures) {
  const auto story_of = [](RunCall::Diagnostic diagnostic, const std::string& code) {
    RunCall failure = to("failed", Acceptance::refused);
    failure.diagnostic = diagnostic;
    failure.refusal_code = code;
    Story story;
    story.add(to("running"), 0, 1).add(failure, 2, 3).add(get("running"), 4, 5);
    return story;
  };
  using enum RunCall::Diagnostic;
  EXPECT_EQ(story_of(none, "DIAGNOSTIC_REQUIRED").verdict(), Verdict::pass);
  EXPECT_EQ(story_of(incomplete, "DIAGNOSTIC_REQUIRED").verdict(), Verdict::pass);
  EXPECT_EQ(story_of(complete, "DIAGNOSTIC_REQUIRED").verdict(), Verdict::fail);
  EXPECT_EQ(story_of(none, "INVALID_STATE_TRANSITION").verdict(), Verdict::fail);

  RunCall undefined = to("failed", Acceptance::refused);
  undefined.diagnostic = none;
  undefined.refusal_code = "DIAGNOSTIC_REQUIRED";
  Story story;
  story.add(undefined, 0, 1);
  EXPECT_EQ(story.verdict(), Verdict::fail);
  story.specification = SequentialRun(true, run_choices({{"table_or_diagnostic", "diagnostic"}}));
  EXPECT_EQ(story.verdict(), Verdict::pass);
}

TEST(SequentialRun, ShowsTheErrorCodeThatCameWithTheTransition) {
  const auto shown = [](const std::string& code) {
    RunCall failure = to("failed");
    failure.sent_error_code = "E1";
    Story story;
    story.add(to("running"), 0, 1).add(failure, 2, 3).add(get("failed", code), 4, 5);
    return story.verdict();
  };
  EXPECT_EQ(shown("E1"), Verdict::pass);
  EXPECT_EQ(shown(""), Verdict::fail);
  EXPECT_EQ(shown("INVALID_STATE_TRANSITION"), Verdict::fail);
}

TEST(SequentialRun, IsRetriedOnlyAfterAFailure) {
  Story story;
  story.add(of_kind(Kind::retry, Acceptance::refused), 0, 1)
      .add(to("running"), 2, 3)
      .add(to("timeout"), 4, 5)
      .add(of_kind(Kind::retry, Acceptance::accepted), 6, 7)
      .add(get("timeout"), 8, 9);
  EXPECT_EQ(story.verdict(), Verdict::pass);
  story.add(of_kind(Kind::retry, Acceptance::refused), 10, 11);
  EXPECT_EQ(story.verdict(), Verdict::fail);
}

TEST(SequentialRun, IsMadeOnce) {
  const auto makings = [](Acceptance second) {
    Story story;
    story.specification = SequentialRun(false);
    story.add(of_kind(Kind::create, Acceptance::accepted), 0, 10)
        .add(of_kind(Kind::create, second), 0, 10)
        .add(of_kind(Kind::get, Acceptance::unknown), 0, 1);
    return story.verdict();
  };
  EXPECT_EQ(makings(Acceptance::refused), Verdict::pass);
  EXPECT_EQ(makings(Acceptance::accepted), Verdict::fail);
}

TEST(SequentialRun, TellsItsCallsAndStatesToPeople) {
  Story story;
  story.add(refused("failed", "failed"), 0, 1).add(get("created"), 2, 3);
  const auto result = check_linearizability(story.specification, story.calls);
  EXPECT_THAT(result.explanation,
              HasSubstr("transition to failed -> refused, INVALID_STATE_TRANSITION, failed\n"
                        "Then it is: failed with INVALID_STATE_TRANSITION, 2 audit events. Next"));
}

}  // namespace
}  // namespace assay::check::sequential_run_test
