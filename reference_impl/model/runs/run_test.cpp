#include "reference_impl/model/runs/run.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace assay::runs {
namespace {

using std::chrono::milliseconds;

Value complete_diagnostic() {
  return Object{{"error_code", "TOOL_TIMEOUT"}, {"category", "tool"},      {"message", "no answer"},
                {"likely_cause", "overload"},   {"suggested_fix", "wait"}, {"retryable", true},
                {"severity", "error"}};
}

/// One run, a clock that moves a millisecond with each attempt, and numbered event ids.
struct Fixture {
  Policy policy = {};
  Run run = create("r1", "tool", Instant(milliseconds(0)));
  Instant now = Instant(milliseconds(0));
  int ids = 0;

  TransitionResult to(const TransitionRequest& request) {
    now += milliseconds(1);
    return transition(run, request, now, [this] { return "e" + std::to_string(++ids); }, policy);
  }
  TransitionResult to(Status status) {
    TransitionRequest request{.to = status};
    if (is_failure(status)) request.diagnostic = complete_diagnostic();
    return to(request);
  }
};

/// A run brought into the status by the shortest valid path.
Fixture fixture_in(Status status) {
  Fixture fixture;
  if (status == Status::created) return fixture;
  fixture.to(Status::running);
  if (status != Status::running) fixture.to(status);
  return fixture;
}

/// An audit event without its time, as one line.
std::string line(const AuditEvent& event) {
  return event.event_id + " " + std::to_string(event.sequence) + " " +
         std::string(to_string(event.outcome)) + " " + std::string(to_string(event.before)) + ">" +
         std::string(to_string(event.after)) + " (" + std::string(to_string(event.attempted)) +
         ") " + event.error_code.value_or("-");
}

std::vector<std::string> audit_lines(const Run& run) {
  std::vector<std::string> lines;
  lines.reserve(run.audit.size());
  for (const AuditEvent& event : run.audit) lines.push_back(line(event));
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Run, BeginsInCreatedAsItsOwnRootWithoutAudit) {
  const runs::Run run = create("r1", std::nullopt, Instant(milliseconds(5)));
  EXPECT_EQ(run.status, Status::created);
  EXPECT_EQ(run.root_run_id, "r1");
  EXPECT_EQ(run.parent_run_id, std::nullopt);
  EXPECT_EQ(run.created_at, Instant(milliseconds(5)));
  EXPECT_EQ(run.error_code, std::nullopt);
  EXPECT_EQ(run.retryable, std::nullopt);
  EXPECT_TRUE(run.audit.empty());
}

TEST(Run, EachOfThe64PairsIsAcceptedOrRefusedAsTheTableSays) {
  for (const Status from : all_statuses) {
    for (const Status to : all_statuses) {
      Fixture fixture = fixture_in(from);
      ASSERT_EQ(fixture.run.status, from);
      const std::size_t audited = fixture.run.audit.size();
      const TransitionOutcome outcome = fixture.to(to).outcome;
      SCOPED_TRACE(std::string(to_string(from)) + " to " + std::string(to_string(to)));
      if (is_defined(from, to)) {
        EXPECT_EQ(outcome, TransitionOutcome::accepted);
        EXPECT_EQ(fixture.run.status, to);
        EXPECT_EQ(fixture.run.audit.size(), audited + 1);
      } else if (is_terminal(from)) {
        EXPECT_EQ(outcome, TransitionOutcome::refused);
        EXPECT_EQ(fixture.run.status, from);
        EXPECT_EQ(fixture.run.audit.size(), audited + 1);
      } else {
        EXPECT_EQ(outcome, TransitionOutcome::refused);
        EXPECT_EQ(fixture.run.status, Status::failed);
        EXPECT_EQ(fixture.run.error_code, "INVALID_STATE_TRANSITION");
        EXPECT_EQ(fixture.run.retryable, false);
        EXPECT_FALSE(diagnostic_problem(*fixture.run.diagnostic));
        EXPECT_EQ(fixture.run.audit.size(), audited + 2);
      }
    }
  }
}

TEST(Run, AnAttemptOnATerminalRunChangesNothingButItsAudit) {
  Fixture fixture = fixture_in(Status::timeout);
  const runs::Run before = fixture.run;
  EXPECT_EQ(fixture.to(Status::running).outcome, TransitionOutcome::refused);
  EXPECT_EQ(fixture.run.error_code, before.error_code);
  EXPECT_EQ(fixture.run.retryable, true);
  EXPECT_EQ(fixture.run.diagnostic, before.diagnostic);
  EXPECT_EQ(fixture.run.ended_at, before.ended_at);
  EXPECT_EQ(line(fixture.run.audit.back()),
            "e3 3 deny timeout>timeout (running) INVALID_STATE_TRANSITION");
}

TEST(Run, TheAuditTellsALongWalkInOrder) {
  Fixture fixture;
  fixture.to(Status::running);
  fixture.to(Status::waiting);
  fixture.to(Status::running);
  fixture.to(Status::waiting);
  fixture.to(Status::success);
  fixture.to(Status::canceled);
  EXPECT_EQ(
      audit_lines(fixture.run),
      (Lines{"e1 1 success created>running (running) -", "e2 2 success running>waiting (waiting) -",
             "e3 3 success waiting>running (running) -", "e4 4 success running>waiting (waiting) -",
             "e5 5 deny waiting>waiting (success) INVALID_STATE_TRANSITION",
             "e6 6 success waiting>failed (failed) INVALID_STATE_TRANSITION",
             "e7 7 deny failed>failed (canceled) INVALID_STATE_TRANSITION"}));
  EXPECT_EQ(fixture.run.audit.at(5).at, Instant(milliseconds(5)));
}

TEST(Run, TimesAreThoseOfTheFirstRunningAndOfTheEnd) {
  Fixture fixture;
  fixture.to(Status::running);
  fixture.to(Status::waiting);
  fixture.to(Status::running);
  EXPECT_EQ(fixture.run.ended_at, std::nullopt);
  fixture.to(Status::success);
  EXPECT_EQ(fixture.run.started_at, Instant(milliseconds(1)));
  EXPECT_EQ(fixture.run.ended_at, Instant(milliseconds(4)));
}

TEST(Run, AFailureWithoutACompleteDiagnosticChangesNothing) {
  for (const Status failure : {Status::failed, Status::denied, Status::timeout}) {
    Object partial = complete_diagnostic().as_object();
    partial.erase("severity");
    const std::vector<std::pair<std::optional<Value>, std::string>> cases = {
        {std::nullopt, ""}, {Value("it broke"), ""}, {Value(partial), "/severity"}};
    for (const auto& [diagnostic, pointer] : cases) {
      Fixture fixture = fixture_in(Status::running);
      const TransitionResult result = fixture.to({.to = failure, .diagnostic = diagnostic});
      EXPECT_EQ(result.outcome, TransitionOutcome::diagnostic_incomplete);
      ASSERT_TRUE(result.problem);
      EXPECT_EQ(result.problem->pointer, pointer);
      EXPECT_EQ(fixture.run.status, Status::running);
      EXPECT_EQ(fixture.run.audit.size(), 1U);
    }
  }
}

TEST(Run, SuccessAndCanceledNeedNoDiagnostic) {
  for (const Status end : {Status::success, Status::canceled}) {
    Fixture fixture = fixture_in(Status::running);
    EXPECT_EQ(fixture.to({.to = end}).outcome, TransitionOutcome::accepted);
    EXPECT_EQ(fixture.run.diagnostic, std::nullopt);
  }
}

TEST(Run, TheTableIsAskedBeforeTheDiagnostic) {
  Fixture fixture;
  EXPECT_EQ(fixture.to({.to = Status::failed}).outcome, TransitionOutcome::refused);
  EXPECT_EQ(fixture.run.status, Status::failed);
}

TEST(Run, TheRequestsCodeAndFlagGoBeforeTheDiagnostics) {
  Fixture from_diagnostic = fixture_in(Status::running);
  from_diagnostic.to({.to = Status::failed, .diagnostic = complete_diagnostic()});
  EXPECT_EQ(from_diagnostic.run.error_code, "TOOL_TIMEOUT");
  EXPECT_EQ(from_diagnostic.run.retryable, true);

  Fixture from_request = fixture_in(Status::running);
  from_request.to({.to = Status::failed,
                   .error_code = "TOOL_INTERNAL_ERROR",
                   .retryable = false,
                   .diagnostic = complete_diagnostic()});
  EXPECT_EQ(from_request.run.error_code, "TOOL_INTERNAL_ERROR");
  EXPECT_EQ(from_request.run.retryable, false);
  EXPECT_EQ(from_request.run.diagnostic, complete_diagnostic());
}

TEST(Run, EachRetryIsAFurtherRunOfTheSameRoot) {
  const Fixture first = fixture_in(Status::failed);
  const auto second = retry(first.run, "r2", Instant(milliseconds(9)));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->run_id, "r2");
  EXPECT_EQ(second->run_kind, "tool");
  EXPECT_EQ(second->status, Status::created);
  EXPECT_EQ(second->parent_run_id, "r1");
  EXPECT_EQ(second->root_run_id, "r1");
  EXPECT_EQ(second->created_at, Instant(milliseconds(9)));
  EXPECT_TRUE(second->audit.empty());

