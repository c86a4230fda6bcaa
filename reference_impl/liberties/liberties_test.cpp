// What the liberties do where a whole run would hardly show it.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference_impl/liberties/catalogue.h"
#include "reference_impl/service/json_codec.h"

namespace assay::liberties {
namespace {

class FixedClock final : public service::Clock {
 public:
  [[nodiscard]] std::int64_t now() override { return 1'767'225'600'000'000'000; }
};

/// A service that takes one liberty.
class Server {
 public:
  explicit Server(std::string_view id) {
    service::ServiceOptions options;
    options.clock = std::make_shared<FixedClock>();
    const std::vector<const Liberty*> taken = {find_liberty(id)};
    service_ = make_free(taken, std::move(options));
  }

  service::Reply send(const std::string& method, const std::string& target,
                      const std::string& body = "") {
    return service_->handle({method, target, {{"Content-Type", "application/json"}}, body});
  }
  Value get(const std::string& target) {
    return service::parse_json(send("GET", target).body).value();
  }
  /// Posts an event of this type about the step to the execution "e".
  void post(const std::string& type, const std::string& more) {
    const std::string body = R"({"event_id":"e)" + std::to_string(++posted_) +
                             R"(","event_type":")" + type +
                             R"(","timestamp":"2026-01-01T00:00:00Z",)" + more + "}";
    EXPECT_EQ(send("POST", "/executions/e/events", body).status, 201) << body;
  }
  void start() { EXPECT_EQ(send("POST", "/executions", R"({"execution_id":"e"})").status, 201); }

 private:
  std::unique_ptr<service::Service> service_;
  int posted_ = 0;
};

std::string state_of_step(const Value& detail) {
  return detail.at_pointer("/steps/0/state")->as_string();
}

TEST(Liberties, AStepThatEndedStaysAsItEnded) {
  Server server("own-reentry");
  server.start();
  server.post("step.enter", R"("node_name":"a")");
  server.post("step.exit", R"("node_name":"a","status":"COMPLETED")");
  server.post("step.enter", R"("node_name":"a")");
  EXPECT_EQ(state_of_step(server.get("/executions/e")), "COMPLETED");
  EXPECT_EQ(*server.get("/executions/e").at_pointer("/anomalies/0/seq"), Value(3));
}

TEST(Liberties, TheLastCallEndsAStep) {
  Server server("exit-without-status-by-call");
  server.start();
  server.post("step.enter", R"("node_name":"a")");
  server.post("call.error", R"("node_name":"a","command_id":"c")");
  server.post("step.exit", R"("node_name":"a")");
  EXPECT_EQ(state_of_step(server.get("/executions/e")), "FAILED");
}

TEST(Liberties, NegativeNumbersComeBack) {
  Server server("negative-whole-numbers");
  server.start();
  server.post("task.done", R"("duration_ms":-5)");
  EXPECT_EQ(*server.get("/executions/e/events").at_pointer("/events/0/duration_ms"), Value(-5));
}

TEST(Liberties, EscapedJsonIsTheSameJson) {
  Server server("escaped-json");
  server.start();
  server.post("step.enter", R"("node_name":"é/😀")");
  const service::Reply reply = server.send("GET", "/executions/e/events");
  EXPECT_NE(reply.body.find(R"(\u00E9\/\uD83D\uDE00)"), std::string::npos) << reply.body;
  EXPECT_EQ(*server.get("/executions/e/events").at_pointer("/events/0/node_name"), Value("é/😀"));
}

TEST(Liberties, AHundredArraysAroundANumberAreTooDeep) {
  Server server("scalar-is-a-level");
  server.start();
  const std::string deep =
      R"({"patch":{"x":)" + std::string(98, '[') + "1" + std::string(98, ']') + "}}";
  EXPECT_EQ(server.send("POST", "/executions/e/ctx", deep).status, 422);
}

TEST(Liberties, PagesAreShortAndLeadOn) {
  Server server("short-pages");
  for (int run = 0; run < 31; ++run) server.send("POST", "/runs", "{}");
  const Value page = server.get("/runs?limit=100");
  EXPECT_EQ(page.find("runs")->as_list().size(), 30U);
  EXPECT_TRUE(page.find("next")->is_string());
}

TEST(Liberties, AnInferredCompletionIsSaidOnce) {
  Server server("inferred-once");
  server.start();
  server.post("playbook.completed", R"("payload":{})");
  server.send("POST", "/control/evict", R"({"execution_id":"e"})");
  EXPECT_EQ(*server.get("/executions/e/status").find("completion_inferred"), Value(true));
  EXPECT_EQ(*server.get("/executions/e/status").find("completion_inferred"), Value(false));
}

}  // namespace
}  // namespace assay::liberties
