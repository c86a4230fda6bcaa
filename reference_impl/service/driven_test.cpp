#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

/// Driven executions; the test plays the worker.
class Driven : public ServiceTest {
 protected:
  void drive(const std::string& playbook, const std::string& more = "") {
    const Answer answer =
        post("/executions", R"({"execution_id":"x","playbook":)" + playbook + more + "}");
    ASSERT_EQ(answer.status, 201) << answer.text;
  }
  /// The step_run_id of the newest step.scheduled of that step.
  std::string run_of(const std::string& step) {
    const Answer answer =
        get("/executions/x/events?limit=1000&event_type=step.scheduled&entity_id=" + step);
    const List& events = answer.body.find("events")->as_list();
    return events.empty() ? "none" : *events.back().string_at("step_run_id");
  }
  Answer work(const std::string& type, const std::string& run, const std::string& more = "") {
    return post("/executions/x/events", event(type, R"("source":"worker","step_run_id":")" + run +
                                                        "\"" + (more.empty() ? "" : ",") + more));
  }
  void play(const std::string& step, const std::string& more = "") {
    const std::string run = run_of(step);
    ASSERT_EQ(work("step.started", run).status, 201);
    ASSERT_EQ(work("step.done", run, more).status, 201);
  }
  std::string types() {
    std::string joined;
    const Answer answer = get("/executions/x/events?limit=1000");
    for (const Value& one : answer.body.find("events")->as_list()) {
      joined += *one.string_at("event_type") + " ";
    }
    return joined;
  }

  const std::string two_steps_ =
      R"({"workflow":[{"step":"a","next":{"arcs":[{"step":"b"}]}},{"step":"b"}]})";
};

TEST_F(Driven, TheServerStartsAndRoutes) {
  drive(two_steps_);
  EXPECT_EQ(
      types(),
      "playbook.execution.requested playbook.request.evaluated playbook.started workflow.started "
      "policy.admit.evaluated step.scheduled ");
  EXPECT_EQ(state(), "\"RUNNING\"");
  EXPECT_EQ(get("/executions/x").at("/vocabulary"), "\"v10\"");
  play("a");
  play("b");
  EXPECT_EQ(
      types(),
      "playbook.execution.requested playbook.request.evaluated playbook.started workflow.started "
      "policy.admit.evaluated step.scheduled step.started step.done next.evaluated "
      "policy.admit.evaluated step.scheduled step.started step.done "
      "workflow.finished playbook.finished playbook.processed ");
  EXPECT_EQ(get("/executions/x/status").at("/terminal_event"), "\"playbook.finished\"");
  EXPECT_EQ(state(), "\"COMPLETED\"");
  const Answer detail = get("/executions/x");
  EXPECT_EQ(detail.at("/outcome"), "\"success\"");
  EXPECT_EQ(detail.at("/workflow_state"), "\"COMPLETED\"");
  EXPECT_EQ(detail.at("/anomalies"), "[]");
  EXPECT_EQ(detail.at("/steps"),
            R"([{"state":"COMPLETED","step":"a"},{"state":"COMPLETED","step":"b"}])");
}

TEST_F(Driven, ServerEventsAreWholeEvents) {
  drive(two_steps_);
  const Answer answer = get("/executions/x/events?event_type=step.scheduled");
  EXPECT_EQ(answer.at("/events/0/source"), "\"server\"");
  EXPECT_EQ(answer.at("/events/0/entity_type"), "\"step\"");
  EXPECT_EQ(answer.at("/events/0/entity_id"), "\"a\"");
  EXPECT_EQ(answer.at("/events/0/execution_id"), "\"x\"");
  EXPECT_EQ(answer.at("/events/0/timestamp"), "\"2026-03-01T00:00:00Z\"");
  EXPECT_EQ(answer.at("/events/0/payload/args"), "{}");
  EXPECT_NE(answer.at("/events/0/event_id"), "absent");
}

TEST_F(Driven, StatusMatrixNamesItsLifecycleEvents) {
  drive(two_steps_, R"(,"vocabulary":"status-matrix")");
  play("a");
  play("b");
  EXPECT_EQ(get("/executions/x/status").at("/terminal_event"), "\"playbook.completed\"");
  EXPECT_NE(types().find("playbook.initialized workflow.initialized "), std::string::npos);
  EXPECT_EQ(types().find("playbook.started"), std::string::npos);
  EXPECT_EQ(get("/executions/x").at("/workflow_state"), "\"COMPLETED\"");
}

