#include "harness/check/model_coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/wire/exchange.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"

namespace assay::check {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

core::Profile profile_named(std::string_view name) {
  auto read = wire::read_profile(*wire::embedded_profile(name), std::string(name), nullptr);
  return std::move(read).value();
}

core::Call call_of(const core::Profile& profile, const core::Operation& operation, int status,
                   const std::string& body) {
  core::Call call;
  call.asked = operation;
  call.answer = std::make_shared<const core::Answer>(
      wire::read_answer(profile, operation.name, core::HttpResponse{status, {}, body}));
  return call;
}

/// A case, written as operations and what the reference would answer.
class Recorded {
 public:
  Recorded& call(const core::Operation& operation, int status, const Value& answer) {
    history_.calls.push_back(call_of(reference, operation, status, wire::to_json(answer)));
    return *this;
  }

  Recorded& start(const Object& parameters = {}) {
    return call({"executions.start", parameters}, 201, Object{{"execution_id", "x"}});
  }
  Recorded& post(int seq, Object event, int status = 201) {
    event.try_emplace("event_id", "e");
    return call({"events.post", {{"execution_id", "x"}, {"event", std::move(event)}}}, status,
                Object{{"seq", seq}});
  }
  Recorded& list(const List& events) {
    return call({"events.list", {{"execution_id", "x"}}}, 200, Object{{"events", events}});
  }
  Recorded& raw() {
    history_.calls.back().asked = {core::raw_request, {}};
    return *this;
  }

  [[nodiscard]] core::LayerCoverage layer(std::string_view name) const {
    ModelCoverage coverage(reference);
    coverage.add(history_);
    for (core::LayerCoverage& layer : coverage.layers()) {
      if (layer.layer == name) return std::move(layer);
    }
    ADD_FAILURE() << "no layer " << name;
    return {};
  }

