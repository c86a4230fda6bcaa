#include <gtest/gtest.h>

#include <string>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

/// A driven execution x whose one step leads to another; the test plays the worker.
class Pausing : public ServiceTest {
 protected:
  Pausing() {
    post("/executions",
         R"({"execution_id":"x","playbook":)"
         R"({"workflow":[{"step":"a","next":{"arcs":[{"step":"b"}]}},{"step":"b"}]}})");
  }
  std::size_t count(const std::string& type, const std::string& more = "") {
    const Answer answer = get("/executions/x/events?limit=1000&event_type=" + type + more);
    return answer.body.find("events")->as_list().size();
  }
  void finish(const std::string& step) {
    const Answer answer = get("/executions/x/events?event_type=step.scheduled&entity_id=" + step);
    const std::string run = *answer.body.find("events")->as_list()[0].string_at("step_run_id");
    post("/executions/x/events",
         event("step.done", R"("source":"worker","step_run_id":")" + run + "\""));
  }
};

TEST_F(Pausing, KeepsTokensBackOnceAndSurvivesAnEvict) {
  const Answer paused = post("/executions/x/pause", R"({"reason":"maintenance"})");
  EXPECT_EQ(paused.status, 200);
  EXPECT_EQ(paused.text, R"({"execution_id":"x","state":"RUNNING"})");
  EXPECT_EQ(post("/executions/x/pause", "").status, 200);
  EXPECT_EQ(count("playbook.paused"), 1U);
  finish("a");
  EXPECT_EQ(count("step.scheduled"), 1U);
  post("/control/evict", R"({"execution_id":"x"})");
  EXPECT_EQ(state(), "\"RUNNING\"");
  EXPECT_EQ(count("step.scheduled"), 1U);
  EXPECT_EQ(post("/executions/x/resume", "").status, 200);
  EXPECT_EQ(post("/executions/x/resume", "").status, 200);
  EXPECT_EQ(count("step.scheduled", "&entity_id=b"), 1U);
  finish("b");
  EXPECT_EQ(state(), "\"COMPLETED\"");
  EXPECT_EQ(post("/executions/x/pause", "").status, 409);
  EXPECT_EQ(post("/executions/x/resume", "").at("/code"), "\"EXECUTION_ENDED\"");
}

TEST_F(Pausing, OfAReplayChangesNothing) {
  post("/executions", R"({"execution_id":"r"})");
  EXPECT_EQ(post("/executions/r/pause", "").status, 200);
  EXPECT_EQ(get("/executions/r/events").at("/events"), "[]");
  EXPECT_EQ(post("/executions/nobody/pause", "").status, 404);
}

TEST_F(Pausing, AReasonIsCappedAsAPayload) {
  const std::string reason = R"({"reason":")" + std::string(262'144, 'x') + "\"}";
  EXPECT_EQ(post("/executions/x/pause", reason).status, 413);
  EXPECT_EQ(post("/executions/x/cancel", reason).at("/code"), "\"EXTERNALISE_RESULT\"");
  EXPECT_EQ(state(), "\"RUNNING\"");
}

TEST_F(Pausing, PublishesEachStoredEventOnceInOrder) {
  post("/executions", R"({"execution_id":"r"})");
  const std::string stored = event(
      "task.done", R"("payload":{"result_ref":{"ref":"s3://x"},"extracted":{"n":1},"rows":[1,2]})");
  for (int time = 0; time < 2; ++time) post("/executions/r/events", stored);
  post("/executions/r/events", event("task.done", R"("payload":{"rows":[1]})"));
  const Answer all = get("/published?topic=noetl.events.task.done");
  ASSERT_EQ(all.body.find("messages")->as_list().size(), 2U) << all.text;
  EXPECT_EQ(all.at("/messages/0/subject"), "\"noetl.events.task.done\"");
  EXPECT_EQ(all.at("/messages/0/headers/execution_id"), "\"r\"");
  EXPECT_EQ(all.at("/messages/0/payload"),
            R"({"extracted":{"n":1},"result_ref":{"ref":"s3://x"}})");
  EXPECT_EQ(all.at("/messages/1/payload"), R"({"rows":[1]})");
  EXPECT_EQ(get("/published?topic=task.done").at("/messages"), "[]");
  // The events that a driven execution begins with are published, too.
  EXPECT_EQ(get("/published?limit=1").at("/messages/0/subject"),
            "\"noetl.events.playbook.execution.requested\"");
  const Answer first = get("/published?topic=noetl.events.task.done&limit=1");
  const std::string next = *first.body.string_at("next");
  EXPECT_EQ(get("/published?topic=noetl.events.task.done&limit=1&after=" + next).at("/next"),
            "null");
}

}  // namespace
}  // namespace assay::service
