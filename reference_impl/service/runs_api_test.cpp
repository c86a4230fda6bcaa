#include <atomic>
#include <thread>
#include <vector>

#include "reference_impl/service/json_api_fixture.h"

namespace assay::service {
namespace {

class RunsApiTest : public JsonApiTest {
 protected:
  void move(const std::string& id, const std::string& to) {
    const std::string diagnostic = to == "failed" || to == "denied" || to == "timeout"
                                       ? std::string(R"(,"diagnostic":)") + complete
                                       : "";
    EXPECT_EQ(
        send("POST", "/runs/" + id + "/transitions", R"({"to":")" + to + "\"" + diagnostic + "}")
            .status,
        200);
  }

  static constexpr const char* complete =
      R"({"error_code":"TOOL_TIMEOUT","category":"tool","message":"no answer",)"
      R"("likely_cause":"overload","suggested_fix":"wait","retryable":true,"severity":"error"})";
};

TEST_F(RunsApiTest, ARunBeginsInCreated) {
  expect("POST", "/runs", R"({"run_id":"r1","run_kind":"tool"})", 201,
         R"({"run_id":"r1","status":"created","error_code":null,"retryable":null,
             "diagnostic":null,"parent_run_id":null,"root_run_id":"r1",
             "created_at":"2026-03-01T00:00:00Z","started_at":null,"ended_at":null})");
  expect("GET", "/runs/r1/audit", "", 200, R"({"events":[],"next":null})");
}

TEST_F(RunsApiTest, WithoutABodyARunGetsAnId) {
  EXPECT_EQ(send("POST", "/runs").status, 201);
  EXPECT_EQ(get("/runs/id-1", "/root_run_id"), Value("id-1"));
  EXPECT_EQ(send("POST", "/runs", R"({"run_id":null,"run_kind":null})").status, 201);
  EXPECT_EQ(get("/runs/id-2", "/run_id"), Value("id-2"));
}

TEST_F(RunsApiTest, CreationIsRefusedWhereTheIdExistsOrTheBodyIsInvalid) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  expect_refusal("POST", "/runs", R"({"run_id":"r1"})", "409 RUN_EXISTS -");
  expect_refusal("POST", "/runs", R"({"run_id":""})", "422 INVALID_ID /run_id");
  expect_refusal("POST", "/runs", R"({"run_id":"a\nb"})", "422 INVALID_ID /run_id");
  expect_refusal("POST", "/runs", R"({"run_id":7})", "422 INVALID_FIELD /run_id");
  expect_refusal("POST", "/runs", R"({"run_kind":7})", "422 INVALID_FIELD /run_kind");
  expect_refusal("POST", "/runs", "[]", "422 NOT_AN_OBJECT ");
  expect_refusal("POST", "/runs", "{", "400 MALFORMED_JSON -");
  expect("GET", "/runs", "", 200, R"({"runs":[{"run_id":"r1","status":"created"}],"next":null})");
}

TEST_F(RunsApiTest, AnIdWithOddCharactersIsReachedPercentEncoded) {
  send("POST", "/runs", R"({"run_id":"a/b ü"})");
  EXPECT_EQ(get("/runs/a%2Fb%20%C3%BC", "/run_id"), Value("a/b ü"));
}

TEST_F(RunsApiTest, AFailureShowsWhatCameWithIt) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  advance_ms(1500);
  move("r1", "running");
  advance_ms(500);
  const std::string failure = std::string(R"({"to":"failed","reason":"gone","error_code":"E",)") +
                              R"("retryable":false,"diagnostic":)" + complete + "}";
  const std::string run =
      std::string(R"({"run_id":"r1","status":"failed","error_code":"E",)") +
      R"("retryable":false,"diagnostic":)" + complete +
      R"(,"parent_run_id":null,"root_run_id":"r1",)" + R"("created_at":"2026-03-01T00:00:00Z",)" +
      R"("started_at":"2026-03-01T00:00:01.5Z",)" + R"("ended_at":"2026-03-01T00:00:02Z"})";
  expect("POST", "/runs/r1/transitions", failure, 200, run);
  expect("GET", "/runs/r1", "", 200, run);
}

