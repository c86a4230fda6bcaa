// What the liberties of tokens, pauses, playbooks, lists and workflow executions do.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference_impl/liberties/catalogue.h"
#include "reference_impl/service/json_codec.h"

namespace assay::liberties {
namespace {

class StoppedClock final : public service::Clock {
 public:
  [[nodiscard]] std::int64_t now() override { return 1'767'225'600'000'000'000; }
};

/// A service that takes one liberty.
class Choosing {
 public:
  explicit Choosing(std::string_view id) {
    service::ServiceOptions options;
    options.clock = std::make_shared<StoppedClock>();
    const std::vector<const Liberty*> taken = {find_liberty(id)};
    service_ = make_free(taken, std::move(options));
  }

  service::Reply send(const std::string& method, const std::string& target,
                      const std::string& body = "") {
    return service_->handle({method, target, {{"Content-Type", "application/json"}}, body});
  }
  Value post(const std::string& target, const std::string& body = "{}") {
    return read(send("POST", target, body));
  }
  Value get(const std::string& target) { return read(send("GET", target)); }

  /// Starts the driven execution "e" of this workflow.
  void drive(const std::string& workflow, const std::string& more = "") {
    const std::string body =
        R"({"execution_id":"e","playbook":{"workflow":)" + workflow + more + "}}";
    const service::Reply reply = send("POST", "/executions", body);
    EXPECT_EQ(reply.status, 201) << reply.body;
  }
  void event(const std::string& more) {
    const std::string body = R"({"event_id":"e)" + std::to_string(++posted_) +
                             R"(","timestamp":"2026-01-01T00:00:00Z",)" + more + "}";
    const service::Reply reply = send("POST", "/executions/e/events", body);
    EXPECT_EQ(reply.status, 201) << reply.body;
  }
  /// The step_run_id of the newest step.scheduled about the step.
  std::string run_of(const std::string& step) {
    const Value page = get("/executions/e/events?event_type=step.scheduled&entity_id=" + step);
    const List& events = page.find("events")->as_list();
    return events.empty() ? "" : events.back().string_at("step_run_id").value_or("");
  }
  void done(const std::string& step, const std::string& payload = "{}") {
    event(R"("event_type":"step.done","step_run_id":")" + run_of(step) + R"(","payload":)" +
          payload);
  }
  /// How many events of that type the log has.
  std::size_t count(const std::string& type) {
    return get("/executions/e/events?limit=1000&event_type=" + type)
        .find("events")
        ->as_list()
        .size();
  }
  std::string state() { return *get("/executions/e/status").string_at("state"); }

 private:
  static Value read(const service::Reply& reply) {
    auto read = service::parse_json(reply.body);
    return read ? *std::move(read) : Value();
  }

  std::unique_ptr<service::Service> service_;
  int posted_ = 0;
};

constexpr const char* fork =
    R"([{"step":"a","next":{"spec":{"mode":"inclusive"},"arcs":[{"step":"b"},{"step":"c"}]}},)"
    R"({"step":"b"},{"step":"c"}])";
constexpr const char* gated =
    R"([{"step":"a","spec":{"policy":{"admit":{"rules":[{"when":"{{ ctx.open }}",)"
    R"("then":{"allow":true}}]}}}}])";

TEST(Choices, TokensAreAdmittedFromTheLastArc) {
  Choosing server("tokens-in-reverse");
  server.drive(fork);
  server.done("a");
  const Value page = server.get("/executions/e/events?event_type=step.scheduled");
  EXPECT_EQ(*page.at_pointer("/events/1/entity_id"), Value("c"));
}

TEST(Choices, APatchThatChangesNothingAsksAgain) {
  Choosing server("every-patch-asks-again");
  server.drive(gated);
  const std::size_t asked = server.count("policy.admit.evaluated");
  server.post("/executions/e/ctx", R"({"patch":{}})");
  EXPECT_EQ(server.count("policy.admit.evaluated"), asked + 1);
}

TEST(Choices, PausedStandsWhereEveryTokenWaits) {
  Choosing server("paused-at-gates");
  server.drive(gated);
  EXPECT_EQ(server.count("playbook.paused"), 1U);
  server.post("/executions/e/ctx", R"({"patch":{"open":true}})");
  EXPECT_EQ(server.count("playbook.paused"), 1U);
  EXPECT_NE(server.run_of("a"), "");
}

TEST(Choices, APendingTokenHasNoStepRun) {
  Choosing server("run-id-at-scheduling");
  server.drive(gated);
  EXPECT_TRUE(server.get("/executions/e/marking").at_pointer("/tokens/0/step_run_id")->is_null());
}

