// Rollback, conditions, a lock service without an answer, and executions that stand still.
#include <string>

#include "reference_impl/service/json_api_fixture.h"

namespace assay::service {
namespace {

class WorkflowTerms : public JsonApiTest {
 protected:
  WorkflowTerms() {
    send("POST", "/function-blocks", R"({"name":"pure","pure":true})");
    send("POST", "/function-blocks", R"({"name":"undoable","pure":false,"rollback":true})");
  }
  std::string start(const std::string& block, const std::string& more = "") {
    const Answer reply = send(
        "POST", "/workflow-execution",
        R"({"workflow":{"steps":[{"label":"s","functionBlock":")" + block + R"("}]})" + more + "}");
    EXPECT_EQ(reply.status, 201) << reply.text;
    return reply.body.string_at("uuid").value_or("");
  }
  Value poll() { return send("POST", "/blackboard/jobs/poll", R"({"worker":"w"})").body; }
  void finish_next(bool success) {
    send("POST", "/blackboard/jobs/" + poll().string_at("job_id").value_or("") + "/result",
         success ? R"({"success":true})" : R"({"success":false})");
  }
  Value at(const std::string& uuid, const std::string& pointer) {
    return get("/workflow-execution/id/" + uuid, pointer);
  }
};

TEST_F(WorkflowTerms, AnImpureFailureIsRolledBackWhereThatWasAsked) {
  const std::string uuid = start("undoable", R"(,"rollback":true)");
  finish_next(false);
  EXPECT_EQ(at(uuid, "/status"), Value("ROLLBACK"));
  EXPECT_EQ(at(uuid, "/outcome"), Value());
  const Value job = get("/blackboard/jobs?state=PENDING&uuid=" + uuid, "/jobs/0");
  EXPECT_EQ(*job.find("type"), Value("ROLLBACK"));
  finish_next(true);
  EXPECT_EQ(at(uuid, "/outcome"), Value("FAILED_SAFE"));
  const std::string other = start("undoable");
  finish_next(false);
  EXPECT_EQ(at(other, "/outcome"), Value("FAILED_UNSAFE"));
}

TEST_F(WorkflowTerms, ConditionsAreAwaited) {
  const std::string uuid = start("pure", R"(,"await":["approved"])");
  const std::string met = "/workflow-execution/" + uuid + "/conditions";
  EXPECT_EQ(at(uuid, "/status"), Value("BLOCKED_WAITING"));
  EXPECT_EQ(send("POST", met, R"({"met":["weather"]})").status, 422);
  EXPECT_EQ(send("POST", met, R"({"met":"approved"})").status, 422);
  EXPECT_EQ(at(uuid, "/status"), Value("BLOCKED_WAITING"));
  EXPECT_EQ(send("POST", met, R"({"met":["approved"]})").status, 200);
  EXPECT_EQ(at(uuid, "/status"), Value("RUNNING"));
  const Answer late = send("POST", met, R"({"met":["approved"]})");
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.body.string_at("code"), "NOT_WAITING");
  EXPECT_EQ(send("POST", "/workflow-execution/nobody/conditions", R"({"met":[]})").status, 404);
}

TEST_F(WorkflowTerms, AHoldIsLiftedByNull) {
  EXPECT_EQ(send("POST", "/control/lifecycle-hold", R"({"state":"valid"})").status, 200);
  const std::string uuid = start("pure");
  EXPECT_EQ(at(uuid, "/status"), Value("VALID"));
  EXPECT_EQ(send("POST", "/control/lifecycle-hold", R"({"state":"GONE"})").status, 422);
  EXPECT_EQ(send("POST", "/control/lifecycle-hold", R"({"state":null})").status, 200);
  EXPECT_EQ(at(uuid, "/status"), Value("RUNNING"));
}

TEST_F(WorkflowTerms, TheLockServiceHasTwoWaysToBeDown) {
  EXPECT_EQ(send("POST", "/control/lock-service", R"({"available":false,"mode":"slow"})").status,
            422);
  send("POST", "/control/lock-service", R"({"available":false,"mode":"hang"})");
  const Answer reply = send("POST", "/workflow-execution",
                            R"({"workflow":{"steps":[{"label":"s","functionBlock":"pure",)"
                            R"("acquire":["d1"]}]}})");
  const std::string uuid = reply.body.string_at("uuid").value_or("");
  finish_next(true);
  EXPECT_EQ(at(uuid, "/status"), Value("LOCKING"));
  send("POST", "/control/lock-service", R"({"available":true})");
  EXPECT_EQ(at(uuid, "/status"), Value("RUNNING"));
}

}  // namespace
}  // namespace assay::service