TEST_F(Driven, MarkingShowsTheTokens) {
  drive(two_steps_);
  const std::string run = run_of("a");
  EXPECT_EQ(get("/executions/x/marking").text,
            R"({"fan_in":[],"in_flight":[],"tokens":[{"args":{},"status":"scheduled","step":"a",)"
            R"("step_run_id":")" +
                run + R"("}]})");
  work("step.started", run);
  const std::string token =
      R"({"args":{},"status":"running","step":"a","step_run_id":")" + run + R"("})";
  EXPECT_EQ(get("/executions/x/marking").text,
            R"({"fan_in":[],"in_flight":[)" + token + R"(],"tokens":[)" + token + "]}");
  work("step.done", run);
  play("b");
  EXPECT_EQ(get("/executions/x/marking").text, R"({"fan_in":[],"in_flight":[],"tokens":[]})");
}

TEST_F(Driven, WorkersStartNoSteps) {
  drive(two_steps_);
  const std::string before = types();
  for (const char* type : {"step.started", "step.done", "step.failed"}) {
    const Answer answer = work(type, "nowhere");
    EXPECT_EQ(answer.status, 409) << type;
    EXPECT_EQ(answer.at("/code"), "\"STEP_NOT_SCHEDULED\"") << type;
  }
  EXPECT_EQ(post("/executions/x/events", event("step.started")).status, 409);
  EXPECT_EQ(types(), before);
}

TEST_F(Driven, ServerEventsFromAClientAreRefused) {
  drive(two_steps_);
  const std::string before = types();
  for (const char* type :
       {"playbook.started", "playbook.finished", "workflow.started", "step.scheduled",
        "next.evaluated", "policy.admit.evaluated", "loop.done", "execution.cancelled",
        "playbook.paused", "playbook.completed"}) {
    const Answer answer = work(type, run_of("a"));
    EXPECT_EQ(answer.status, 409) << type;
    EXPECT_EQ(answer.at("/code"), "\"SERVER_EVENT\"") << type;
  }
  EXPECT_EQ(types(), before);
  EXPECT_EQ(state(), "\"RUNNING\"");
}

TEST_F(Driven, ASecondOutcomeIsAnAnomalyAndRoutesNothing) {
  drive(two_steps_);
  const std::string run = run_of("a");
  work("step.started", run);
  const std::string outcome = event("step.done", R"("step_run_id":")" + run + "\"");
  EXPECT_EQ(post("/executions/x/events", outcome).status, 201);
  EXPECT_EQ(post("/executions/x/events", outcome).status, 200);
  EXPECT_EQ(get("/executions/x").at("/anomalies"), "[]");
  EXPECT_EQ(work("step.failed", run).status, 201);
  EXPECT_EQ(work("step.done", run).status, 201);
  EXPECT_EQ(work("step.started", run).status, 201);
  EXPECT_EQ(get("/executions/x").body.find("anomalies")->as_list().size(), 3U);
  const Answer scheduled = get("/executions/x/events?event_type=step.scheduled&entity_id=b");
  EXPECT_EQ(scheduled.body.find("events")->as_list().size(), 1U);
}

TEST_F(Driven, OutcomeAndCtxAreSeenByGuards) {
  drive(
      R"({"workload":{"n":1},"workflow":[)"
      R"({"step":"a","next":{"arcs":[{"step":"b","when":"{{ output.ok and ctx.k == 2 and n == 5 }}"},)"
      R"({"step":"c"}]}},{"step":"b"},{"step":"c"}]})",
      R"(,"workload":{"n":5})");
  play("a", R"("payload":{"outcome":{"ok":true},"ctx":{"k":2}})");
  EXPECT_NE(run_of("b"), "none");
  EXPECT_EQ(run_of("c"), "none");
  EXPECT_EQ(get("/executions/x/variables").text, R"({"ctx":{"k":2},"workload":{"n":5}})");
}