  Fixture again{.run = *second};
  again.to(Status::running);
  again.to(Status::denied);
  const auto third = retry(again.run, "r3", Instant(milliseconds(10)));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->parent_run_id, "r2");
  EXPECT_EQ(third->root_run_id, "r1");
}

TEST(Run, OnlyFailedDeniedAndTimeoutAreRetried) {
  for (const Status status : all_statuses) {
    const Fixture fixture = fixture_in(status);
    EXPECT_EQ(retry(fixture.run, "r2", Instant()).has_value(), is_failure(status))
        << to_string(status);
  }
}

TEST(Run, TheNextActionFollowsStatusAndRetryable) {
  const std::map<Status, std::string> expected = {
      {Status::created, "wait wait wait"},          {Status::running, "wait wait wait"},
      {Status::waiting, "wait wait wait"},          {Status::success, "stop stop stop"},
      {Status::canceled, "stop stop stop"},         {Status::failed, "retry escalate escalate"},
      {Status::timeout, "retry escalate escalate"}, {Status::denied, "escalate escalate escalate"}};
  for (const auto& [status, actions] : expected) {
    runs::Run run;
    run.status = status;
    std::string seen;
    for (const std::optional<bool> retryable : {std::optional(true), std::optional(false), {}}) {
      run.retryable = retryable;
      seen += (seen.empty() ? "" : " ") + std::string(to_string(next_action(run)));
    }
    EXPECT_EQ(seen, actions) << to_string(status);
  }
}

