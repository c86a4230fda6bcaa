#include <gtest/gtest.h>

#include <set>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

class Executions : public ServiceTest {};

TEST_F(Executions, AreCreatedWithTheIdThatIsGiven) {
  const Answer answer = post("/executions", R"({"execution_id":"a/b %2F 😀"})");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.text, R"({"execution_id":"a/b %2F 😀","state":"PENDING"})");
  EXPECT_EQ(get("/executions/a%2Fb%20%252F%20%F0%9F%98%80/status").at("/execution_id"),
            "\"a/b %2F 😀\"");
}

TEST_F(Executions, GetAnIdOfTheirOwnWhereNoneIsGiven) {
  std::set<std::string> ids;
  for (const char* body : {"", "{}", R"({"execution_id":null})"}) {
    const Answer answer = post("/executions", body);
    EXPECT_EQ(answer.status, 201) << body;
    ids.insert(*answer.body.string_at("execution_id"));
  }
  EXPECT_EQ(ids.size(), 3U);
}

TEST_F(Executions, OfOneIdExistOnce) {
  create();
  const Answer answer = post("/executions", R"({"execution_id":"x"})");
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.at("/code"), "\"EXECUTION_EXISTS\"");
}

TEST_F(Executions, RefuseFieldsOfAnotherType) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"execution_id":1})", "\"/execution_id\""},
      {R"({"execution_id":""})", "\"/execution_id\""},
      {R"({"execution_id":"a\u0000b"})", "\"/execution_id\""},
      {R"({"workload":[]})", "\"/workload\""},
      {R"({"vocabulary":"v9"})", "\"/vocabulary\""},
      {R"({"vocabulary":10})", "\"/vocabulary\""},
      {"[]", "\"\""},
      {"null", "\"\""},
  };
  for (const auto& [body, pointer] : cases) {
    const Answer answer = post("/executions", body);
    EXPECT_EQ(answer.status, 422) << body;
    EXPECT_EQ(answer.at("/pointer"), pointer) << body;
  }
  EXPECT_EQ(post("/executions", R"({"execution_id":")" + std::string(257, 'x') + "\"}").status,
            422);
  EXPECT_EQ(get("/executions").at("/executions"), "[]");
}

TEST_F(Executions, StatusHasExactlySevenFields) {
  ASSERT_EQ(post("/executions", R"({"execution_id":"x","workload":{"secret":1}})").status, 201);
  EXPECT_EQ(get("/executions/x/status").text,
            R"({"completion_inferred":false,"current_step":null,"ended_at":null,)"
            R"("execution_id":"x","started_at":null,"state":"PENDING","terminal_event":null})");
  tell("playbook.initialized");
  tell("step.enter", R"("node_name":"fetch","payload":{"secret":1})");
  tell("playbook.completed", R"("payload":{"secret":1})");
  EXPECT_EQ(get("/executions/x/status").text,
            R"({"completion_inferred":false,"current_step":"fetch",)"
            R"("ended_at":"2026-03-01T10:00:00Z","execution_id":"x",)"
            R"("started_at":"2026-03-01T10:00:00Z","state":"COMPLETED",)"
            R"("terminal_event":"playbook.completed"})");
}

TEST_F(Executions, DetailShowsEveryLayer) {
  create();
  tell("playbook.initialized");
  tell("workflow.initialized");
  tell("command.issued", R"("node_name":"fetch","command_id":"c1")");
  tell("command.issued", R"("command_id":"c2")");
  tell("call.done", R"("command_id":"c1")");
  tell("step.exit", R"("node_name":"fetch","status":"completed")");
  tell("command.completed", R"("command_id":"c3")");
  tell("playbook.failed");
  const Answer answer = get("/executions/x");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.at("/state"), "\"FAILED\"");
  EXPECT_EQ(answer.at("/vocabulary"), "\"status-matrix\"");
  EXPECT_EQ(answer.at("/outcome"), "\"failed\"");
  EXPECT_EQ(answer.at("/workflow_state"), "\"RUNNING\"");
  EXPECT_EQ(answer.at("/steps"), R"([{"state":"COMPLETED","step":"fetch"}])");
  EXPECT_EQ(answer.at("/commands"), R"([{"command_id":"c1","state":"ISSUED","step":"fetch"},)"
                                    R"({"command_id":"c2","state":"ISSUED","step":null}])");
  EXPECT_EQ(answer.at("/tools"), R"([{"command_id":"c1","outcome":"OK"}])");
  EXPECT_EQ(answer.at("/anomalies/0/seq"), "7");
  EXPECT_EQ(answer.at("/anomalies/1"), "absent");
  EXPECT_EQ(answer.body.as_object().size(), 14U);
}

