#include <array>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "reference_impl/service/json_api_fixture.h"

namespace assay::service {
namespace {

class WorkflowsApiTest : public JsonApiTest {
 protected:
  WorkflowsApiTest() {
    send("POST", "/function-blocks", R"({"name":"pure","pure":true})");
    send("POST", "/function-blocks", R"({"name":"impure","pure":false})");
  }

  /// Starts an inline workflow of these steps (JSON, comma-separated); its uuid.
  std::string start(const std::string& steps) {
    const Answer reply = send("POST", "/workflow-execution",
                              R"({"parameters":{"n":1},"workflow":{"steps":[)" + steps + "]}}");
    EXPECT_EQ(reply.status, 201) << reply.text;
    return reply.body.string_at("uuid").value_or("");
  }

  static std::string step(const std::string& label, const std::string& block,
                          const std::string& more = "") {
    return R"({"label":")" + label + R"(","functionBlock":")" + block + "\"" + more + "}";
  }

  /// Takes the oldest job; its id.
  std::string poll() {
    const Answer reply = send("POST", "/blackboard/jobs/poll", R"({"worker":"w"})");
    EXPECT_EQ(reply.status, 200);
    return reply.body.string_at("job_id").value_or("");
  }

  void finish_next(const std::string& result = R"({"success":true})") {
    EXPECT_EQ(send("POST", "/blackboard/jobs/" + poll() + "/result", result).status, 200);
  }

  std::string status(const std::string& uuid) {
    return get("/workflow-execution/id/" + uuid, "/status").as_string();
  }

  std::string path(const std::string& uuid) {
    std::string line;
    const Value history = get("/workflow-execution/id/" + uuid, "/history");
    for (const Value& entry : history.as_list()) {
      line += (line.empty() ? "" : " ") + entry.string_at("status").value_or("?");
    }
    return line;
  }
};

TEST_F(WorkflowsApiTest, AFunctionBlockIsRegisteredOnce) {
  const std::string block = R"({"name":"f","pure":true,"acquires":["d1"]})";
  expect("POST", "/function-blocks", block, 201, block);
  expect("POST", "/function-blocks", R"({"acquires":["d1"],"pure":true,"name":"f"})", 200, block);
  expect_refusal("POST", "/function-blocks", R"({"name":"f","pure":false})", "409 NAME_CONFLICT -");
  expect("POST", "/function-blocks", R"({"name":"pure","pure":true,"acquires":[]})", 200,
         R"({"name":"pure","pure":true,"acquires":[]})");
}

TEST_F(WorkflowsApiTest, AnInvalidFunctionBlockIsRefused) {
  expect_refusal("POST", "/function-blocks", R"({"pure":true})",
                 "422 INVALID_FUNCTION_BLOCK /name");
  expect_refusal("POST", "/function-blocks", R"({"name":"f","pure":1})",
                 "422 INVALID_FUNCTION_BLOCK /pure");
  expect_refusal("POST", "/function-blocks", R"({"name":"f","pure":true,"acquires":[""]})",
                 "422 INVALID_FUNCTION_BLOCK /acquires/0");
  expect_refusal("POST", "/function-blocks", "", "400 MALFORMED_JSON -");
}

TEST_F(WorkflowsApiTest, AWorkflowDefinitionIsRegisteredOnce) {
  const std::string body =
      R"({"name":"w","steps":[{"label":"a","functionBlock":"f","acquire":["d1"],"condition":true}]})";
  expect("POST", "/workflow-definitions", body, 201, body);
  expect("POST", "/workflow-definitions", body, 200, body);
  expect_refusal("POST", "/workflow-definitions",
                 R"({"name":"w","steps":[{"label":"a","functionBlock":"f"}]})",
                 "409 NAME_CONFLICT -");
  expect_refusal("POST", "/workflow-definitions", R"({"name":"v","steps":[]})",
                 "422 INVALID_DEFINITION /steps");
  expect_refusal(
      "POST", "/workflow-definitions",
      R"({"name":"v","steps":[{"label":"a","functionBlock":"f","condition":"{{ f(1) }}"}]})",
      "422 INVALID_DEFINITION /steps/0/condition");
}

TEST_F(WorkflowsApiTest, AnExecutionOfANamedDefinitionShowsItsWholeLife) {
  send("POST", "/workflow-definitions",
       R"({"name":"w","steps":[{"label":"a","functionBlock":"impure","acquire":["d1"]}]})");
  expect("POST", "/workflow-execution", R"({"workflow":"w","parameters":{"n":1}})", 201,
         R"({"uuid":"id-1","status":"RESOURCE_DISCOVERY"})");
  expect("GET", "/workflow-execution/id/id-1", "", 200,
         R"({"uuid":"id-1","status":"RESOURCE_DISCOVERY","outcome":null,"reason":null,
             "isPureExecution":true,"entities":[],"jobs":{"completed":0,"total":1},
             "history":[{"status":"NEW","at":"2026-03-01T00:00:00Z"},
                        {"status":"VALID","at":"2026-03-01T00:00:00Z"},
                        {"status":"READY","at":"2026-03-01T00:00:00Z"},
                        {"status":"RESOURCE_DISCOVERY","at":"2026-03-01T00:00:00Z"}]})");
  advance_ms(1000);
  expect("POST", "/blackboard/jobs/poll", R"({"worker":"w1"})", 200,
         R"({"job_id":"id-2","uuid":"id-1","type":"ACQUIRE","label":"a","functionBlock":"impure",
             "state":"POLLED","result":null})");
  expect("POST", "/blackboard/jobs/id-2/result", R"({"success":true,"entities":["d2"]})", 200,
         R"({"job_id":"id-2","uuid":"id-1","type":"ACQUIRE","label":"a","functionBlock":"impure",
             "state":"PUSHED","result":{"success":true,"entities":["d2"]}})");
  finish_next(R"({"success":true,"data":{"x":1}})");
  expect("POST", "/workflow-execution/id-1/ack", "", 200,
         R"({"uuid":"id-1","status":"COMPLETED_ACK","outcome":"COMPLETED","reason":null,
             "isPureExecution":false,"entities":["d1","d2"],"jobs":{"completed":2,"total":2},
             "history":[{"status":"NEW","at":"2026-03-01T00:00:00Z"},
                        {"status":"VALID","at":"2026-03-01T00:00:00Z"},
                        {"status":"READY","at":"2026-03-01T00:00:00Z"},
                        {"status":"RESOURCE_DISCOVERY","at":"2026-03-01T00:00:00Z"},
                        {"status":"RESOURCES_DISCOVERED","at":"2026-03-01T00:00:01Z"},
                        {"status":"SCHEDULED","at":"2026-03-01T00:00:01Z"},
                        {"status":"LOCKING","at":"2026-03-01T00:00:01Z"},
                        {"status":"LOCKED","at":"2026-03-01T00:00:01Z"},
                        {"status":"RUNNING","at":"2026-03-01T00:00:01Z"},
                        {"status":"COMPLETED","at":"2026-03-01T00:00:01Z"},
                        {"status":"COMPLETED_ACK","at":"2026-03-01T00:00:01Z"}]})");
}

