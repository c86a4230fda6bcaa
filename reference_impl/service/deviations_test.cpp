// Each deviation shows, and shows only where it is set: a fault that does nothing would prove
// nothing.
#include "reference_impl/service/deviations.h"

#include <gtest/gtest.h>

#include <thread>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

class DeviationTest : public ServiceTest {
 protected:
  /// Begins anew with one deviation and the execution "x".
  void deviate(bool Deviations::* deviation) {
    Deviations deviations;
    deviations.*deviation = true;
    start_with(deviations);
    create();
  }
  /// The same where lower layers close an execution that is rebuilt from its log.
  void start_rebuilding_by_inference() {
    status::Deviations inferring;
    inferring.batch_closes = true;
    inferring.call_on_end_closes = true;
    inferring.exit_on_end_closes = true;
    ServiceOptions options;
    options.rebuilt_status_deviations = inferring;
    start(std::move(options));
    create();
  }
  Answer post_event(const std::string& body) { return post("/executions/x/events", body); }
  std::size_t stored() {
    return get("/executions/x/events?limit=1000").body.find("events")->as_list().size();
  }
  static std::string with(const std::string& more) {
    return R"({"event_id":"a","event_type":"task.started","timestamp":"2026-03-01T10:00:00Z")" +
           more + "}";
  }
};

TEST_F(DeviationTest, StoresDuplicates) {
  deviate(&Deviations::stores_duplicates);
  EXPECT_EQ(post_event(with("")).status, 201);
  EXPECT_EQ(post_event(with("")).status, 201);
  EXPECT_EQ(stored(), 2U);
}

TEST_F(DeviationTest, StoresConcurrentDuplicatesOnly) {
  deviate(&Deviations::stores_concurrent_duplicates);
  // Whether two threads meet is up to the machine: tried until they do.
  bool is_stored_twice = false;
  for (int attempt = 0; attempt < 100 && !is_stored_twice; ++attempt) {
    const std::string body = event("task.started");
    std::atomic<int> created = 0;
    const auto client = [&] { created += post_event(body).status == 201 ? 1 : 0; };
    std::thread other(client);
    client();
    other.join();
    is_stored_twice = created == 2;
    EXPECT_EQ(post_event(body).status, 200);
  }
  EXPECT_TRUE(is_stored_twice);
}

TEST_F(DeviationTest, ConflictOverwrites) {
  deviate(&Deviations::conflict_overwrites);
  post_event(with(""));
  EXPECT_EQ(post_event(with(R"(,"attempt":2)")).status, 200);
  EXPECT_EQ(get("/executions/x/events").at("/events/0/attempt"), "2");
  EXPECT_EQ(stored(), 1U);
}

TEST_F(DeviationTest, ConflictCountsAsDuplicate) {
  deviate(&Deviations::conflict_counts_as_duplicate);
  post_event(with(""));
  EXPECT_EQ(post_event(with(R"(,"attempt":2)")).at("/duplicate"), "true");
  EXPECT_EQ(get("/executions/x/events").at("/events/0/attempt"), "absent");
}

TEST_F(DeviationTest, RefusesAfterTheEnd) {
  deviate(&Deviations::refuses_after_the_end);
  tell("playbook.completed");
  EXPECT_EQ(post_event(with("")).status, 409);
}

TEST_F(DeviationTest, TakesZonelessTime) {
  deviate(&Deviations::takes_zoneless_time);
  EXPECT_EQ(
      post_event(R"({"event_id":"a","event_type":"a.b","timestamp":"2026-03-01T10:00:00"})").status,
      201);
  EXPECT_EQ(post_event(R"({"event_id":"b","event_type":"a.b","timestamp":"noon"})").status, 422);
}

TEST_F(DeviationTest, TakesLargePayloads) {
  deviate(&Deviations::takes_large_payloads);
  EXPECT_EQ(
      post_event(with(R"(,"payload":{"outcome":")" + std::string(70'000, 'x') + "\"}")).status,
      201);
}

TEST_F(DeviationTest, BatchStoresWhatIsGood) {
  deviate(&Deviations::batch_stores_what_is_good);
  post_event(with(""));
  const Answer answer =
      post("/executions/x/events/batch",
           R"({"events":[)" + event("task.started") + "," + with(R"(,"attempt":2)") + "]}");
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(stored(), 2U);
  EXPECT_EQ(
      post("/executions/x/events/batch", R"({"events":[)" + event("task.started") + ",7]}").status,
      422);
  EXPECT_EQ(stored(), 3U);
}

TEST_F(DeviationTest, SeqHasGaps) {
  deviate(&Deviations::seq_has_gaps);
  EXPECT_EQ(tell("task.started").at("/seq"), "2");
  EXPECT_EQ(tell("task.started").at("/seq"), "4");
  EXPECT_EQ(get("/executions/x/events").at("/events/1/seq"), "4");
}

TEST_F(DeviationTest, PageSkipsOne) {
  deviate(&Deviations::page_skips_one);
  for (int count = 0; count < 3; ++count) tell("task.started");
  const std::string next = *get("/executions/x/events?limit=1").body.string_at("next");
  EXPECT_EQ(get("/executions/x/events?after=" + next).at("/events/0/seq"), "3");
}

