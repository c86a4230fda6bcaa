#include "reference_impl/service/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

using testing::HasSubstr;

class Reference : public ServiceTest {};

TEST_F(Reference, TellsItsHealthAndVersion) {
  EXPECT_EQ(get("/healthz").text, R"({"name":"assay reference","status":"ok","version":"1.2.3"})");
}

TEST_F(Reference, WritesOpenMetrics) {
  create();
  const std::string same = event("task.started");
  post("/executions/x/events", same);
  post("/executions/x/events", same);
  get("/nowhere");
  const Answer answer = get("/metrics");
  EXPECT_EQ(answer.content_type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
  EXPECT_THAT(answer.text, HasSubstr("# TYPE assay_events counter\n"));
  EXPECT_THAT(answer.text, HasSubstr("\nassay_executions_total 1\n"));
  EXPECT_THAT(answer.text, HasSubstr("\nassay_events_total 1\n"));
  EXPECT_THAT(answer.text, HasSubstr("\nassay_event_duplicates_total 1\n"));
  EXPECT_THAT(answer.text, HasSubstr("\nassay_replies_total{class=\"2xx\"} 3\n"));
  EXPECT_THAT(answer.text, HasSubstr("\nassay_replies_total{class=\"4xx\"} 1\n"));
  EXPECT_TRUE(answer.text.ends_with("# EOF\n"));
}

TEST_F(Reference, KnowsItsPathsAndMethods) {
  create();
  for (const char* path :
       {"/", "/execution", "/executions/", "/executions/x/", "/executions/x/state",
        "/executions/x/events/batch/", "/healthz/x", "/control", "/control/evil"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
  for (const char* path :
       {"/executions", "/executions/x", "/executions/x/status", "/executions/x/events",
        "/executions/x/events/batch", "/executions/x/cancel", "/control/clock", "/healthz"}) {
    EXPECT_EQ(send({"DELETE", path, {}, ""}).status, 405) << path;
  }
  EXPECT_EQ(get("/executions/x/cancel").status, 405);
  EXPECT_EQ(post("/executions/x/status", "{").status, 405);
}

TEST_F(Reference, AsksForJsonOnlyWhereThereIsABody) {
  create();
  EXPECT_EQ(send({"POST", "/executions/x/cancel", {{"Content-Type", "text/plain"}}, ""}).status,
            200);
  EXPECT_EQ(send({"POST", "/executions/x/cancel", {{"Content-Type", "text/plain"}}, "{}"}).status,
            415);
  EXPECT_EQ(send({"POST", "/executions/x/cancel", {}, "{}"}).status, 415);
  EXPECT_EQ(
      send({"POST", "/executions/x/cancel", {{"content-type", "APPLICATION/JSON"}}, "{}"}).status,
      200);
}

TEST_F(Reference, RefusesOddBodiesWithoutA5xx) {
  create();
  const std::string deep = R"({"payload":)" + std::string(100, '[') + std::string(100, ']') + "}";
  for (const char* path : {"/executions", "/executions/x/events", "/executions/x/events/batch",
                           "/executions/x/ctx", "/control/evict", "/control/clock"}) {
    EXPECT_EQ(post(path, "{\"a\":\"\xff\"}").status, 400) << path;
    EXPECT_EQ(post(path, R"({"a":1,"a":2})").status, 400) << path;
    EXPECT_EQ(post(path, R"({"a":"\ud800"})").status, 400) << path;
    EXPECT_EQ(post(path, "{\"a\":").status, 400) << path;
    EXPECT_EQ(post(path, deep).status, 422) << path;
    EXPECT_EQ(post(path, deep).at("/code"), "\"TOO_DEEP\"") << path;
    EXPECT_EQ(post(path, "\"text\"").status, 422) << path;
  }
}

TEST_F(Reference, EvictMakesATerminalStateInferred) {
  for (const char* type : {"playbook.completed", "playbook.failed", "execution.cancelled"}) {
    create(type);
    const std::string path = std::string("/executions/") + type;
    post(path + "/events", event(type));
    EXPECT_EQ(get(path + "/status").at("/completion_inferred"), "false");
    EXPECT_EQ(post("/control/evict", std::string(R"({"execution_id":")") + type + "\"}").status,
              200);
    EXPECT_EQ(get(path + "/status").at("/completion_inferred"), "true") << type;
    EXPECT_EQ(get(path + "/status").at("/terminal_event"), "\"" + std::string(type) + "\"");
  }
}

TEST_F(Reference, EvictInfersNothingFromLowerLayers) {
  create();
  tell("playbook.initialized");
  tell("command.issued", R"("node_name":"end","command_id":"c")");
  tell("command.completed", R"("node_name":"end","command_id":"c")");
  tell("call.done", R"("node_name":"end","command_id":"c")");
  tell("step.exit", R"("node_name":"end","status":"COMPLETED")");
  tell("batch.completed", R"("payload":{"pending_count":0})");
  post("/control/evict", R"({"execution_id":"x"})");
  EXPECT_EQ(state(), "\"RUNNING\"");
  EXPECT_EQ(get("/executions/x/status").at("/completion_inferred"), "false");
}

TEST_F(Reference, EvictKeepsEverythingElse) {
  post("/executions", R"({"execution_id":"x","workload":{"n":1}})");
  post("/executions/x/ctx", R"({"patch":{"a":1}})");
  tell("playbook.initialized");
  tell("step.exit");
  const std::string events = get("/executions/x/events").text;
  post("/control/evict", R"({"execution_id":"x"})");
  EXPECT_EQ(get("/executions/x/events").text, events);
  tell("step.enter", R"("node_name":"a")");
  EXPECT_EQ(get("/executions/x/status").at("/current_step"), "\"a\"");
  EXPECT_EQ(get("/executions/x/variables").text, R"({"ctx":{"a":1},"workload":{"n":1}})");
  EXPECT_EQ(get("/executions/x").at("/anomalies/0/seq"), "2");
  EXPECT_EQ(get("/executions/x/events?limit=2").body.find("events")->as_list().size(), 2U);
}

TEST_F(Reference, EvictNamesAKnownExecution) {
  EXPECT_EQ(post("/control/evict", R"({"execution_id":"no"})").status, 404);
  EXPECT_EQ(post("/control/evict", R"({"execution_id":7})").status, 422);
  EXPECT_EQ(post("/control/evict", "{}").status, 422);
}

TEST_F(Reference, TheClockMovesOnlyByCallsFromTheFirstOn) {
  clock_->move(5'000'000'000);
  EXPECT_EQ(post("/control/clock", R"({"advance_ms":0})").text,
            R"({"now":"2026-03-01T00:00:05Z"})");
  clock_->move(5'000'000'000);
  EXPECT_EQ(post("/control/clock", R"({"advance_ms":1500.0})").text,
            R"({"now":"2026-03-01T00:00:06.5Z"})");
  create();
  post("/executions/x/cancel");
  EXPECT_EQ(get("/executions/x/status").at("/ended_at"), "\"2026-03-01T00:00:06.5Z\"");
}

TEST_F(Reference, TheClockTakesWholeNumbersFromZero) {
  for (const char* body :
       {"{}", R"({"advance_ms":-1})", R"({"advance_ms":1.5})", R"({"advance_ms":"1"})",
        R"({"advance_ms":true})", R"({"advance_ms":null})", R"({"advance_ms":9223372036854775807})",
        R"({"advance_ms":1e30})"}) {
    const Answer answer = post("/control/clock", body);
    EXPECT_EQ(answer.status, 422) << body;
    EXPECT_EQ(answer.at("/pointer"), "\"/advance_ms\"") << body;
  }
}

TEST_F(Reference, TwoClientsThatPostTheSameEventStoreItOnce) {
  create();
  constexpr int client_count = 8;
  constexpr int event_count = 200;
  std::vector<std::string> bodies;
  for (int count = 0; count < event_count; ++count) bodies.push_back(event("task.started"));
  std::atomic<int> stored = 0;
  std::atomic<int> duplicates = 0;
  std::vector<std::thread> clients;
  for (int client = 0; client < client_count; ++client) {
    clients.emplace_back([&] {
      for (const std::string& body : bodies) {
        const int status = post("/executions/x/events", body).status;
        if (status == 201) ++stored;
        if (status == 200) ++duplicates;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(stored, event_count);
  EXPECT_EQ(duplicates, event_count * (client_count - 1));
  const Answer last = post("/executions/x/events", event("task.done"));
  EXPECT_EQ(last.at("/seq"), std::to_string(event_count + 1));
}

TEST_F(Reference, AgreesWithItselfWhileManyClientsWriteAndRead) {
  std::vector<std::thread> clients;
  std::atomic<int> refused = 0;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([&, client] {
      for (int count = 0; count < 50; ++count) {
        const std::string id = "c" + std::to_string(client) + "-" + std::to_string(count);
        if (post("/executions", R"({"execution_id":")" + id + "\"}").status != 201) ++refused;
        if (post("/executions", R"({"execution_id":"shared)" + std::to_string(count) + "\"}")
                .status == 409) {
          ++refused;
        }
        post("/executions/" + id + "/events", event("playbook.completed"));
        if (get("/executions?state=COMPLETED&limit=1000").status != 200) ++refused;
        post("/control/evict", R"({"execution_id":")" + id + "\"}");
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(refused, 3 * 50);  // of each shared id, one client of four creates it
  EXPECT_EQ(get("/executions?state=COMPLETED&limit=1000").body.find("executions")->as_list().size(),
            200U);
  EXPECT_EQ(get("/executions?state=PENDING&limit=1000").body.find("executions")->as_list().size(),
            50U);
}

}  // namespace
}  // namespace assay::service