 private:
  inline static const core::Profile reference = profile_named("reference");
  core::History history_;
};

Object event(std::string_view type, Object more = {}) {
  more["event_type"] = type;
  return more;
}

TEST(ModelCoverage, FollowsThePostedLogThroughTheLayersOfSeed000) {
  Recorded recorded;
  recorded.start()
      .post(1, event("playbook.initialized"))
      .post(2, event("command.issued", {{"command_id", "c"}, {"node_name", "n"}}))
      .post(3, event("command.started", {{"command_id", "c"}}))
      .post(4, event("call.error", {{"command_id", "c"}}))
      .post(5, event("step.exit", {{"node_name", "n"}, {"status", "failed"}}))
      .post(6, event("playbook.failed"));
  const core::LayerCoverage execution = recorded.layer("execution");
  EXPECT_THAT(execution.states_seen, ElementsAre("PENDING", "RUNNING", "FAILED"));
  EXPECT_THAT(execution.transitions_seen, ElementsAre("PENDING -> RUNNING: playbook.initialized",
                                                      "RUNNING -> FAILED: playbook.failed"));
  EXPECT_THAT(recorded.layer("command").transitions_seen,
              ElementsAre("PENDING -> ISSUED: command.issued"));
  EXPECT_THAT(recorded.layer("command").attempts_seen,
              ElementsAre("PENDING + command.issued: moves", "ISSUED + command.started: anomaly"));
  EXPECT_THAT(recorded.layer("step").transitions_seen,
              ElementsAre("PENDING -> RUNNING: step.enter or command issuance",
                          "RUNNING -> FAILED: call.error then step.exit"));
  EXPECT_THAT(recorded.layer("tool").states_seen, ElementsAre("PENDING", "RUNNING", "ERROR"));
  EXPECT_THAT(recorded.layer("workflow").states_seen, IsEmpty());
  EXPECT_THAT(recorded.layer("events").states_seen, Contains("step.exit"));
}

TEST(ModelCoverage, CountsNothingThatWasRefused) {
  Recorded recorded;
  recorded.start().post(1, event("playbook.initialized"), 422);
  EXPECT_THAT(recorded.layer("execution").states_seen, IsEmpty());
  EXPECT_THAT(recorded.layer("events").states_seen, IsEmpty());
}

TEST(ModelCoverage, StopsFollowingWhereTheLogHasAGap) {
  Recorded recorded;
  recorded.start().post(1, event("playbook.initialized")).post(3, event("playbook.completed"));
  EXPECT_THAT(recorded.layer("execution").states_seen, ElementsAre("PENDING", "RUNNING"));
  recorded.list({event("call.done", {{"seq", 2}, {"command_id", "c"}})});
  EXPECT_THAT(recorded.layer("execution").states_seen,
              ElementsAre("PENDING", "RUNNING", "COMPLETED"));
}

TEST(ModelCoverage, TakesTheOrderOfTheLogWhateverTheOrderOfTheCalls) {
  Recorded recorded;
  recorded.start().post(2, event("playbook.completed")).post(1, event("playbook.initialized"));
  EXPECT_THAT(recorded.layer("execution").transitions_seen,
              ElementsAre("PENDING -> RUNNING: playbook.initialized",
                          "RUNNING -> COMPLETED: playbook.completed"));
}

TEST(ModelCoverage, KnowsWhatACancelAppends) {
  Recorded recorded;
  recorded.start()
      .post(1, event("playbook.initialized"))
      .post(2, event("command.issued", {{"command_id", "c"}}))
      .call({"executions.cancel", {{"execution_id", "x"}}}, 200,
            Object{{"already_terminal", false}})
      .post(5, event("playbook.completed"));
  EXPECT_THAT(recorded.layer("execution").transitions_seen,
              Contains("RUNNING -> CANCELLED: execution.cancelled"));
  EXPECT_THAT(recorded.layer("execution").attempts_seen,
              Contains("CANCELLED + playbook.completed: anomaly"));
  EXPECT_THAT(recorded.layer("command").transitions_seen,
              Contains("ISSUED -> CANCELLED: command.cancelled"));
}

TEST(ModelCoverage, ReadsBatches) {
  Recorded recorded;
  recorded.start()
      .call({"events.post_batch",
             {{"execution_id", "x"},
              {"events", List{event("playbook.initialized"), event("workflow.initialized")}}}},
            201, Object{{"results", List{Object{{"seq", 1}}, Object{{"seq", 2}}}}})
      .post(3, event("workflow.failed"));
  EXPECT_THAT(recorded.layer("workflow").states_seen, ElementsAre("PENDING", "RUNNING", "FAILED"));
}

TEST(ModelCoverage, CountsNoRequestThatNamesNoOperation) {
  Recorded recorded;
  recorded.start().post(1, event("playbook.initialized")).raw();
  EXPECT_THAT(recorded.layer("execution").states_seen, IsEmpty());
}

TEST(ModelCoverage, SeesLogsThatNoRecordKeepsWhole) {
  Recorded recorded;
  List events{event("playbook.initialized", {{"seq", 1}})};
  for (int seq = 2; seq < 200; ++seq) {
    events.emplace_back(event("step.enter", {{"seq", seq}, {"meta", std::string(200, 'x')}}));
  }
  events.emplace_back(event("playbook.completed", {{"seq", 200}}));
  recorded.start().list(events);
  EXPECT_THAT(recorded.layer("execution").states_seen,
              ElementsAre("PENDING", "RUNNING", "COMPLETED"));
}

TEST(ModelCoverage, ReadsAPlaybookThatIsTextAsItIsTold) {
  core::History history;
  history.calls = {
      call_of(profile_named("reference"), {"executions.start", {{"playbook", "text"}}}, 201,
              R"({"execution_id": "x"})"),
      call_of(profile_named("reference"), {"events.list", {{"execution_id", "x"}}}, 200,
              R"({"events": [{"seq": 1, "event_type": "next.evaluated",
                               "payload": {"mode": "inclusive"}}]})")};
  const auto modes_of = [&history](ReadText read_text) {
    ModelCoverage coverage(profile_named("reference"), std::move(read_text));
    coverage.add(history);
    for (const core::LayerCoverage& each : coverage.layers()) {
      if (each.layer == layer::routing) return each.states_seen;
    }
    return std::vector<std::string>{"no layer"};
  };
  EXPECT_THAT(modes_of({}), IsEmpty());
  EXPECT_THAT(modes_of([](std::string_view text) {
                EXPECT_EQ(text, "text");
                return std::optional<Value>(Object{{"workflow", List{Object{{"step", "a"}}}}});
              }),
              ElementsAre("mode inclusive"));
}

