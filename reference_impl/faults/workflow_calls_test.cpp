#include "reference_impl/faults/workflow_calls.h"

#include "reference_impl/faults/faulty_service.h"

namespace assay::faults {
namespace {

class WorkflowCalls : public FaultyService {
 protected:
  /// A server with the fault, on which one execution of these steps was started.
  void run(std::string_view fault, const std::string& steps) {
    start(fault);
    post("/function-blocks", R"({"name":"pure","pure":true})");
    post("/function-blocks", R"({"name":"impure","pure":false})");
    const service::Reply started =
        post("/workflow-execution", R"({"workflow":{"name":"w","steps":[)" + steps + "]}}");
    ASSERT_EQ(started.status, 201) << started.body;
    const std::string uuid = at(started, "/uuid");
    path_ = "/workflow-execution/id/" + uuid.substr(1, uuid.size() - 2);
    uuid_ = uuid.substr(1, uuid.size() - 2);
  }
  std::string poll() {
    const std::string id = at(post("/blackboard/jobs/poll", R"({"worker":"w"})"), "/job_id");
    return id == "absent" ? "" : id.substr(1, id.size() - 2);
  }
  int push(const std::string& job, bool success) {
    return post("/blackboard/jobs/" + job + "/result",
                std::string(R"({"success":)") + (success ? "true}" : "false}"))
        .status;
  }
  std::string status() { return get(path_, "/status"); }
  service::Reply abort() { return send("DELETE", "/workflow-execution/" + uuid_); }

  const std::string pure_ = R"({"label":"a","functionBlock":"pure"})";
  const std::string impure_ = R"({"label":"a","functionBlock":"impure"})";
  std::string path_;
  std::string uuid_;
};

TEST_F(WorkflowCalls, AStateIsPassedUnseen) {
  run("omits-valid", pure_);
  EXPECT_EQ(get(path_, "/history/1/status"), "\"READY\"");
  run("omits-running", pure_);
  EXPECT_EQ(status(), "\"LOCKED\"");
}

TEST_F(WorkflowCalls, OfSubmissionAndDiscovery) {
  run("unknown-block-accepted", R"({"label":"a","functionBlock":"missing"})");
  EXPECT_EQ(status(), "\"RUNNING\"");
  const std::string needy = R"({"label":"a","functionBlock":"pure","acquire":["d"]})";
  run("acquire-jobs-missing", needy);
  EXPECT_EQ(status(), "\"RUNNING\"");
  run("failed-acquire-ignored", needy);
  EXPECT_EQ(push(poll(), false), 200);
  EXPECT_EQ(status(), "\"RUNNING\"");
}

TEST_F(WorkflowCalls, OfFailures) {
  run("impure-failure-called-safe", impure_);
  push(poll(), false);
  EXPECT_EQ(status(), "\"FAILED_SAFE\"");
  run("pure-failure-called-unsafe", pure_);
  push(poll(), false);
  EXPECT_EQ(status(), "\"FAILED_UNSAFE\"");
  run("step-failure-ignored", impure_);
  push(poll(), false);
  EXPECT_EQ(status(), "\"COMPLETED\"");
  run("completes-after-first-step", pure_ + R"(,{"label":"b","functionBlock":"pure"})");
  push(poll(), true);
  EXPECT_EQ(status(), "\"COMPLETED\"");
}

TEST_F(WorkflowCalls, OfEnds) {
  run("late-result-changes-outcome", pure_);
  const std::string job = poll();
  abort();
  EXPECT_EQ(status(), "\"FAILED_SAFE\"");
  EXPECT_EQ(push(job, true), 200);
  EXPECT_EQ(status(), "\"COMPLETED\"");

  run("abort-reopens-outcome", pure_);
  push(poll(), true);
  EXPECT_EQ(status(), "\"COMPLETED\"");
  EXPECT_EQ(at(abort(), "/outcome"), "\"FAILED_UNSAFE\"");
  EXPECT_EQ(status(), "\"FAILED_UNSAFE\"");

  run("acknowledgement-crosses", pure_);
  push(poll(), true);
  EXPECT_EQ(at(post("/workflow-execution/" + uuid_ + "/ack"), "/status"), "\"FAILED_UNSAFE_ACK\"");

  run("ended-listed-active", pure_);
  push(poll(), true);
  EXPECT_EQ(get("/workflow-execution/active", "/executions/0/status"), "\"COMPLETED\"");
}

TEST_F(WorkflowCalls, OfJobs) {
  run("job-handed-to-two", pure_);
  const std::string job = poll();
  EXPECT_EQ(poll(), job);
  EXPECT_EQ(poll(), "");

  run("abort-leaves-jobs", pure_);
  abort();
  EXPECT_NE(poll(), "");
  EXPECT_EQ(poll(), "");
}

}  // namespace
}  // namespace assay::faults