TEST(Run, ThePolicyCanReadTheInvalidStateRuleLiterally) {
  Fixture fixture = fixture_in(Status::success);
  fixture.policy.on_terminal = InvalidAttempt::fails_run;
  EXPECT_EQ(fixture.to(Status::running).outcome, TransitionOutcome::refused);
  EXPECT_EQ(fixture.run.status, Status::failed);
  EXPECT_EQ(line(fixture.run.audit.back()),
            "e4 4 success success>failed (failed) INVALID_STATE_TRANSITION");
}

TEST(Run, ThePolicyCanLeaveAnOpenRunAsItWas) {
  Fixture fixture = fixture_in(Status::running);
  fixture.policy.on_open = InvalidAttempt::keeps_run;
  EXPECT_EQ(fixture.to(Status::running).outcome, TransitionOutcome::refused);
  EXPECT_EQ(fixture.run.status, Status::running);
  EXPECT_EQ(fixture.run.audit.size(), 2U);
}

TEST(Run, ThePolicysTableDecidesAlone) {
  Fixture fixture;
  fixture.policy.allows = [](Status from, Status to) {
    return from == Status::created && to == Status::success;
  };
  EXPECT_EQ(fixture.to(Status::running).outcome, TransitionOutcome::refused);
  Fixture skipping;
  skipping.policy.allows = fixture.policy.allows;
  EXPECT_EQ(skipping.to(Status::success).outcome, TransitionOutcome::accepted);
}

}  // namespace
}  // namespace assay::runs