TEST(Choices, CtxOfAnIterationStaysOut) {
  Choosing server("iteration-ctx-stays-out");
  server.drive(R"([{"step":"a","loop":{"in":"{{ [1] }}","iterator":"i"}}])");
  server.event(R"("event_type":"loop.iteration.done","iteration":0,"step_run_id":")" +
               server.run_of("a") + R"(","payload":{"ctx":{"x":1}})");
  EXPECT_EQ(server.get("/executions/e/variables").at_pointer("/ctx/x"), nullptr);
}

TEST(Choices, ArgsOfTheFirstArrivalStand) {
  Choosing server("first-arrival-wins");
  server.drive(
      R"([{"step":"a","next":{"spec":{"mode":"inclusive"},"arcs":[{"step":"b"},{"step":"c"}]}},)"
      R"({"step":"b","next":{"arcs":[{"step":"d","args":{"x":"b"}}]}},)"
      R"({"step":"c","next":{"arcs":[{"step":"d","args":{"x":"c"}}]}},{"step":"d"}])",
      R"(,"executor":{"spec":{"fan_in":"wait_all"}})");
  server.done("a");
  server.done("b");
  server.done("c");
  const Value page = server.get("/executions/e/events?event_type=step.scheduled&entity_id=d");
  EXPECT_EQ(*page.at_pointer("/events/0/payload/args/x"), Value("b"));
}

TEST(Choices, CountsAreOfSteps) {
  Choosing server("counts-of-steps-not-runs");
  server.drive(
      R"([{"step":"a","next":{"arcs":[{"step":"a","when":"{{ output.again }}"}]}},{"step":"z"}])",
      R"(,"executor":{"spec":{"final_step":"z"}})");
  server.done("a", R"({"outcome":{"again":true}})");
  server.done("a");
  const Value page = server.get("/executions/e/events?event_type=step.scheduled&entity_id=z");
  EXPECT_EQ(*page.at_pointer("/events/0/payload/args/counts/steps_done"), Value(1));
}

TEST(Choices, NoRuleIsNoMember) {
  Choosing server("rule-left-out");
  server.drive(R"([{"step":"a"}])");
  const Value page = server.get("/executions/e/events?event_type=policy.admit.evaluated");
  EXPECT_NE(page.at_pointer("/events/0/payload/allow"), nullptr);
  EXPECT_EQ(page.at_pointer("/events/0/payload/rule"), nullptr);
}

TEST(Choices, AnExecutionMayEndDuringAPause) {
  Choosing server("ends-during-a-pause");
  server.drive(R"([{"step":"a"}])");
  server.post("/executions/e/pause");
  server.done("a");
  EXPECT_EQ(server.state(), "COMPLETED");
}

TEST(Choices, AdmissionMayBeAskedDuringAPauseAndNothingIsScheduled) {
  Choosing server("admission-during-a-pause");
  server.drive(fork);
  server.post("/executions/e/pause");
  server.done("a");
  EXPECT_EQ(server.count("policy.admit.evaluated"), 3U);
  EXPECT_EQ(server.count("step.scheduled"), 1U);
  server.post("/executions/e/resume");
  EXPECT_EQ(server.count("policy.admit.evaluated"), 3U);
  EXPECT_EQ(server.count("step.scheduled"), 3U);
}

TEST(Choices, AReplaysPauseStandsInItsLogOnce) {
  Choosing server("paused-replays");
  server.post("/executions", R"({"execution_id":"e"})");
  server.post("/executions/e/pause");
  server.post("/executions/e/pause");
  EXPECT_EQ(server.count("playbook.paused"), 1U);
}

TEST(Choices, ALongSummaryFails) {
  Choosing server("long-summary-fails");
  server.drive(R"([{"step":"a"},{"step":"z"}])", R"(,"executor":{"spec":{"final_step":"z"}})");
  server.done("a", R"({"result_ref":")" + std::string(66'000, 'r') + "\"}");
  EXPECT_EQ(server.state(), "FAILED");
}

constexpr const char* unreadable_args =
    R"([{"step":"a","next":{"arcs":[{"step":"b","args":{"x":"{{ 1 + }}"}}]}},{"step":"b"}])";

TEST(Choices, ArgsThatDoNotParseFailWhereTheyAreReached) {
  Choosing server("args-parse-late");
  server.drive(unreadable_args);
  EXPECT_EQ(server.state(), "RUNNING");
  server.done("a");
  EXPECT_EQ(server.state(), "FAILED");
}

TEST(Choices, ArgsThatDoNotParseAreRefused) {
  Choosing server("args-parse-at-creation");
  const service::Reply reply = server.send(
      "POST", "/executions", std::string(R"({"playbook":{"workflow":)") + unreadable_args + "}}");
  EXPECT_EQ(reply.status, 422);
  EXPECT_NE(reply.body.find("/playbook/workflow/0/next/arcs/0/args/x"), std::string::npos);
}