TEST_F(RunsApiTest, TheDiagnosticsCodeAndFlagServeWhereTheBodyHasNone) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  move("r1", "running");
  move("r1", "timeout");
  EXPECT_EQ(get("/runs/r1", "/error_code"), Value("TOOL_TIMEOUT"));
  EXPECT_EQ(get("/runs/r1", "/retryable"), Value(true));
}

TEST_F(RunsApiTest, AnUndefinedTransitionFailsTheRunAndIsAuditedTwice) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  const Answer reply = send("POST", "/runs/r1/transitions", R"({"to":"success"})");
  EXPECT_EQ(reply.status, 409);
  const Value problem = reply.body;
  EXPECT_EQ(problem.string_at("code"), "INVALID_STATE_TRANSITION");
  EXPECT_EQ(*problem.find("run"), send("GET", "/runs/r1").body);
  EXPECT_EQ(get("/runs/r1", "/status"), Value("failed"));
  EXPECT_EQ(get("/runs/r1", "/error_code"), Value("INVALID_STATE_TRANSITION"));
  EXPECT_EQ(get("/runs/r1", "/retryable"), Value(false));
  EXPECT_EQ(get("/runs/r1", "/diagnostic/error_code"), Value("INVALID_STATE_TRANSITION"));
  expect("GET", "/runs/r1/audit", "", 200,
         R"({"events":[
             {"event_id":"id-1","sequence":1,"run_id":"r1","outcome":"deny",
              "before_state":"created","after_state":"created","attempted_state":"success",
              "error_code":"INVALID_STATE_TRANSITION","timestamp":"2026-03-01T00:00:00Z"},
             {"event_id":"id-2","sequence":2,"run_id":"r1","outcome":"success",
              "before_state":"created","after_state":"failed","attempted_state":"failed",
              "error_code":"INVALID_STATE_TRANSITION","timestamp":"2026-03-01T00:00:00Z"}],
             "next":null})");
}

TEST_F(RunsApiTest, AnAttemptOnATerminalRunChangesOnlyTheAudit) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  move("r1", "running");
  move("r1", "success");
  const std::string before = send("GET", "/runs/r1").text;
  expect_refusal("POST", "/runs/r1/transitions", R"({"to":"running"})",
                 "409 INVALID_STATE_TRANSITION -");
  EXPECT_EQ(send("GET", "/runs/r1").text, before);
  EXPECT_EQ(get("/runs/r1/audit", "/events/2/outcome"), Value("deny"));
  EXPECT_EQ(get("/runs/r1/audit", "/events/2/after_state"), Value("success"));
}

TEST_F(RunsApiTest, AFailureWithoutACompleteDiagnosticChangesNothing) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  move("r1", "running");
  const std::string before = send("GET", "/runs/r1").text + send("GET", "/runs/r1/audit").text;
  const std::string path = "/runs/r1/transitions";
  for (const std::string to : {"failed", "denied", "timeout"}) {
    const std::string start = R"({"to":")" + to + "\"";
    expect_refusal("POST", path, start + "}", "422 DIAGNOSTIC_REQUIRED /diagnostic");
    expect_refusal("POST", path, start + R"(,"diagnostic":null})",
                   "422 DIAGNOSTIC_REQUIRED /diagnostic");
    expect_refusal("POST", path, start + R"(,"diagnostic":"a text"})",
                   "422 DIAGNOSTIC_REQUIRED /diagnostic");
    expect_refusal("POST", path, start + R"(,"diagnostic":{"error_code":"E"}})",
                   "422 DIAGNOSTIC_REQUIRED /diagnostic/category");
  }
  EXPECT_EQ(send("GET", "/runs/r1").text + send("GET", "/runs/r1/audit").text, before);
}