TEST_F(WorkflowsApiTest, WhatCantBeExecutedStillAnswers201) {
  for (const char* workflow :
       {R"("nowhere")", R"("")", R"({})", R"({"steps":[]})", R"({"steps":"a"})",
        R"({"steps":[{"label":"a","functionBlock":"missing"}]})",
        R"({"steps":[{"label":"a","functionBlock":"pure","condition":"{{ f(1) }}"}]})"}) {
    const Answer reply =
        send("POST", "/workflow-execution", std::string(R"({"workflow":)") + workflow + "}");
    EXPECT_EQ(reply.status, 201) << workflow;
    const std::string uuid = reply.body.string_at("uuid").value();
    EXPECT_EQ(path(uuid), "NEW FAILED_SAFE") << workflow;
    EXPECT_TRUE(get("/workflow-execution/id/" + uuid, "/reason").is_string()) << workflow;
  }
}

TEST_F(WorkflowsApiTest, AWorkflowOfAnotherTypeIsRefused) {
  expect_refusal("POST", "/workflow-execution", "{}", "422 MISSING_FIELD /workflow");
  for (const char* wrong : {"1", "true", "[]"}) {
    expect_refusal("POST", "/workflow-execution", std::string(R"({"workflow":)") + wrong + "}",
                   "422 INVALID_FIELD /workflow");
  }
  expect_refusal("POST", "/workflow-execution", R"({"workflow":"w","parameters":[]})",
                 "422 INVALID_FIELD /parameters");
  expect("GET", "/workflow-execution/state/FAILED_SAFE", "", 200,
         R"({"executions":[],"next":null})");
}