TEST(Choices, LargeArgsWithAnExpressionAreRefusedAtCreation) {
  Choosing server("args-capped-at-creation");
  const std::string args = R"({"x":")" + std::string(66'000, 'x') + R"(","y":"{{ ctx.y }}"})";
  const service::Reply reply =
      server.send("POST", "/executions",
                  R"({"playbook":{"workflow":[{"step":"a","next":{"arcs":[{"step":"a","args":)" +
                      args + "}]}}]}}");
  EXPECT_EQ(reply.status, 422);
  EXPECT_NE(reply.body.find("/playbook/workflow/0/next/arcs/0/args"), std::string::npos);
}

TEST(Choices, IdsMayHoldC1AndComeBackAsTheyWere) {
  Choosing server("c1-in-ids");
  const std::string id = "a\xC2\x85z";
  EXPECT_EQ(*server.post("/runs", "{\"run_id\":\"" + id + "\"}").string_at("run_id"), id);
  EXPECT_EQ(*server.get("/runs/a%C2%85z").string_at("run_id"), id);
  EXPECT_EQ(*server.post("/runs", R"({"run_id":"b\u0085"})").string_at("run_id"), "b\xC2\x85");
}

TEST(Choices, HugeNumbersAreKeptAsValues) {
  Choosing server("huge-numbers");
  server.post("/executions", R"({"execution_id":"e"})");
  const std::string huge = R"("event_type":"task.done","payload":{"x":)";
  server.event(huge + "1e400}");
  EXPECT_NE(server.send("GET", "/executions/e/events").body.find(R"("x":1e400)"),
            std::string::npos);
  const std::string again = R"({"event_id":"e1","timestamp":"2026-01-01T00:00:00Z",)" + huge;
  EXPECT_EQ(server.send("POST", "/executions/e/events", again + "10e399}}").status, 200);
  EXPECT_EQ(server.send("POST", "/executions/e/events", again + "1e401}}").status, 409);
}

TEST(Choices, AFullPageHasANextThatGoesOnWithWhatCameMeanwhile) {
  Choosing server("next-on-full-page");
  for (const char* id : {"a", "b"}) {
    server.post("/runs", std::string(R"({"run_id":")") + id + "\"}");
  }
  const std::string next = *server.get("/runs?limit=2").string_at("next");
  const Value empty = server.get("/runs?limit=5&after=" + next);
  EXPECT_TRUE(empty.find("runs")->as_list().empty());
  EXPECT_TRUE(empty.find("next")->is_null());
  server.post("/runs", R"({"run_id":"c"})");
  const Value more = server.get("/runs?limit=5&after=" + next);
  ASSERT_EQ(more.find("runs")->as_list().size(), 1U);
  EXPECT_EQ(*more.at_pointer("/runs/0/run_id"), Value("c"));
  EXPECT_EQ(server.send("GET", "/executions?after=" + next).status, 422);
}

TEST(Choices, ATopicMayBeAPattern) {
  Choosing server("topic-patterns");
  server.post("/executions", R"({"execution_id":"e"})");
  server.event(R"("event_type":"step.enter","node_name":"a")");
  server.event(R"("event_type":"task.done")");
  EXPECT_EQ(server.get("/published?topic=noetl.events.step.*").find("messages")->as_list().size(),
            1U);
  EXPECT_EQ(server.get("/published?topic=noetl.%3E").find("messages")->as_list().size(), 2U);
}

TEST(Choices, ATopicThatCannotBeDecodedIsTheServicesToRefuse) {
  Choosing server("topic-patterns");
  EXPECT_EQ(server.send("GET", "/runs?topic=%zz").status, 200) << "no parameter of this route";
  EXPECT_EQ(server.send("GET", "/published?topic=%zz").status, 422);
}

TEST(Choices, HeadIsNoMethod) {
  Choosing server("head-refused");
  EXPECT_EQ(server.send("HEAD", "/runs").status, 405);
  EXPECT_EQ(server.send("HEAD", "/nowhere").status, 404);
}

TEST(Choices, ALongReasonIs422) {
  Choosing server("long-reason-is-422");
  server.post("/executions", R"({"execution_id":"e"})");
  EXPECT_EQ(server
                .send("POST", "/executions/e/cancel",
                      R"({"reason":")" + std::string(262'200, 'r') + "\"}")
                .status,
            422);
}

TEST(Choices, HeadersAreInLowerCase) {
  Choosing server("lower-case-headers");
  const service::Reply reply = server.send("GET", "/runs");
  ASSERT_EQ(reply.headers.size(), 1U);
  EXPECT_EQ(reply.headers.front().name, "content-type");
}