TEST_F(DeviationTest, StateFilterKnowsCase) {
  deviate(&Deviations::state_filter_knows_case);
  EXPECT_EQ(get("/executions?state=pending").status, 422);
  EXPECT_EQ(get("/executions?state=PENDING").status, 200);
}

TEST_F(DeviationTest, TypeFilterIsIgnored) {
  deviate(&Deviations::type_filter_is_ignored);
  tell("task.started");
  EXPECT_EQ(get("/executions/x/events?event_type=task.done").at("/events/0/seq"), "1");
}

TEST_F(DeviationTest, ListsNewestFirst) {
  deviate(&Deviations::lists_newest_first);
  tell("task.started");
  tell("task.started");
  EXPECT_EQ(get("/executions/x/events").at("/events/0/seq"), "2");
}

TEST_F(DeviationTest, ListLagsBehind) {
  deviate(&Deviations::list_lags_behind);
  tell("playbook.completed");
  EXPECT_EQ(get("/executions").at("/executions/0/state"), "\"PENDING\"");
  EXPECT_EQ(state(), "\"COMPLETED\"");
}

TEST_F(DeviationTest, StatusCarriesVariables) {
  deviate(&Deviations::status_carries_variables);
  EXPECT_EQ(get("/executions/x/status").at("/variables/ctx"), "{}");
}

TEST_F(DeviationTest, EndedAtWhileRunning) {
  deviate(&Deviations::ended_at_while_running);
  tell("playbook.initialized");
  EXPECT_EQ(get("/executions/x/status").at("/ended_at"), "\"2026-03-01T10:00:00Z\"");
  EXPECT_EQ(state(), "\"RUNNING\"");
}

TEST_F(DeviationTest, TerminalEventIsShort) {
  deviate(&Deviations::terminal_event_is_short);
  tell("playbook.completed");
  EXPECT_EQ(get("/executions/x/status").at("/terminal_event"), "\"completed\"");
}

TEST_F(DeviationTest, CancelledReadsFailed) {
  deviate(&Deviations::cancelled_reads_failed);
  post("/executions/x/cancel");
  EXPECT_EQ(state(), "\"FAILED\"");
}

TEST_F(DeviationTest, UnknownIdIsPending) {
  deviate(&Deviations::unknown_id_is_pending);
  EXPECT_EQ(get("/executions/no/status").at("/state"), "\"PENDING\"");
  EXPECT_EQ(get("/executions/no").status, 404);
}

TEST_F(DeviationTest, FailsOnOddInput) {
  deviate(&Deviations::fails_on_odd_input);
  EXPECT_EQ(post_event("{").status, 500);
  EXPECT_EQ(post_event("{}").status, 422);
}

TEST_F(DeviationTest, CancelIsRepeated) {
  deviate(&Deviations::cancel_is_repeated);
  post("/executions/x/cancel");
  EXPECT_EQ(post("/executions/x/cancel").at("/already_terminal"), "true");
  EXPECT_EQ(stored(), 2U);
}

TEST_F(DeviationTest, CancelLeavesCommands) {
  deviate(&Deviations::cancel_leaves_commands);
  tell("command.issued", R"("command_id":"c")");
  post("/executions/x/cancel");
  EXPECT_EQ(get("/executions/x").at("/commands/0/state"), "\"ISSUED\"");
}

TEST_F(DeviationTest, RebuildsByInference) {
  for (const char* last : {"batch.completed", "call.done", "step.exit"}) {
    start_rebuilding_by_inference();
    tell("playbook.initialized");
    tell(
        last,
        R"("node_name":"end","command_id":"c","status":"COMPLETED","payload":{"pending_count":0})");
    EXPECT_EQ(state(), "\"RUNNING\"") << last;
    post("/control/evict", R"({"execution_id":"x"})");
    EXPECT_EQ(state(), "\"COMPLETED\"") << last;
  }
}

TEST_F(DeviationTest, RebuiltIsNotInferred) {
  deviate(&Deviations::rebuilt_is_not_inferred);
  tell("playbook.completed");
  post("/control/evict", R"({"execution_id":"x"})");
  EXPECT_EQ(get("/executions/x/status").at("/completion_inferred"), "false");
}

TEST_F(DeviationTest, CtxPatchDropsNull) {
  deviate(&Deviations::ctx_patch_drops_null);
  post("/executions/x/ctx", R"({"patch":{"a":null,"b":2}})");
  EXPECT_EQ(get("/executions/x/variables").at("/ctx"), R"({"b":2})");
}

TEST_F(DeviationTest, ThoseOfTheModelsArePassedThrough) {
  ServiceOptions options;
  options.status_deviations.batch_closes = true;
  start(std::move(options));
  create();
  tell("playbook.initialized");
  tell("batch.completed", R"("payload":{"pending_count":0})");
  EXPECT_EQ(state(), "\"COMPLETED\"");
}

}  // namespace
}  // namespace assay::service