TEST_F(WorkflowsApiTest, ListsShowWhatIsActiveOrInAState) {
  const std::string first = start(step("a", "pure"));
  const std::string second = start(step("a", "pure"));
  start(step("a", "missing"));
  const std::string both = R"({"executions":[{"uuid":")" + first +
                           R"(","status":"RUNNING"},{"uuid":")" + second +
                           R"(","status":"RUNNING"}],"next":null})";
  expect("GET", "/workflow-execution/active", "", 200, both);
  expect("GET", "/workflow-execution/state/running", "", 200, both);
  expect("GET", "/workflow-execution/state/LOCKED", "", 200, R"({"executions":[],"next":null})");
  expect_refusal("GET", "/workflow-execution/state/DONE", "", "422 UNKNOWN_STATE -");

  const Value page = send("GET", "/workflow-execution/active?limit=1").body;
  const std::string next = page.string_at("next").value();
  finish_next();
  start(step("a", "pure"));
  EXPECT_EQ(get("/workflow-execution/active?limit=1&after=" + next, "/executions/0/uuid"),
            Value(second));
  expect_refusal("GET", "/workflow-execution/state/RUNNING?after=" + next, "",
                 "422 INVALID_CURSOR -");
}

TEST_F(WorkflowsApiTest, AnAbortWithdrawsReleasesAndClassifies) {
  const std::string first = start(step("a", "impure", R"(,"acquire":["d1"])"));
  const std::string second = start(step("a", "pure", R"(,"acquire":["d1"])"));
  finish_next();
  finish_next();
  EXPECT_EQ(status(second), "SCHEDULED");
  const Answer reply = send("DELETE", "/workflow-execution/" + first);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body.string_at("status"), "FAILED_SAFE");
  EXPECT_EQ(reply.body.string_at("reason"), "aborted");
  EXPECT_EQ(status(second), "RUNNING");
  const std::string after = send("GET", "/workflow-execution/id/" + first).text;
  EXPECT_EQ(send("DELETE", "/workflow-execution/" + first).status, 200);
  EXPECT_EQ(send("GET", "/workflow-execution/id/" + first).text, after);
}

TEST_F(WorkflowsApiTest, AfterAnAbortALateResultHasNoEffectAndAWithdrawnJobTakesNone) {
  const std::string uuid = start(step("a", "impure", R"(,"acquire":["d1"])") + "," +
                                 step("b", "pure", R"(,"acquire":["d2"])"));
  const std::string polled = poll();
  const Value pending = get("/blackboard/jobs?state=PENDING", "/jobs/0/job_id");
  send("DELETE", "/workflow-execution/" + uuid);
  const std::string before = send("GET", "/workflow-execution/id/" + uuid).text;
  EXPECT_EQ(send("POST", "/blackboard/jobs/" + polled + "/result", R"({"success":false})").status,
            200);
  expect_refusal("POST", "/blackboard/jobs/" + pending.as_string() + "/result",
                 R"({"success":true})", "409 JOB_NOT_POLLED -");
  EXPECT_EQ(send("GET", "/workflow-execution/id/" + uuid).text, before);
  EXPECT_EQ(send("POST", "/blackboard/jobs/poll", R"({"worker":"w"})").status, 204);
}

TEST_F(WorkflowsApiTest, OnlyAnOutcomeIsAcknowledged) {
  const std::string uuid = start(step("a", "impure"));
  expect_refusal("POST", "/workflow-execution/" + uuid + "/ack", "", "409 NOT_AN_OUTCOME -");
  finish_next(R"({"success":false})");
  EXPECT_EQ(status(uuid), "FAILED_UNSAFE");
  EXPECT_EQ(send("POST", "/workflow-execution/" + uuid + "/ack", "{}").status, 200);
  EXPECT_EQ(status(uuid), "FAILED_UNSAFE_ACK");
  expect_refusal("POST", "/workflow-execution/" + uuid + "/ack", "", "409 NOT_AN_OUTCOME -");
}

TEST_F(WorkflowsApiTest, JobsAreListedByExecutionAndState) {
  const std::string first = start(step("a", "pure"));
  const std::string second = start(step("a", "impure"));
  const std::string polled = poll();
  const std::string first_job = R"({"job_id":")" + polled + R"(","uuid":")" + first +
                                R"(","type":"EXECUTE","label":"a","functionBlock":"pure",)" +
                                R"("state":"POLLED","result":null})";
  expect("GET", "/blackboard/jobs?state=polled", "", 200,
         R"({"jobs":[)" + first_job + R"(],"next":null})");
  expect("GET", "/blackboard/jobs?uuid=" + first, "", 200,
         R"({"jobs":[)" + first_job + R"(],"next":null})");
  EXPECT_EQ(get("/blackboard/jobs?uuid=" + second, "/jobs/0/state"), Value("PENDING"));
  expect("GET", "/blackboard/jobs?uuid=" + second + "&state=POLLED", "", 200,
         R"({"jobs":[],"next":null})");
  EXPECT_EQ(get("/blackboard/jobs", "/jobs").as_list().size(), 2U);
  EXPECT_TRUE(get("/blackboard/jobs?limit=1", "/next").is_string());
  expect("GET", "/blackboard/jobs?uuid=nobody", "", 200, R"({"jobs":[],"next":null})");
  expect_refusal("GET", "/blackboard/jobs?state=DONE", "", "422 UNKNOWN_STATE -");
}