TEST_F(Executions, OutcomeIsNullWhileOpen) {
  post("/executions", R"({"execution_id":"x","vocabulary":"v10"})");
  EXPECT_EQ(get("/executions/x").at("/outcome"), "null");
  EXPECT_EQ(get("/executions/x").at("/vocabulary"), "\"v10\"");
}

TEST_F(Executions, VariablesAreServedByTheirOwnView) {
  post("/executions", R"({"execution_id":"x","workload":{"n":1}})");
  EXPECT_EQ(get("/executions/x/variables").text, R"({"ctx":{},"workload":{"n":1}})");
  const Answer patched = post("/executions/x/ctx", R"({"patch":{"a":{"b":1},"c":2}})");
  EXPECT_EQ(patched.text, R"({"execution_id":"x","state":"PENDING"})");
  post("/executions/x/ctx", R"({"patch":{"a":null,"d":{}}})");
  EXPECT_EQ(get("/executions/x/variables").text,
            R"({"ctx":{"a":null,"c":2,"d":{}},"workload":{"n":1}})");
}

TEST_F(Executions, ACtxPatchIsAnObject) {
  create();
  for (const char* body :
       {"{}", R"({"patch":null})", R"({"patch":[]})", R"({"patch":"a"})", "[]"}) {
    EXPECT_EQ(post("/executions/x/ctx", body).status, 422) << body;
  }
  EXPECT_EQ(post("/executions/x/ctx").status, 400);
}

TEST_F(Executions, MarkingOfAReplayIsEmpty) {
  create();
  EXPECT_EQ(get("/executions/x/marking").text, R"({"fan_in":[],"in_flight":[],"tokens":[]})");
}