TEST_F(Driven, ACtxPatchAdmitsWaitingTokens) {
  drive(
      R"({"workflow":[{"step":"a","spec":{"policy":{"admit":{"rules":[)"
      R"({"when":"{{ ctx.open }}","then":{"allow":true}},{"else":{"then":{"allow":false}}}]}}}}]})");
  EXPECT_EQ(run_of("a"), "none");
  EXPECT_EQ(get("/executions/x/marking").at("/tokens/0/status"), "\"pending\"");
  EXPECT_EQ(post("/executions/x/ctx", R"({"patch":{"open":true}})").status, 200);
  EXPECT_NE(run_of("a"), "none");
}

TEST_F(Driven, CancelEndsItAndLateOutcomesRouteNothing) {
  drive(two_steps_);
  const std::string run = run_of("a");
  work("step.started", run);
  EXPECT_EQ(post("/executions/x/cancel").at("/state"), "\"CANCELLED\"");
  EXPECT_EQ(get("/executions/x/marking").text, R"({"fan_in":[],"in_flight":[],"tokens":[]})");
  EXPECT_EQ(work("step.done", run).status, 201);
  EXPECT_EQ(run_of("b"), "none");
  EXPECT_EQ(state(), "\"CANCELLED\"");
  EXPECT_EQ(types().find("playbook.finished"), std::string::npos);
}

TEST_F(Driven, AnEvictedNetIsRebuiltFromTheLogAndTheJournal) {
  drive(
      R"({"workflow":[{"step":"a","next":{"arcs":[{"step":"b"}]}},{"step":"b",)"
      R"("spec":{"policy":{"admit":{"rules":[{"when":"{{ ctx.open }}","then":{"allow":true}}]}}},)"
      R"("next":{"arcs":[{"step":"c"}]}},{"step":"c"}]})");
  const auto evict = [this] {
    const std::string before =
        get("/executions/x/marking").text + get("/executions/x/variables").text;
    ASSERT_EQ(post("/control/evict", R"({"execution_id":"x"})").status, 200);
    EXPECT_EQ(get("/executions/x/marking").text + get("/executions/x/variables").text, before);
  };
  evict();
  play("a", R"("payload":{"ctx":{"k":1}})");
  evict();
  post("/executions/x/ctx", R"({"patch":{"open":true}})");
  evict();
  ASSERT_EQ(post("/control/evict", R"({"execution_id":"x"})").status, 200);
  play("b");
  evict();
  work("step.started", run_of("c"));
  evict();
  post("/executions/x/cancel");
  evict();
  EXPECT_EQ(get("/executions/x/status").at("/completion_inferred"), "true");
  EXPECT_EQ(work("step.done", run_of("c")).status, 201);
}

TEST_F(Driven, ABatchIsAllOrNothingForTheNetToo) {
  drive(two_steps_);
  const std::string run = R"("step_run_id":")" + run_of("a") + "\"";
  const std::string before = types();
  const Answer refused =
      post("/executions/x/events/batch",
           R"({"events":[)" + event("step.started", run) + "," + event("step.done", run) + "," +
               event("step.done", R"("step_run_id":"nowhere")") + "]}");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.at("/pointer"), "\"/events/2\"");
  EXPECT_EQ(types(), before);
  EXPECT_EQ(get("/executions/x/marking").at("/tokens/0/status"), "\"scheduled\"");
  const Answer taken = post("/executions/x/events/batch",
                            R"({"events":[)" + event("step.started", run) + "," +
                                event("step.done", run) + "," + event("task.done") + "]}");
  EXPECT_EQ(taken.status, 201);
  EXPECT_EQ(taken.at("/results/0/seq"), "7");
  EXPECT_EQ(taken.at("/results/1/seq"), "8");
  EXPECT_EQ(taken.at("/results/2/seq"),
            "12");  // after next.evaluated, policy.admit, step.scheduled
  EXPECT_EQ(get("/executions/x/events?event_type=task.done").at("/events/0/seq"), "12");
  EXPECT_NE(run_of("b"), "none");
}

