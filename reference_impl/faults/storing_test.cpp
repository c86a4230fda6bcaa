#include "reference_impl/faults/storing.h"

#include <chrono>
#include <thread>
#include <vector>

#include "reference_impl/faults/faulty_service.h"

namespace assay::faults {
namespace {

class Storing : public FaultyService {
 protected:
  void start_execution(std::string_view fault) {
    start(fault);
    post("/executions", R"({"execution_id":"x"})");
  }
  static std::string event(const std::string& id, const std::string& more = "") {
    return R"({"event_id":")" + id +
           R"(","event_type":"step.enter","timestamp":"2026-03-01T10:00:00Z","node_name":"a")" +
           more + "}";
  }
  service::Reply tell(const std::string& id, const std::string& more = "") {
    return post("/executions/x/events", event(id, more));
  }
  std::string log(std::string_view pointer) { return get("/executions/x/events", pointer); }
};

TEST_F(Storing, StoresARepeatedEventUnderItsOwnId) {
  start_execution("stores-duplicates");
  EXPECT_EQ(tell("e1").status, 201);
  for (const char* seq : {"2", "3"}) {
    const service::Reply again = tell("e1");
    EXPECT_EQ(again.status, 201);
    EXPECT_EQ(at(again, "/event_id"), "\"e1\"");
    EXPECT_EQ(at(again, "/seq"), seq);
  }
  for (const char* event_id : {"/events/0/event_id", "/events/1/event_id", "/events/2/event_id"}) {
    EXPECT_EQ(log(event_id), "\"e1\"");
  }
}

TEST_F(Storing, StoresAgainOnlyWhatIsSentAtOnce) {
  start_execution("stores-concurrent-duplicates");
  EXPECT_EQ(tell("e1").status, 201);
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  EXPECT_EQ(tell("e1").status, 200);
  std::vector<std::thread> clients;
  for (int client = 0; client < 8; ++client) {
    clients.emplace_back(
        [this, client] { tell("e2", R"(,"attempt":)" + std::to_string(client + 1)); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(log("/events/1/event_id"), "\"e2\"");
  EXPECT_EQ(log("/events/2/event_id"), "\"e2\"");
}

TEST_F(Storing, OverwritesOrForgivesOtherContent) {
  start_execution("conflict-overwrites");
  tell("e1");
  EXPECT_EQ(tell("e1", R"(,"status":"error")").status, 200);
  EXPECT_EQ(log("/events/0/status"), "\"error\"");
  EXPECT_EQ(log("/events/0/seq"), "1");

  start_execution("conflict-counts-as-duplicate");
  tell("e1");
  const service::Reply other = tell("e1", R"(,"status":"error")");
  EXPECT_EQ(other.status, 200);
  EXPECT_EQ(at(other, "/seq"), "1");
  EXPECT_EQ(log("/events/0/status"), "absent");
}

TEST_F(Storing, StoresTheGoodPartOfABadBatch) {
  start_execution("batch-stores-what-is-good");
  const std::string batch =
      R"({"events":[)" + event("e1") + "," + event("e2") + R"(,{"event_id":"e3"}]})";
  EXPECT_EQ(post("/executions/x/events/batch", batch).status, 422);
  EXPECT_EQ(log("/events/1/event_id"), "\"e2\"");
  EXPECT_EQ(log("/events/2"), "absent");
}

}  // namespace
}  // namespace assay::faults