TEST_F(WorkflowsApiTest, AJobGoesToOneWorkerAndTakesOneResult) {
  const std::string uuid = start(step("a", "pure"));
  const std::string job = poll();
  const Answer none = send("POST", "/blackboard/jobs/poll", R"({"worker":"w2"})");
  EXPECT_EQ(none.status, 204);
  EXPECT_EQ(none.text, "");
  const std::string result = "/blackboard/jobs/" + job + "/result";
  expect_refusal("POST", result, R"({})", "422 MISSING_FIELD /success");
  expect_refusal("POST", result, R"({"success":"yes"})", "422 INVALID_FIELD /success");
  expect_refusal("POST", result, R"({"success":true,"entities":[1]})",
                 "422 INVALID_FIELD /entities/0");
  EXPECT_EQ(status(uuid), "RUNNING");
  EXPECT_EQ(send("POST", result, R"({"success":true,"entities":null,"data":null})").status, 200);
  expect_refusal("POST", result, R"({"success":false})", "409 JOB_NOT_POLLED -");
  EXPECT_EQ(status(uuid), "COMPLETED");
  expect_refusal("POST", "/blackboard/jobs/poll", "{}", "422 MISSING_FIELD /worker");
  expect_refusal("POST", "/blackboard/jobs/poll", R"({"worker":""})", "422 INVALID_ID /worker");
}

TEST_F(WorkflowsApiTest, AConditionSkipsItsStepOrFails) {
  const std::string uuid =
      start(step("a", "pure") + "," + step("b", "impure", R"(,"condition":false)") + "," +
            step("c", "impure", R"(,"condition":"{{ parameters.n > 1 }}")") + "," +
            step("d", "pure", R"(,"condition":"results.a.n in [1, 2]")") + "," +
            step("e", "pure", R"(,"condition":"{{ results.b + 1 }}")"));
  finish_next(R"({"success":true,"data":{"n":2}})");
  EXPECT_EQ(get("/blackboard/jobs?state=PENDING", "/jobs/0/label"), Value("d"));
  finish_next();
  EXPECT_EQ(status(uuid), "FAILED_SAFE");
  EXPECT_TRUE(get("/workflow-execution/id/" + uuid, "/reason")
                  .as_string()
                  .starts_with("the condition of step e can't be evaluated: "));
  EXPECT_EQ(get("/workflow-execution/id/" + uuid, "/jobs/total"), Value(2));
}

TEST_F(WorkflowsApiTest, AGuardThatDoesNotParseIsAnInvalidDefinition) {
  for (const char* guard : {"{{ f(1) }}", "{{ a | nonsense }}", "x {{ a }}", "{{"}) {
    expect_refusal("POST", "/workflow-definitions",
                   R"({"name":"w","steps":[)" +
                       step("a", "pure", R"(,"condition":")" + std::string(guard) + "\"") + "]}",
                   "422 INVALID_DEFINITION /steps/0/condition");
  }
}

