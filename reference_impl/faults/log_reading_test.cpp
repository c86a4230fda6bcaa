#include "reference_impl/faults/log_reading.h"

#include <gtest/gtest.h>

#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/reference.h"

namespace assay::faults {
namespace {

class StillClock final : public service::Clock {
 public:
  std::int64_t now() override { return 0; }
};

/// A sound reference with the execution "x/1", and requests to it through an intercept.
class LogReading : public ::testing::Test {
 protected:
  LogReading() : service_(make()) {
    send({"POST", "/executions", {}, R"({"execution_id":"x/1"})"});
    tell("e1", "playbook.initialized");
  }

  static std::unique_ptr<service::Service> make() {
    service::ServiceOptions options;
    options.clock = std::make_shared<StillClock>();
    return service::make_reference(std::move(options));
  }

  service::Reply send(service::Request request) {
    if (!request.body.empty()) request.headers.push_back({"content-type", "application/json"});
    return intercept_ ? intercept_(*service_, request) : service_->handle(request);
  }
  int tell(const std::string& id, const std::string& type) {
    return send({"POST",
                 "/executions/x%2F1/events",
                 {},
                 R"({"event_id":")" + id + R"(","event_type":")" + type +
                     R"(","timestamp":"2026-01-01T00:00:00Z","node_name":"end"})"})
        .status;
  }
  void evict() { send({"POST", "/control/evict", {}, R"({"execution_id":"x/1"})"}); }
  std::string status_body() { return send({"GET", "/executions/x%2F1/status", {}, ""}).body; }
  bool is_in(const std::string& state) {
    return status_body().find("\"state\":\"" + state + "\"") != std::string::npos;
  }

  std::unique_ptr<service::Service> service_;
  Intercept intercept_;
};

TEST_F(LogReading, AsksTheSoundService) {
  EXPECT_EQ(text_of(ask(*service_, "/executions/x%2F1"), "execution_id"), "x/1");
  EXPECT_TRUE(ask(*service_, "/executions/unknown").is_null());
}

TEST_F(LogReading, TheLogIsThatOfTheExecutionInThePath) {
  const service::Request status{"GET", "/executions/x%2F1/status?a=1", {}, ""};
  EXPECT_EQ(execution_path(status), "/executions/x%2F1");
  const List events = log_of(*service_, status);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(is_type(events.front(), "playbook.initialized"));
  EXPECT_TRUE(log_of(*service_, {"GET", "/runs/1", {}, ""}).empty());
}

TEST_F(LogReading, InfersAnEndOfAnOpenExecutionOnly) {
  intercept_ =
      infers_end("FAILED", [](const List& events) { return ends_in(events, "batch.completed"); });
  EXPECT_TRUE(is_in("RUNNING"));
  tell("e2", "batch.completed");
  EXPECT_TRUE(is_in("FAILED"));
  EXPECT_NE(status_body().find(R"("terminal_event":"batch.completed")"), std::string::npos);
  tell("e3", "playbook.completed");
  tell("e4", "batch.completed");
  EXPECT_TRUE(is_in("COMPLETED"));
}

TEST_F(LogReading, AfterAnEvictAndNotBeforeTheAnswerIsChanged) {
  intercept_ = after_evict(
      alters_answers("GET /executions/*/status", [](const service::Request&, Value& body) {
        replace_text(body, "state", "RUNNING", "FAILED");
      }));
  EXPECT_TRUE(is_in("RUNNING"));
  evict();
  EXPECT_TRUE(is_in("FAILED"));
}

TEST_F(LogReading, EachServiceRemembersForItself) {
  const auto broken = [] {
    return after_evict(refuses(
        "GET /executions/*/status", [](const service::Request&, const Value&) { return true; }, 500,
        "GONE"));
  };
  intercept_ = broken();
  evict();
  EXPECT_EQ(send({"GET", "/executions/x%2F1/status", {}, ""}).status, 500);
  intercept_ = broken();
  EXPECT_EQ(send({"GET", "/executions/x%2F1/status", {}, ""}).status, 200);
}

TEST_F(LogReading, RefusesOnlyWhatWasDoneBefore) {
  intercept_ = refuses_second("POST /executions/*/cancel", 409, "AGAIN");
  const service::Request unknown{"POST", "/executions/unknown/cancel", {}, ""};
  EXPECT_EQ(send(unknown).status, 404);
  EXPECT_EQ(send(unknown).status, 404);
  const service::Request cancel{"POST", "/executions/x%2F1/cancel", {}, ""};
  EXPECT_EQ(send(cancel).status, 200);
  EXPECT_EQ(send(cancel).status, 409);
}

}  // namespace
}  // namespace assay::faults