TEST(ModelCoverage, ReadsTheChoicesOfAPlaybookFromItsLog) {
  const Value playbook = wire::parse_json(R"({
    "executor": {"spec": {"status_policy": "fail_fast", "fan_in": "wait_all"}},
    "workflow": [{"step": "a", "next": {"arcs": [{"step": "c"}]}},
                 {"step": "b", "next": {"arcs": [{"step": "c"}]}},
                 {"step": "c", "loop": {"in": "{{ [1] }}", "iterator": "i",
                                        "spec": {"mode": "parallel"}}}]})")
                             .value();
  Recorded recorded;
  recorded.start({{"playbook", playbook}})
      .list({event("policy.admit.evaluated", {{"seq", 1}, {"payload", Object{{"allow", false}}}}),
             event("next.evaluated", {{"seq", 2}, {"payload", Object{{"mode", "exclusive"}}}}),
             event("step.scheduled", {{"seq", 3}, {"entity_id", "c"}}),
             event("playbook.finished",
                   {{"seq", 4}, {"status", "error"}, {"payload", Object{{"outcome", "failed"}}}})});
  EXPECT_THAT(recorded.layer("routing").states_seen,
              ElementsAre("mode exclusive", "admission denies", "denied token pending",
                          "loop parallel", "fan-in wait_all"));
  EXPECT_THAT(recorded.layer("outcome").transitions_seen,
              ElementsAre("fail_fast -> failed: playbook.finished"));
}

TEST(ModelCoverage, ReadsAWorkflowExecutionsHistory) {
  const auto entry = [](const char* status) { return Value(Object{{"status", status}}); };
  Recorded recorded;
  recorded
      .call({"workflow.get", {{"uuid", "u"}}}, 200,
            Object{{"history", List{entry("NEW"), entry("VALID"), entry("FAILED_SAFE")}}})
      .call({"workflow.ack", {{"uuid", "u"}}}, 200, Object{{"status", "FAILED_SAFE_ACK"}});
  const core::LayerCoverage lifecycle = recorded.layer("lifecycle");
  EXPECT_THAT(lifecycle.transitions_seen,
              ElementsAre("NEW -> VALID: WFX-NEW-VALID", "VALID -> FAILED_SAFE: WFX-API-ABORT",
                          "FAILED_SAFE -> FAILED_SAFE_ACK: WFX-TERMINAL"));
  EXPECT_THAT(lifecycle.states, Contains("ROLLBACK"));
  EXPECT_THAT(lifecycle.states, Contains("FAILED_UNSAFE_ACK"));
}

TEST(ModelCoverage, ReadsRunsFromTheirCallsAndTheirAudit) {
  Recorded recorded;
  recorded.call({"runs.create", {}}, 201, Object{{"run_id", "r"}, {"status", "created"}})
      .call({"runs.transition", {{"run_id", "r"}, {"to", "running"}}}, 200,
            Object{{"status", "running"}})
      .call({"runs.transition", {{"run_id", "r"}, {"to", "created"}}}, 409,
            Object{{"run", Object{{"status", "failed"}}}})
      .call({"runs.transition", {{"run_id", "r"}, {"to", "success"}}}, 409, Object{});
  EXPECT_THAT(recorded.layer("run").transitions_seen, ElementsAre("created -> running: RUN-T1"));
  EXPECT_THAT(recorded.layer("run").attempts_seen,
              ElementsAre("created + running: success", "running + created: deny",
                          "failed + success: deny"));
  const auto audited = [](const char* before, const char* after, const char* outcome,
                          const Value& code) {
    return Value(Object{{"before_state", before},
                        {"after_state", after},
                        {"attempted_state", "waiting"},
                        {"outcome", outcome},
                        {"error_code", code}});
  };
  Recorded audit;
  audit.call({"runs.audit", {{"run_id", "r"}}}, 200,
             Object{{"events",
                     List{audited("running", "waiting", "success", nullptr),
                          audited("waiting", "waiting", "deny", "X"),
                          audited("running", "failed", "success", "INVALID_STATE_TRANSITION")}}});
  EXPECT_THAT(audit.layer("run").transitions_seen, ElementsAre("running -> waiting: RUN-T2"));
  EXPECT_THAT(audit.layer("run").states_seen, ElementsAre("running", "waiting", "failed"));
  EXPECT_THAT(audit.layer("run").attempts_seen,
              ElementsAre("running + waiting: success", "waiting + waiting: deny"));
}