TEST_F(RunsApiTest, AnInvalidRequestIsNoAttempt) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  const std::string path = "/runs/r1/transitions";
  expect_refusal("POST", path, R"({"to":"completed"})", "422 UNKNOWN_STATUS /to");
  expect_refusal("POST", path, R"({"to":"Running"})", "422 UNKNOWN_STATUS /to");
  expect_refusal("POST", path, R"({})", "422 MISSING_FIELD /to");
  expect_refusal("POST", path, R"({"to":1})", "422 INVALID_FIELD /to");
  expect_refusal("POST", path, R"({"to":"running","reason":1})", "422 INVALID_FIELD /reason");
  expect_refusal("POST", path, R"({"to":"running","error_code":1})",
                 "422 INVALID_FIELD /error_code");
  expect_refusal("POST", path, R"({"to":"running","retryable":"no"})",
                 "422 INVALID_FIELD /retryable");
  expect_refusal("POST", path, R"({"to":"running","diagnostic":{}})",
                 "422 INVALID_FIELD /diagnostic/error_code");
  expect_refusal("POST", path, "", "400 MALFORMED_JSON -");
  expect("GET", path.substr(0, 8) + "/audit", "", 200, R"({"events":[],"next":null})");
  EXPECT_EQ(get("/runs/r1", "/status"), Value("created"));
}

TEST_F(RunsApiTest, TheTableIsAskedBeforeTheDiagnostic) {
  for (const char* body : {R"({"to":"failed"})", R"({"to":"failed","diagnostic":{}})"}) {
    const std::string id = send("POST", "/runs").body.string_at("run_id").value();
    expect_refusal("POST", "/runs/" + id + "/transitions", body, "409 INVALID_STATE_TRANSITION -");
  }
}

TEST_F(RunsApiTest, EachRetryIsANewRunOfTheSameRoot) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  move("r1", "running");
  move("r1", "failed");
  expect("POST", "/runs/r1/retry", "", 201,
         R"({"run_id":"id-3","status":"created","error_code":null,"retryable":null,
             "diagnostic":null,"parent_run_id":"r1","root_run_id":"r1",
             "created_at":"2026-03-01T00:00:00Z","started_at":null,"ended_at":null})");
  EXPECT_EQ(send("POST", "/runs/r1/retry").body.string_at("run_id"), "id-4");
  move("id-4", "running");
  move("id-4", "denied");
  const Value third = send("POST", "/runs/id-4/retry").body;
  EXPECT_EQ(third.string_at("parent_run_id"), "id-4");
  EXPECT_EQ(third.string_at("root_run_id"), "r1");
  EXPECT_EQ(get("/runs/r1", "/status"), Value("failed"));
  EXPECT_EQ(get("/runs/r1/audit", "/events").as_list().size(), 2U);
}

TEST_F(RunsApiTest, OnlyAFailureIsRetried) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  expect_refusal("POST", "/runs/r1/retry", "", "409 RUN_NOT_RETRYABLE -");
  move("r1", "running");
  move("r1", "canceled");
  expect_refusal("POST", "/runs/r1/retry", "", "409 RUN_NOT_RETRYABLE -");
}

TEST_F(RunsApiTest, TheNextActionSaysWhatItIsBasedOn) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  expect("GET", "/runs/r1/next-action", "", 200,
         R"({"action":"wait","because":{"status":"created","error_code":null,"retryable":null}})");
  move("r1", "running");
  move("r1", "failed");
  expect("GET", "/runs/r1/next-action", "", 200,
         R"({"action":"retry",
             "because":{"status":"failed","error_code":"TOOL_TIMEOUT","retryable":true}})");
}