TEST_F(Driven, APartialEndIsCompleted) {
  drive(R"({"executor":{"spec":{"status_policy":"allow_partial"}},"workflow":[{"step":"a"}]})");
  const std::string run = run_of("a");
  work("step.started", run);
  work("step.failed", run);
  EXPECT_EQ(state(), "\"COMPLETED\"");
  EXPECT_EQ(get("/executions/x").at("/outcome"), "\"partial\"");
}

TEST_F(Driven, PlaybooksMayBeYaml) {
  drive(
      R"("apiVersion: noetl.io/v10\nworkflow:\n  - step: a\n    next:\n      arcs:\n        - step: b\n  - step: b\n")");
  play("a");
  play("b");
  EXPECT_EQ(state(), "\"COMPLETED\"");
}

TEST_F(Driven, BadPlaybooksAreRefusedWithTheirPlace) {
  const std::string deep_yaml = "\"" + std::string(5'000, '[') + std::string(5'000, ']') + "\"";
  const std::pair<std::string, std::string> cases[] = {
      {"7", "\"/playbook\""},
      {"[]", "\"/playbook\""},
      {"{}", "\"/playbook/workflow\""},
      {R"({"workflow":[]})", "\"/playbook/workflow\""},
      {R"({"workflow":[{"step":"a"},{"step":"a"}]})", "\"/playbook/workflow/1/step\""},
      {R"({"workflow":[{"step":"a","next":{"arcs":[{"step":"z"}]}}]})",
       "\"/playbook/workflow/0/next/arcs/0/step\""},
      {R"({"workflow":[{"step":"a","next":{"arcs":[{"step":"a","when":"{{ 1 + }}"}]}}]})",
       "\"/playbook/workflow/0/next/arcs/0/when\""},
      {R"("workflow:\n  - step: a\n  - step: a\n")", "\"/playbook/workflow/1/step\""},
      {R"("workflow: [\n")", "\"/playbook\""},
      {R"("just text")", "\"/playbook\""},
      {deep_yaml, "\"/playbook\""},
      {"\"" + std::string(10'000'000, 'x') + "\"", "\"/playbook\""},
  };
  for (const auto& [playbook, pointer] : cases) {
    const Answer answer =
        post("/executions", R"({"execution_id":"x","playbook":)" + playbook + "}");
    EXPECT_EQ(answer.status, 422) << playbook.substr(0, 100);
    EXPECT_EQ(answer.at("/code"), "\"INVALID_PLAYBOOK\"") << playbook.substr(0, 100);
    EXPECT_EQ(answer.at("/pointer"), pointer) << playbook.substr(0, 100);
  }
  EXPECT_EQ(get("/executions/x").status, 404);
}

TEST_F(Driven, AFaultOfYamlIsToldInUtf8) {
  // yaml-cpp quotes the byte after the backslash: half of what stands there.
  const Answer answer = post("/executions", R"({"playbook":"\"\\é\""})");
  EXPECT_EQ(answer.status, 422);
  EXPECT_TRUE(is_utf8(answer.text)) << answer.text;
}

TEST_F(Driven, AFaultOfYamlNamesItsLine) {
  const Answer answer =
      post("/executions", R"({"playbook":"workflow:\n  - step: a\n  - step: a\n"})");
  EXPECT_NE(answer.at("/detail").find("line 3"), std::string::npos) << answer.text;
}

TEST_F(Driven, ANullPlaybookMakesAReplay) {
  drive("null");
  EXPECT_EQ(types(), "");
  EXPECT_EQ(state(), "\"PENDING\"");
}

TEST_F(Driven, ALoopsWorkerPostsItsIterations) {
  drive(R"({"workflow":[{"step":"a","loop":{"in":"{{ workload.items }}","iterator":"item",)"
        R"("spec":{"mode":"parallel"}}}]})",
        R"(,"workload":{"items":[1,2]})");
  const std::string run = run_of("a");
  work("step.started", run);
  for (const char* iteration : {"0", "1"}) {
    const std::string number = std::string(R"("iteration":)") + iteration;
    EXPECT_EQ(work("loop.iteration.started", run, number).status, 201);
    EXPECT_EQ(work("loop.iteration.done", run, number).status, 201);
  }
  EXPECT_EQ(state(), "\"COMPLETED\"");
  EXPECT_EQ(get("/executions/x").at("/anomalies"), "[]");
}

}  // namespace
}  // namespace assay::service
