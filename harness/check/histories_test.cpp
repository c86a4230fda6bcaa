#include "harness/check/histories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace assay::check {
namespace {

using core::Acceptance;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

core::Call performed(std::string operation, Object parameters, Acceptance acceptance, int status,
                     Value mapped = {}) {
  core::Answer answer;
  answer.acceptance = acceptance;
  answer.status = status;
  answer.body = mapped;
  answer.mapped = std::move(mapped);
  core::Call call;
  call.asked = {std::move(operation), std::move(parameters)};
  call.answer = std::make_shared<const core::Answer>(std::move(answer));
  call.called_ms = 1;
  call.returned_ms = 2;
  return call;
}

core::History history_of(std::vector<core::Call> calls) { return {std::move(calls), {}}; }

Object event(std::string event_id, std::string type, std::string timestamp) {
  return {{"event_id", event_id}, {"event_type", type}, {"timestamp", timestamp}};
}

core::Call post(Object event, Acceptance acceptance = Acceptance::accepted, int status = 201,
                Value mapped = {}) {
  return performed("events.post", {{"execution_id", "x"}, {"event", std::move(event)}}, acceptance,
                   status, std::move(mapped));
}

core::Call unanswered(core::Call call, bool request_sent) {
  core::Answer answer;
  answer.transport = core::TransportError{core::TransportFault::closed, "", request_sent};
  call.answer = std::make_shared<const core::Answer>(std::move(answer));
  return call;
}

const std::string noon = "2026-01-01T12:00:00Z";

TEST(Histories, SortTheCallsByExecution) {
  const auto histories = execution_histories(
      history_of({performed("executions.start", {{"execution_id", "y"}}, Acceptance::accepted, 201,
                            Object{{"execution_id", "y"}, {"state", "PENDING"}}),
                  performed("executions.status", {{"execution_id", "x"}}, Acceptance::accepted, 200,
                            Object{{"state", "FAILED"}, {"terminal_event", "playbook.failed"}}),
                  performed("executions.status", {{"execution_id", "y"}}, Acceptance::accepted, 200,
                            Object{{"state", "PENDING"}, {"terminal_event", Value()}})}));
  ASSERT_THAT(histories, SizeIs(2));
  EXPECT_EQ(histories[0].id, "x");
  EXPECT_TRUE(histories[0].existed);
  EXPECT_THAT(histories[0].positions, ElementsAre(1));
  EXPECT_EQ(histories[0].calls[0].call.state, "FAILED");
  EXPECT_EQ(histories[0].calls[0].call.terminal_event, "playbook.failed");
  EXPECT_FALSE(histories[1].existed);
  EXPECT_THAT(histories[1].positions, ElementsAre(0, 2));
  EXPECT_EQ(histories[1].calls[1].call.terminal_event, "");
}

TEST(Histories, NumberEventsByIdAndContent) {
  Object repeated = event("a", "step.enter", "2026-01-01T13:00:00+01:00");
  repeated.emplace("source", Value());
  repeated.emplace("execution_id", "x");
  const auto histories = execution_histories(
      history_of({post(event("a", "step.enter", noon)), post(event("b", "step.enter", noon)),
                  post(std::move(repeated), Acceptance::duplicate, 200,
                       Object{{"event_id", "a"}, {"seq", 1}, {"duplicate", true}}),
                  post(event("a", "step.exit", noon), Acceptance::refused, 409)}));
  ASSERT_THAT(histories, SizeIs(1));
  ASSERT_THAT(histories[0].calls, SizeIs(4));
  const auto numbers = [&histories](std::size_t index) {
    const PostedEvent& posted = histories[0].calls[index].call.events.at(0);
    return std::pair(posted.id_number, posted.content_number);
  };
  EXPECT_EQ(numbers(0), std::pair(std::size_t{0}, std::size_t{0}));
  EXPECT_EQ(numbers(1), std::pair(std::size_t{1}, std::size_t{0}));
  EXPECT_EQ(numbers(2), std::pair(std::size_t{0}, std::size_t{0}));
  EXPECT_EQ(numbers(3), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(histories[0].calls[2].call.events[0].seq, 1);
  EXPECT_EQ(histories[0].calls[2].call.events[0].duplicate, true);
}

TEST(Histories, ReadTheResultsOfABatch) {
  const auto histories = execution_histories(history_of(
      {performed("events.post_batch",
                 {{"execution_id", "x"},
                  {"events", List{event("a", "step.enter", noon), event("b", "step.enter", noon)}}},
                 Acceptance::accepted, 201,
                 Object{{"results", List{Object{{"seq", 1}, {"duplicate", true}},
                                         Object{{"seq", 2}, {"duplicate", false}}}}})}));
  ASSERT_THAT(histories, SizeIs(1));
  const auto& events = histories[0].calls.at(0).call.events;
  ASSERT_THAT(events, SizeIs(2));
  EXPECT_EQ(events[0].duplicate, true);
  EXPECT_EQ(events[1].duplicate, false);
  EXPECT_EQ(events[1].seq, 2);
}

TEST(Histories, KeepOpenWhatMayHaveTakenEffect) {
  const auto histories = execution_histories(
      history_of({unanswered(post(event("a", "step.enter", noon)), true),
                  unanswered(post(event("b", "step.enter", noon)), false),
                  post(event("c", "step.enter", noon), Acceptance::unexpected, 500)}));
  ASSERT_THAT(histories, SizeIs(1));
  EXPECT_THAT(histories[0].positions, ElementsAre(0, 2));
  for (const auto& observed : histories[0].calls) {
    EXPECT_FALSE(observed.call.answer);
    EXPECT_FALSE(observed.interval.returned_ms);
  }
}

TEST(Histories, LeaveOutWhatSaysNothing) {
  const auto histories = execution_histories(history_of(
      {unanswered(performed("executions.status", {{"execution_id", "x"}}, Acceptance::accepted, 0),
                  true),
       post(event("a", "Bad Name", noon), Acceptance::refused, 422),
       performed("executions.marking", {{"execution_id", "x"}}, Acceptance::accepted, 200),
       performed("events.list", {{"execution_id", "x"}, {"event_type", "step.enter"}},
                 Acceptance::accepted, 200, Object{{"items", List{}}, {"next", Value()}}),
       performed("events.list", {{"execution_id", "x"}}, Acceptance::accepted, 200,
                 Object{{"items", List{}}, {"next", "more"}})}));
  EXPECT_THAT(histories, IsEmpty());
}

TEST(Histories, ListTheEventsThatTheClientsPosted) {
  const auto histories = execution_histories(history_of(
      {performed("events.list", {{"execution_id", "x"}}, Acceptance::accepted, 200,
                 Object{{"items", List{Object{{"event_id", "b"}}, Object{{"event_id", "server"}},
                                       Object{{"event_id", "a"}}}},
                        {"next", Value()}}),
       post(event("a", "step.enter", noon)), post(event("b", "step.enter", noon))}));
  ASSERT_THAT(histories, SizeIs(1));
  EXPECT_THAT(histories[0].calls[0].call.listed, ElementsAre(0, 1));
}

TEST(Histories, AreNotMadeOfWhatTheSpecificationDoesNotKnow) {
  const auto status =
      performed("executions.status", {{"execution_id", "x"}}, Acceptance::accepted, 200);
  const auto driven = performed("executions.start", {{"execution_id", "x"}, {"playbook", Object{}}},
                                Acceptance::accepted, 201);
  EXPECT_THAT(execution_histories(history_of({driven, status})), IsEmpty());
  EXPECT_THAT(execution_histories(
                  history_of({status, performed("request", {}, Acceptance::accepted, 200)})),
              IsEmpty());
  EXPECT_THAT(execution_histories(history_of({status, post(Object{{"event_type", "a.b"}})})),
              IsEmpty());
  EXPECT_THAT(execution_histories(history_of({status})), SizeIs(1));
}

TEST(Histories, SortTheCallsByRun) {
  const Object diagnostic = {{"error_code", "E1"},  {"category", "c"},      {"message", "m"},
                             {"likely_cause", "l"}, {"suggested_fix", "s"}, {"retryable", true},
                             {"severity", "error"}};
  Object incomplete = diagnostic;
  incomplete.erase("severity");
  const auto transition = [](Value diagnostic_sent, Acceptance acceptance, int status, Value body) {
    return performed(
        "runs.transition",
        {{"run_id", "r"}, {"to", "failed"}, {"diagnostic", std::move(diagnostic_sent)}}, acceptance,
        status, std::move(body));
  };
  const auto histories = run_histories(history_of(
      {performed("runs.create", {}, Acceptance::accepted, 201,
                 Object{{"run_id", "r"}, {"status", "created"}}),
       transition(diagnostic, Acceptance::accepted, 200,
                  Object{{"run_id", "r"}, {"status", "failed"}, {"error_code", "E1"}}),
       transition(incomplete, Acceptance::refused, 422, Object{{"code", "DIAGNOSTIC_REQUIRED"}}),
       transition({}, Acceptance::refused, 422, Object{{"code", "OTHER"}}),
       transition(
           {}, Acceptance::refused, 409,
           Object{{"code", "INVALID_STATE_TRANSITION"}, {"run", Object{{"status", "failed"}}}}),
       performed("runs.retry", {{"run_id", "r"}}, Acceptance::accepted, 201,
                 Object{{"run_id", "s"}, {"status", "created"}}),
       performed("runs.audit", {{"run_id", "r"}}, Acceptance::accepted, 200,
                 Object{{"items", List{1, 2}}, {"next", Value()}}),
       performed("runs.get", {{"run_id", "s"}}, Acceptance::accepted, 200,
                 Object{{"status", "created"}, {"error_code", Value()}})}));
  ASSERT_THAT(histories, SizeIs(2));
  const RunHistory& history = histories[0];
  EXPECT_EQ(history.id, "r");
  EXPECT_FALSE(history.existed);
  ASSERT_THAT(history.positions, ElementsAre(0, 1, 2, 4, 5, 6));
  EXPECT_EQ(history.calls[1].call.diagnostic, RunCall::Diagnostic::complete);
  EXPECT_EQ(history.calls[1].call.sent_error_code, "E1");
  EXPECT_EQ(history.calls[2].call.diagnostic, RunCall::Diagnostic::incomplete);
  EXPECT_EQ(history.calls[3].call.diagnostic, RunCall::Diagnostic::none);
  EXPECT_EQ(history.calls[3].call.refusal_code, "INVALID_STATE_TRANSITION");
  EXPECT_EQ(history.calls[3].call.status, "failed");
  EXPECT_EQ(history.calls[4].call.status, std::nullopt);
  EXPECT_EQ(history.calls[5].call.audit_events, 2);
  EXPECT_EQ(histories[1].id, "s");
  EXPECT_TRUE(histories[1].existed);
  EXPECT_EQ(histories[1].calls[0].call.error_code, "");
}

TEST(Histories, AreJudgedAsTheyAre) {
  const auto lost = unanswered(
      performed("runs.transition", {{"run_id", "r"}, {"to", "running"}}, Acceptance::accepted, 0),
      true);
  auto get = performed("runs.get", {{"run_id", "r"}}, Acceptance::accepted, 200,
                       Object{{"status", "waiting"}});
  get.called_ms = 3;
  get.returned_ms = 4;
  const auto histories = run_histories(history_of({lost, get}));
  ASSERT_THAT(histories, SizeIs(1));
  EXPECT_EQ(check_linearizability(SequentialRun(true), histories[0].calls).verdict,
            core::Verdict::fail);
}

}  // namespace
}  // namespace assay::check