TEST_F(WorkflowsApiTest, AStuckJobFailsByTheClockAlone) {
  const std::string uuid = start(step("a", "impure"));
  poll();
  advance_ms(12 * 60'000 - 1);
  EXPECT_EQ(status(uuid), "RUNNING");
  advance_ms(1);
  EXPECT_EQ(status(uuid), "FAILED_UNSAFE");
  EXPECT_EQ(get("/blackboard/jobs?uuid=" + uuid, "/jobs/0/state"), Value("PUSHED"));
  EXPECT_EQ(get("/workflow-execution/id/" + uuid, "/jobs/completed"), Value(1));
}

TEST_F(WorkflowsApiTest, WithoutTheLockServiceRequestsFail) {
  expect("POST", "/control/lock-service", R"({"available":false})", 200, R"({"available":false})");
  const std::string failing = start(step("a", "pure", R"(,"acquire":["d1"])"));
  const std::string free = start(step("a", "pure"));
  finish_next();
  EXPECT_EQ(
      path(failing),
      "NEW VALID READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED SCHEDULED LOCKING FAILED_SAFE");
  EXPECT_EQ(status(free), "RUNNING");
  expect("POST", "/control/lock-service", R"({"available":true})", 200, R"({"available":true})");
  expect_refusal("POST", "/control/lock-service", R"({})", "422 MISSING_FIELD /available");
  expect_refusal("POST", "/control/lock-service", R"({"available":1})",
                 "422 INVALID_FIELD /available");
}

TEST_F(WorkflowsApiTest, EightWorkersAtOnceFinishEverythingAndNeverShareAnEntity) {
  constexpr int execution_count = 200;
  constexpr std::size_t entity_count = 20;
  std::map<std::string, std::vector<std::size_t>> entities_of;
  for (std::size_t index = 0; index < execution_count; ++index) {
    const std::size_t first = index % entity_count;
    const std::size_t second = (index * 7 + 3) % entity_count;
    const std::string entities =
        R"(,"acquire":["d)" + std::to_string(first) + R"(","d)" + std::to_string(second) + "\"]";
    const std::string uuid = start(step("a", "impure", entities));
    entities_of[uuid] = first == second ? std::vector{first} : std::vector{first, second};
  }
  std::array<std::atomic<int>, entity_count> holders{};
  std::atomic<int> pushed = 0;
  std::atomic<int> shared = 0;
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 8; ++worker) {
    workers.emplace_back([&] {
      while (pushed < 2 * execution_count) {
        const Answer job = send("POST", "/blackboard/jobs/poll", R"({"worker":"w"})");
        if (job.status != 200) continue;
        const bool executes = job.at("/type") == "\"EXECUTE\"";
        const std::vector<std::size_t>& entities = entities_of.at(*job.body.string_at("uuid"));
        for (const std::size_t entity : entities) {
          if (executes && ++holders.at(entity) > 1) ++shared;
        }
        send("GET", "/blackboard/jobs?state=POLLED");  // time for another holder to show
        for (const std::size_t entity : entities) {
          if (executes) --holders.at(entity);
        }
        send("POST", "/blackboard/jobs/" + *job.body.string_at("job_id") + "/result",
             R"({"success":true})");
        ++pushed;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(shared, 0);
  expect("GET", "/workflow-execution/active", "", 200, R"({"executions":[],"next":null})");
  EXPECT_EQ(get("/workflow-execution/state/COMPLETED?limit=1000", "/executions").as_list().size(),
            std::size_t{execution_count});
  EXPECT_TRUE(get("/blackboard/jobs?state=PENDING", "/jobs").as_list().empty());
}

TEST_F(WorkflowsApiTest, AllExecutionsAreListedEndedOnesToo) {
  const std::string first = start(step("a", "pure"));
  const std::string second = start(step("a", "missing"));
  expect("GET", "/workflow-execution", "", 200,
         R"({"executions":[{"uuid":")" + first + R"(","status":"RUNNING"},{"uuid":")" + second +
             R"(","status":"FAILED_SAFE"}],"next":null})");
  const Value cursor = get("/workflow-execution?limit=1", "/next");
  EXPECT_EQ(get("/workflow-execution?limit=1&after=" + cursor.as_string(), "/executions/0/uuid"),
            Value(second));
}

TEST_F(WorkflowsApiTest, AJobShowsItsResult) {
  start(step("a", "pure"));
  const std::string job = poll();
  EXPECT_EQ(get("/blackboard/jobs", "/jobs/0/result"), Value());
  send("POST", "/blackboard/jobs/" + job + "/result", R"({"success":false,"data":{"x":1}})");
  EXPECT_EQ(write_json(get("/blackboard/jobs", "/jobs/0/result")),
            R"({"data":{"x":1},"success":false})");
}

TEST_F(WorkflowsApiTest, UnknownIdsAre404) {
  expect_refusal("GET", "/workflow-execution/id/nobody", "", "404 NOT_FOUND -");
  expect_refusal("DELETE", "/workflow-execution/nobody", "", "404 NOT_FOUND -");
  expect_refusal("POST", "/workflow-execution/nobody/ack", "", "404 NOT_FOUND -");
  expect_refusal("POST", "/blackboard/jobs/nobody/result", R"({"success":1})", "404 NOT_FOUND -");
  expect_refusal("GET", "/workflow-execution/nobody", "", "405 METHOD_NOT_ALLOWED -");
}

}  // namespace
}  // namespace assay::service