TEST_F(Executions, CancelAppendsItsEventsAndCloses) {
  create();
  tell("playbook.initialized");
  for (const char* id : {"issued", "claimed", "started"}) {
    tell("command.issued", std::string(R"("command_id":")") + id + "\"");
  }
  tell("command.claimed", R"("command_id":"claimed")");
  tell("command.claimed", R"("command_id":"started")");
  tell("command.started", R"("command_id":"started")");
  clock_->move(1'500'000'000);
  const Answer answer = post("/executions/x/cancel", R"({"reason":"enough"})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.text, R"({"already_terminal":false,"execution_id":"x","state":"CANCELLED"})");
  EXPECT_EQ(get("/executions/x/status").at("/terminal_event"), "\"execution.cancelled\"");
  EXPECT_EQ(get("/executions/x/status").at("/ended_at"), "\"2026-03-01T00:00:01.5Z\"");
  const Answer events = get("/executions/x/events");
  EXPECT_EQ(events.at("/events/7/event_type"), "\"execution.cancelled\"");
  EXPECT_EQ(events.at("/events/7/payload"), R"({"reason":"enough"})");
  EXPECT_EQ(events.at("/events/7/source"), "\"server\"");
  EXPECT_EQ(events.at("/events/8/event_type"), "\"command.cancelled\"");
  EXPECT_EQ(events.at("/events/8/command_id"), "\"issued\"");
  EXPECT_EQ(events.at("/events/9/command_id"), "\"claimed\"");
  EXPECT_EQ(events.at("/events/10"), "absent");
  EXPECT_EQ(get("/executions/x").at("/commands/2/state"), "\"RUNNING\"");
  EXPECT_EQ(get("/executions/x").at("/anomalies"), "[]");
}

TEST_F(Executions, CancelOfATerminalExecutionChangesNothing) {
  create();
  tell("playbook.initialized");
  tell("playbook.completed");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(post("/executions/x/cancel").text,
              R"({"already_terminal":true,"execution_id":"x","state":"COMPLETED"})");
  }
  EXPECT_EQ(get("/executions/x/events").at("/events/2"), "absent");
}

TEST_F(Executions, CancelTakesNoOtherReasonThanAString) {
  create();
  EXPECT_EQ(post("/executions/x/cancel", R"({"reason":1})").status, 422);
  EXPECT_EQ(state(), "\"PENDING\"");
  EXPECT_EQ(post("/executions/x/cancel", R"({"reason":null})").status, 200);
}

TEST_F(Executions, UnknownIdsAre404EverywhereBeforeTheContent) {
  const std::string paths[] = {"/executions/no", "/executions/no/status",
                               "/executions/no/events?limit=0", "/executions/no/variables",
                               "/executions/no/marking"};
  for (const std::string& path : paths) EXPECT_EQ(get(path).status, 404) << path;
  for (const char* call : {"events", "events/batch", "cancel", "ctx"}) {
    EXPECT_EQ(post(std::string("/executions/no/") + call, "[]").status, 404) << call;
    EXPECT_EQ(post(std::string("/executions/no/") + call, "{").status, 400) << call;
  }
  for (const char* id : {"%00", "%ff", "%zz", "%", "..", "x%2Fstatus"}) {
    EXPECT_EQ(get(std::string("/executions/") + id + "/status").status, 404) << id;
  }
  EXPECT_EQ(get("/executions/" + std::string(300, 'x') + "/status").status, 404);
}

class ExecutionList : public ServiceTest {
 protected:
  ExecutionList() {
    for (const char* id : {"a", "b", "c", "d", "e"}) create(id);
    post("/executions/b/events", event("playbook.initialized"));
    post("/executions/c/events", event("playbook.failed"));
    post("/executions/e/events", event("playbook.initialized"));
  }

  std::string ids(const Answer& answer) {
    std::string joined;
    for (const Value& entry : answer.body.find("executions")->as_list()) {
      joined += *entry.string_at("execution_id");
    }
    return joined;
  }
};

TEST_F(ExecutionList, ShowsFiveFieldsInTheOrderOfCreation) {
  const Answer answer = get("/executions");
  EXPECT_EQ(ids(answer), "abcde");
  EXPECT_EQ(answer.at("/next"), "null");
  EXPECT_EQ(answer.at("/executions/2"),
            R"({"ended_at":"2026-03-01T10:00:00Z","execution_id":"c","started_at":null,)"
            R"("state":"FAILED","terminal_event":"playbook.failed"})");
}

TEST_F(ExecutionList, IsFilteredByStateInAnyCase) {
  EXPECT_EQ(ids(get("/executions?state=PENDING")), "ad");
  EXPECT_EQ(ids(get("/executions?state=running")), "be");
  EXPECT_EQ(ids(get("/executions?state=Failed")), "c");
  EXPECT_EQ(ids(get("/executions?state=CANCELLED")), "");
  EXPECT_EQ(ids(get("/executions?unknown=1&state=FAILED")), "c");
}

TEST_F(ExecutionList, RefusesAnUnknownState) {
  for (const char* state : {"DONE", "", "PENDING%20", "ISSUED", "%zz"}) {
    EXPECT_EQ(get(std::string("/executions?state=") + state).status, 422) << state;
  }
}

TEST_F(ExecutionList, PagesWithoutSkippingOrRepeatingWhileOthersAppend) {
  std::string seen;
  std::string next;
  int created = 0;
  for (int page = 0; page < 20; ++page) {
    const Answer answer = get("/executions?limit=2" + next);
    seen += ids(answer);
    if (created < 3) create(std::string(1, static_cast<char>('f' + created++)));
    if (answer.body.find("next")->is_null()) break;
    next = "&after=" + *answer.body.string_at("next");
  }
  EXPECT_EQ(seen, "abcdefgh");
}

TEST_F(ExecutionList, PagesWithinAState) {
  const Answer first = get("/executions?state=running&limit=1");
  EXPECT_EQ(ids(first), "b");
  const std::string cursor = *first.body.string_at("next");
  EXPECT_EQ(ids(get("/executions?limit=1&state=RUNNING&after=" + cursor)), "e");
  EXPECT_EQ(get("/executions?state=PENDING&after=" + cursor).status, 422);
  EXPECT_EQ(get("/executions?after=" + cursor).status, 422);
}

TEST_F(ExecutionList, FindsEvictedExecutionsInTheirState) {
  post("/executions/b/events", event("playbook.completed"));
  for (const char* id : {"b", "c", "e"}) {
    ASSERT_EQ(post("/control/evict", std::string(R"({"execution_id":")") + id + "\"}").status, 200);
  }
  EXPECT_EQ(ids(get("/executions?state=COMPLETED")), "b");
  EXPECT_EQ(ids(get("/executions?state=RUNNING")), "e");
  EXPECT_EQ(get("/executions/b/status").at("/completion_inferred"), "true");
}

}  // namespace
}  // namespace assay::service