TEST(ModelCoverage, AddsUpCases) {
  const core::Profile profile = profile_named("reference");
  ModelCoverage coverage(profile);
  const std::vector<core::LayerCoverage> before = coverage.layers();
  for (const core::LayerCoverage& layer : before) {
    EXPECT_THAT(layer.states_seen, IsEmpty()) << layer.layer;
    EXPECT_FALSE(layer.states.empty()) << layer.layer;
  }
  core::History hostile;
  for (const char* body : {"", "{", "[]", "{\"execution_id\": 7}", "{\"events\": {}}"}) {
    for (const auto& [name, form] : profile.operations) {
      hostile.calls.push_back(call_of(profile, {name, {}}, 200, body));
    }
  }
  coverage.add(hostile);
  EXPECT_EQ(coverage.layers().size(), before.size());
}

TEST(ModelLayers, AskForWhatACallCanBringAbout) {
  const auto lifecycle_without = [](const std::vector<std::string>& capabilities) {
    core::Profile profile = profile_named("reference");
    for (const std::string& capability : capabilities) profile.capabilities.erase(capability);
    for (core::LayerCoverage& each : model_layers(profile)) {
      if (each.layer == layer::lifecycle) return std::move(each);
    }
    return core::LayerCoverage{};
  };
  EXPECT_THAT(lifecycle_without({}).states, IsSupersetOf({"ROLLBACK", "BLOCKED_WAITING"}));
  EXPECT_THAT(lifecycle_without({"workflow.rollback"}).states, Not(Contains("ROLLBACK")));
  EXPECT_THAT(lifecycle_without({"workflow.await"}).states, Not(Contains("BLOCKED_WAITING")));
  const std::string abort_of_locked = "LOCKED -> FAILED_SAFE: WFX-API-ABORT";
  EXPECT_THAT(lifecycle_without({}).transitions, Contains(abort_of_locked));
  EXPECT_THAT(lifecycle_without({"control.lifecycle_hold"}).transitions,
              Not(Contains(abort_of_locked)));
}

TEST(ModelLayers, AreThoseThatTheCapabilitiesAllow) {
  const auto names_of = [](const core::Profile& profile) {
    std::vector<std::string> names;
    for (const core::LayerCoverage& layer : model_layers(profile)) names.push_back(layer.layer);
    return names;
  };
  EXPECT_THAT(names_of(profile_named("reference")),
              ElementsAre("execution", "workflow", "step", "command", "tool", "events", "routing",
                          "outcome", "lifecycle", "run"));
  EXPECT_THAT(names_of(profile_named("noetl-py")),
              ElementsAre("execution", "workflow", "step", "command", "tool", "events"));
  EXPECT_THAT(names_of(profile_named("prefect")), ElementsAre("run"));
}

TEST(ModelLayers, LeaveOutWhatATargetHasNoWordsFor) {
  const core::LayerCoverage run = model_layers(profile_named("prefect")).front();
  EXPECT_THAT(run.states, Not(Contains("denied")));
  EXPECT_THAT(run.transitions, Not(Contains("running -> denied: RUN-T6")));
  const std::vector<core::LayerCoverage> noetl = model_layers(profile_named("noetl-py"));
  EXPECT_THAT(noetl.front().states, Not(Contains("PENDING")));
  EXPECT_THAT(noetl.back().states, Not(Contains("playbook.finished")));
  EXPECT_THAT(noetl.back().states, Contains("playbook.completed"));
}

}  // namespace
}  // namespace assay::check
