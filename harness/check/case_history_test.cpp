#include "harness/check/case_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace assay::check {
namespace {

using core::Acceptance;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

core::Call call(std::string operation, double returned_ms,
                Acceptance acceptance = Acceptance::accepted, Value mapped = {}) {
  core::Answer answer;
  answer.acceptance = acceptance;
  answer.mapped = std::move(mapped);
  core::Call call;
  call.asked.name = std::move(operation);
  call.answer = std::make_shared<const core::Answer>(std::move(answer));
  call.returned_ms = returned_ms;
  return call;
}

/// A history in which each call took one exchange, named by the call's operation.
core::History history_with(std::vector<core::Call> calls) {
  core::History history;
  for (core::Call& each : calls) {
    each.exchanges = {history.exchanges.size()};
    history.exchanges.emplace_back();
    history.exchanges.back().operation = each.asked.name;
    history.exchanges.back().request.method = "GET";
    history.calls.push_back(std::move(each));
  }
  return history;
}

TEST(CaseHistory, KnowsWhenTheCaseLastChangedSomething) {
  EXPECT_EQ(last_changed_ms(history_with({})), std::nullopt);
  EXPECT_EQ(last_changed_ms(history_with({call("executions.status", 1), call("events.list", 2)})),
            std::nullopt);
  EXPECT_EQ(last_changed_ms(history_with(
                {call("events.post", 1), call("runs.create", 2), call("executions.status", 3)})),
            2);
}

TEST(CaseHistory, TakesARefusedOrLostCallForOneThatMayHaveChangedSomething) {
  EXPECT_EQ(last_changed_ms(history_with({call("events.post", 4, Acceptance::no_answer)})), 4);
  EXPECT_EQ(last_changed_ms(history_with({call("events.post", 4, Acceptance::refused)})), 4);
}

TEST(CaseHistory, TakesARequestOfAScenarioForAReadByItsMethod) {
  core::History history = history_with({call(core::raw_request, 4)});
  EXPECT_EQ(last_changed_ms(history), std::nullopt);
  history.exchanges[0].request.method = "POST";
  EXPECT_EQ(last_changed_ms(history), 4);
}

TEST(CaseHistory, TellsWhatTheCallsMade) {
  const auto made = made_things(history_with({
      call("executions.start", 1, Acceptance::accepted, Object{{"execution_id", "x"}}),
      call("executions.start", 1, Acceptance::refused, Object{{"execution_id", "refused"}}),
      call("executions.status", 1, Acceptance::accepted, Object{{"execution_id", "read"}}),
      call("runs.retry", 1, Acceptance::accepted, Object{{"run_id", 7}}),
      call("workflow.start", 1, Acceptance::duplicate, Object{{"uuid", "u"}}),
      call("workflow.start", 1, Acceptance::accepted, Object{{"uuid", nullptr}}),
  }));
  EXPECT_THAT(made, ElementsAre(Pair("execution_id", "x"), Pair("run_id", "7"), Pair("uuid", "u")));
}

TEST(CaseHistory, TellsWhatALostCallMayHaveMade) {
  const auto lost = [](const char* operation, const char* member) {
    core::Call made = call(operation, 1);
    made.asked.parameters = Object{{member, "x"}};
    core::Answer answer;
    answer.transport = core::TransportError{core::TransportFault::request_timeout, "", true};
    made.answer = std::make_shared<const core::Answer>(std::move(answer));
    return made;
  };
  // A retry names the run that it is of, and not the one that it makes.
  EXPECT_THAT(made_things(history_with({lost("executions.start", "execution_id"),
                                        lost("executions.status", "execution_id"),
                                        lost("runs.retry", "run_id")})),
              ElementsAre(Pair("execution_id", "x")));
}

TEST(CaseHistory, TellsHowTheServersServicesWorkAgain) {
  const auto asked = [](const char* operation, const char* parameter, Value value,
                        Acceptance acceptance = Acceptance::accepted) {
    core::Call made = call(operation, 1, acceptance);
    made.asked.parameters = Object{{parameter, std::move(value)}};
    return made;
  };
  const core::Call away = asked("control.lock_service", "available", false);
  const core::Call back = asked("control.lock_service", "available", true);
  const core::Call held = asked("control.lifecycle_hold", "state", "VALID");
  EXPECT_THAT(undoings(history_with({away, back, call("workflow.get", 1)})), IsEmpty());
  EXPECT_THAT(undoings(history_with(
                  {asked("control.lock_service", "available", false, Acceptance::refused)})),
              IsEmpty());
  const auto undone = undoings(history_with({back, away, held, call("workflow.get", 1)}));
  ASSERT_EQ(undone.size(), 2U);
  EXPECT_EQ(undone[0].name, "control.lock_service");
  EXPECT_EQ(undone[0].parameters.at("available"), Value(true));
  EXPECT_EQ(undone[1].name, "control.lifecycle_hold");
  EXPECT_TRUE(undone[1].parameters.at("state").is_null());
  EXPECT_THAT(undoings(history_with({held, asked("control.lifecycle_hold", "state", {})})),
              IsEmpty());
}

TEST(CaseHistory, ShowsTheStatesOfOneThingWithoutRepetition) {
  const auto shown = [](const char* uuid, const char* status,
                        Acceptance acceptance = Acceptance::accepted) {
    return call("workflow.get", 1, acceptance, Object{{"uuid", uuid}, {"status", status}});
  };
  const core::History history = history_with(
      {shown("u", "NEW"), shown("u", "NEW"), shown("other", "ABORTED"), shown("u", "RUNNING"),
       shown("u", "FAILED", Acceptance::refused), shown("u", "NEW")});
  EXPECT_THAT(states_seen(history, "workflow.get", "u"), ElementsAre("NEW", "RUNNING", "NEW"));
  EXPECT_THAT(states_seen(history, "workflow.active", "u"), IsEmpty());
}

TEST(CaseHistory, IsRecordedWithoutLooksThatDecidedNothing) {
  core::CaseResult result;
  result.history = history_with({call("executions.start", 1), call("executions.status", 2),
                                 call("executions.status", 3), call("events.post", 4)});
  result.history.calls[1].is_look = true;
  result.history.calls[2].is_look = true;
  // A request of the profile's own is no call's.
  result.history.exchanges.emplace_back();
  result.checks.resize(2);
  result.checks[0].evidence = {2};
  result.checks[1].evidence = {3, 0, 4};
  record_exchanges(result);
  std::vector<std::string> operations;
  for (const core::Exchange& exchange : result.exchanges) operations.push_back(exchange.operation);
  EXPECT_THAT(operations, ElementsAre("executions.start", "executions.status", "events.post", ""));
  EXPECT_THAT(result.checks[0].evidence, ElementsAre(1));
  EXPECT_THAT(result.checks[1].evidence, ElementsAre(2, 0, 3));
}

}  // namespace
}  // namespace assay::check