TEST(Choices, CodesStayThroughATransitionThatGivesNone) {
  Choosing server("codes-stay");
  server.post("/runs", R"({"run_id":"r"})");
  server.post("/runs/r/transitions", R"({"to":"running","error_code":"E1"})");
  server.post("/runs/r/transitions", R"({"to":"waiting"})");
  EXPECT_EQ(*server.get("/runs/r").find("error_code"), Value("E1"));
}

/// Workflow executions of one step whose impure block "b" acquires "declared".
class ChoosingWorkflows : public Choosing {
 public:
  explicit ChoosingWorkflows(std::string_view id, const std::string& block = "") : Choosing(id) {
    post("/function-blocks", R"({"name":"b","pure":false,"acquires":["declared"])" + block + "}");
  }
  std::string start(const std::string& more = "") {
    return *post("/workflow-execution",
                 R"({"workflow":{"steps":[{"label":"one","functionBlock":"b"}]})" + more + "}")
                .string_at("uuid");
  }
  std::string poll() {
    return post("/blackboard/jobs/poll", R"({"worker":"w"})").string_at("job_id").value_or("");
  }
  int push(const std::string& job, const std::string& result) {
    return send("POST", "/blackboard/jobs/" + job + "/result", result).status;
  }
  std::string status(const std::string& uuid) {
    return *get("/workflow-execution/id/" + uuid).string_at("status");
  }
};

TEST(Choices, ReportedEntitiesReplaceTheDeclaredOnes) {
  ChoosingWorkflows server("reported-entities-only");
  const std::string uuid = server.start();
  server.push(server.poll(), R"({"success":true,"entities":["found"]})");
  EXPECT_EQ(*server.get("/workflow-execution/id/" + uuid).find("entities"), Value(List{"found"}));
}

TEST(Choices, APollGivesTheNewestJob) {
  ChoosingWorkflows server("newest-job-first");
  server.start();
  const std::string second = server.start();
  EXPECT_EQ(*server.post("/blackboard/jobs/poll", R"({"worker":"w"})").string_at("uuid"), second);
}

TEST(Choices, ALateResultMayLeaveItsJobPolledOrBeHidden) {
  for (const auto& [liberty, state] : {std::pair("late-result-leaves-polled", "POLLED"),
                                       std::pair("late-result-hidden", "PUSHED")}) {
    ChoosingWorkflows server(liberty);
    const std::string uuid = server.start();
    const std::string job = server.poll();
    server.send("DELETE", "/workflow-execution/" + uuid);
    EXPECT_EQ(server.push(job, R"({"success":true})"), 200);
    const Value jobs = server.get("/blackboard/jobs?uuid=" + uuid);
    EXPECT_EQ(*jobs.at_pointer("/jobs/0/state"), Value(state));
    EXPECT_TRUE(jobs.at_pointer("/jobs/0/result")->is_null());
  }
}

TEST(Choices, WhatCannotBeUndoneMayPassRollback) {
  ChoosingWorkflows server("undo-missing-passes-rollback");
  const std::string uuid = server.start(R"(,"rollback":true)");
  server.push(server.poll(), R"({"success":true})");
  server.push(server.poll(), R"({"success":false})");
  EXPECT_EQ(server.status(uuid), "FAILED_UNSAFE");
  EXPECT_NE(server.send("GET", "/workflow-execution/id/" + uuid).body.find("\"ROLLBACK\""),
            std::string::npos);
}

TEST(Choices, AHangingLockServiceMayHoldNothing) {
  ChoosingWorkflows server("hang-frees-entities");
  server.post("/control/lock-service", R"({"available":false,"mode":"hang"})");
  const std::string first = server.start();
  const std::string second = server.start();
  server.push(server.poll(), R"({"success":true})");
  server.push(server.poll(), R"({"success":true})");
  EXPECT_EQ(server.status(first), "LOCKING");
  EXPECT_EQ(server.status(second), "LOCKING");
  server.post("/control/lock-service", R"({"available":true})");
  EXPECT_EQ(server.status(first), "RUNNING");
  EXPECT_EQ(server.status(second), "LOCKING");
}

TEST(Choices, AMovedHoldMayLetGo) {
  ChoosingWorkflows server("moved-hold-lets-go");
  server.post("/control/lifecycle-hold", R"({"state":"VALID"})");
  const std::string uuid = server.start();
  EXPECT_EQ(server.status(uuid), "VALID");
  server.post("/control/lifecycle-hold", R"({"state":"LOCKED"})");
  EXPECT_EQ(server.status(uuid), "RESOURCE_DISCOVERY");
}

}  // namespace
}  // namespace assay::liberties