TEST_F(RunsApiTest, TheListFollowsCreationAndItsFilter) {
  for (const char* id : {"r1", "r2", "r3"}) {
    send("POST", "/runs", std::string(R"({"run_id":")") + id + "\"}");
  }
  move("r2", "running");
  expect("GET", "/runs?status=Created", "", 200,
         R"({"runs":[{"run_id":"r1","status":"created"},{"run_id":"r3","status":"created"}],
             "next":null})");
  expect("GET", "/runs?status=running", "", 200,
         R"({"runs":[{"run_id":"r2","status":"running"}],"next":null})");
  expect("GET", "/runs?status=timeout", "", 200, R"({"runs":[],"next":null})");
  expect_refusal("GET", "/runs?status=cancelled", "", "422 UNKNOWN_STATUS -");
}

TEST_F(RunsApiTest, PagesNeitherSkipNorRepeatWhatIsAppended) {
  for (int count = 0; count < 3; ++count) send("POST", "/runs");
  const Value first = send("GET", "/runs?limit=2").body;
  EXPECT_EQ(first.find("runs")->as_list().size(), 2U);
  send("POST", "/runs");
  const std::string next = first.string_at("next").value();
  expect("GET", "/runs?limit=2&after=" + next, "", 200,
         R"({"runs":[{"run_id":"id-3","status":"created"},{"run_id":"id-4","status":"created"}],
             "next":null})");
  expect_refusal("GET", "/runs?status=created&after=" + next, "", "422 INVALID_CURSOR -");
  expect_refusal("GET", "/runs?limit=0", "", "422 INVALID_LIMIT -");
  expect_refusal("GET", "/runs?after=x", "", "422 INVALID_CURSOR -");
}

TEST_F(RunsApiTest, TheAuditIsPaged) {
  send("POST", "/runs", R"({"run_id":"r1"})");
  move("r1", "running");
  move("r1", "waiting");
  move("r1", "running");
  const Value first = send("GET", "/runs/r1/audit?limit=2").body;
  const std::string next = first.string_at("next").value();
  EXPECT_EQ(get("/runs/r1/audit?limit=2&after=" + next, "/events/0/sequence"), Value(3));
  EXPECT_EQ(get("/runs/r1/audit?limit=2&after=" + next, "/next"), Value());
  expect_refusal("GET", "/runs/r1/audit?limit=1001", "", "422 INVALID_LIMIT -");
}

TEST_F(RunsApiTest, OfManyClientsOneMakesTheTransitionAndEachIsAudited) {
  constexpr int client_count = 8;
  send("POST", "/runs", R"({"run_id":"r1"})");
  std::atomic<int> accepted = 0;
  std::vector<std::thread> clients;
  for (int client = 0; client < client_count; ++client) {
    clients.emplace_back([&] {
      const int status = send("POST", "/runs/r1/transitions", R"({"to":"running"})").status;
      if (status == 200) ++accepted;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(accepted, 1);
  EXPECT_EQ(get("/runs/r1", "/status"), Value("failed"));
  const Value events = get("/runs/r1/audit", "/events");
  // One success, a refusal for each of the others, and the change that the first refusal forced.
  ASSERT_EQ(events.as_list().size(), 1U + (client_count - 1) + 1);
  for (std::size_t at = 0; at < events.as_list().size(); ++at) {
    EXPECT_EQ(*events.as_list()[at].find("sequence"), Value(std::int64_t(at) + 1));
  }
}

TEST_F(RunsApiTest, AnUnknownRunIs404BeforeItsBodyIsLookedAt) {
  expect_refusal("GET", "/runs/r9", "", "404 NOT_FOUND -");
  expect_refusal("POST", "/runs/r9/transitions", R"({"to":"nonsense"})", "404 NOT_FOUND -");
  expect_refusal("POST", "/runs/r9/retry", "", "404 NOT_FOUND -");
  expect_refusal("GET", "/runs/r9/next-action", "", "404 NOT_FOUND -");
  expect_refusal("GET", "/runs/r9/audit?limit=0", "", "404 NOT_FOUND -");
  expect_refusal("PUT", "/runs/r9", "{}", "405 METHOD_NOT_ALLOWED -");
}

}  // namespace
}  // namespace assay::service
