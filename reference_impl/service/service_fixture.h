#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "base/value.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/reference.h"

namespace assay::service {

/// A clock that stands still until a test moves it. It begins at 2026-03-01T00:00:00Z.
class FakeClock : public Clock {
 public:
  std::int64_t now() override { return now_; }
  void move(std::int64_t by_ns) { now_ += by_ns; }

 private:
  std::atomic<std::int64_t> now_ = 1'772'323'200'000'000'000;
};

/// An answer as a test looks at it.
struct Answer {
  int status = 0;
  std::string content_type;
  std::string text;
  /// The body as JSON; null where it is none.
  Value body;

  /// The value at a JSON Pointer of the body as JSON text; "absent" where there is none.
  [[nodiscard]] std::string at(std::string_view pointer) const {
    const Value* value = body.at_pointer(pointer);
    return value == nullptr ? "absent" : write_json(*value);
  }
};

/// A reference service and short ways to call it.
class ServiceTest : public testing::Test {
 protected:
  ServiceTest() { start({}); }

  /// Begins anew with other options; the clock and the ids are the test's.
  void start(ServiceOptions options) {
    options.clock = clock_;
    options.version = "1.2.3";
    service_ = make_reference(std::move(options));
  }

  Answer send(const Request& request) {
    const Reply reply = service_->handle(request);
    Answer answer{reply.status, reply.content_type, reply.body, {}};
    auto parsed = parse_json(reply.body);
    if (parsed) answer.body = *std::move(parsed);
    return answer;
  }
  Answer get(std::string target) { return send({"GET", std::move(target), {}, ""}); }
  Answer post(std::string target, std::string body = "") {
    Request request{"POST", std::move(target), {}, std::move(body)};
    if (!request.body.empty()) request.headers.push_back({"Content-Type", "application/json"});
    return send(request);
  }

  /// Creates the replay execution "x" (or another).
  void create(const std::string& id = "x") {
    ASSERT_EQ(post("/executions", R"({"execution_id":")" + id + "\"}").status, 201);
  }
  /// An event with an id of its own, a fixed time and `more` members, such as R"("node_name":"a")".
  static std::string event(const std::string& type, const std::string& more = "") {
    static std::atomic<int> count = 0;
    return R"({"event_id":"e)" + std::to_string(++count) + R"(","event_type":")" + type +
           R"(","timestamp":"2026-03-01T10:00:00Z")" + (more.empty() ? "" : "," + more) + "}";
  }
  /// Posts such an event to the execution "x"; it must be stored.
  Answer tell(const std::string& type, const std::string& more = "") {
    Answer answer = post("/executions/x/events", event(type, more));
    EXPECT_EQ(answer.status, 201) << answer.text;
    return answer;
  }
  std::string state() { return get("/executions/x/status").at("/state"); }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::unique_ptr<Service> service_;
};

}  // namespace assay::service
