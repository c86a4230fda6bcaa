#include "reference_impl/faults/misreadings.h"

#include <vector>

#include "reference_impl/faults/faulty_service.h"

namespace assay::faults {
namespace {

/// A log of an execution "x", and what a server with a fault shows of it.
class Misreadings : public FaultyService {
 protected:
  struct Told {
    std::string type;
    std::string more = {};
    std::string at = "10:00:00";
  };

  /// A server with that fault that was told these events.
  void tell(std::string_view fault, const std::vector<Told>& log) {
    start(fault);
    post("/executions", R"({"execution_id":"x"})");
    int number = 0;
    for (const Told& event : log) {
      const service::Reply reply =
          post("/executions/x/events", R"({"event_id":"e)" + std::to_string(++number) +
                                           R"(","event_type":")" + event.type +
                                           R"(","timestamp":"2026-03-01T)" + event.at + "Z\"" +
                                           (event.more.empty() ? "" : "," + event.more) + "}");
      ASSERT_EQ(reply.status, 201) << reply.body;
    }
  }
  std::string status(std::string_view pointer) { return get("/executions/x/status", pointer); }
  std::string detail(std::string_view pointer) { return get("/executions/x", pointer); }

  const Told start_ = {"playbook.initialized", ""};
  const Told success_ = {"playbook.completed", ""};
  const Told failure_ = {"playbook.failed", ""};
};

TEST_F(Misreadings, OfTheEnd) {
  tell("late-work-reopens", {start_, success_});
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
  tell("late-work-reopens", {start_, success_, {"step.enter", R"("node_name":"a")"}});
  EXPECT_EQ(status("/state"), "\"RUNNING\"");
  EXPECT_EQ(detail("/outcome"), "null");

  tell("last-close-wins", {start_, success_, failure_});
  EXPECT_EQ(status("/state"), "\"FAILED\"");
  tell("backdated-close-wins", {start_, success_, {"playbook.failed", "", "09:00:00"}});
  EXPECT_EQ(status("/state"), "\"FAILED\"");
  tell("backdated-close-wins", {start_, success_, {"playbook.failed", "", "11:00:00"}});
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
  tell("close-needs-start", {success_, start_});
  EXPECT_EQ(status("/state"), "\"RUNNING\"");
  tell("finished-closes-whatever-status", {start_, {"playbook.finished", R"("status":"skipped")"}});
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
}

TEST_F(Misreadings, OfTheStartAndTheCurrentStep) {
  tell("second-start-moves-start", {start_, {"playbook.initialized", "", "11:00:00"}});
  EXPECT_EQ(status("/started_at"), "\"2026-03-01T11:00:00Z\"");
  tell("late-steps-move-current", {start_,
                                   {"step.enter", R"("node_name":"a")"},
                                   success_,
                                   {"step.enter", R"("node_name":"b")"}});
  EXPECT_EQ(status("/current_step"), "\"b\"");
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
}

TEST_F(Misreadings, InferAnEndForGood) {
  const Told last = {"command.completed", R"("command_id":"c","node_name":"end")"};
  tell("command-on-end-closes", {start_, last, {"step.enter", R"("node_name":"a")"}});
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
  EXPECT_EQ(status("/ended_at"), "\"2026-03-01T10:00:00Z\"");
  tell("command-on-end-closes-after-evict", {start_, last});
  EXPECT_EQ(status("/state"), "\"RUNNING\"");
  post("/control/evict", R"({"execution_id":"x"})");
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
  const std::string one = R"("command_id":"c","node_name":"a")";
  tell("last-command-closes", {start_, {"command.issued", one}, {"command.completed", one}});
  EXPECT_EQ(status("/state"), "\"COMPLETED\"");
}

TEST_F(Misreadings, OfSteps) {
  const Told enter = {"step.enter", R"("node_name":"a")"};
  tell("exit-status-knows-case", {enter, {"step.exit", R"("node_name":"a","status":"completed")"}});
  EXPECT_EQ(detail("/steps/0/state"), "\"RUNNING\"");
  tell("exit-status-knows-case", {enter, {"step.exit", R"("node_name":"a","status":"COMPLETED")"}});
  EXPECT_EQ(detail("/steps/0/state"), "\"COMPLETED\"");
  tell("iteration-exit-ends-step",
       {enter, {"step.exit", R"("node_name":"a","status":"COMPLETED","iteration":0)"}});
  EXPECT_EQ(detail("/steps/0/state"), "\"COMPLETED\"");
}

TEST_F(Misreadings, OfCommandsAndTools) {
  const std::string one = R"("command_id":"c","node_name":"a")";
  tell("command-needs-no-issue", {{"command.completed", one}});
  EXPECT_EQ(detail("/commands/0/state"), "\"COMPLETED\"");
  tell("command-needs-no-issue", {{"command.cancelled", one}});
  EXPECT_EQ(detail("/commands/0/state"), "\"CANCELLED\"");
  tell("command-needs-no-claim", {{"command.issued", one}, {"command.started", one}});
  EXPECT_EQ(detail("/commands/0/state"), "\"RUNNING\"");
  tell("last-tool-outcome-wins", {{"call.done", one}, {"call.error", one}});
  EXPECT_EQ(detail("/tools/0/outcome"), "\"ERROR\"");
  EXPECT_EQ(detail("/anomalies"), "[]");
}

TEST_F(Misreadings, LeaveCommandsAtACancel) {
  tell("cancel-leaves-commands", {start_, {"command.issued", R"("command_id":"c")"}});
  post("/executions/x/cancel");
  EXPECT_EQ(detail("/commands/0/state"), "\"ISSUED\"");
  EXPECT_EQ(get("/executions/x/events", "/events/2/event_type"), "\"execution.cancelled\"");
  EXPECT_EQ(get("/executions/x/events", "/events/3"), "absent");
}

}  // namespace
}  // namespace assay::faults
