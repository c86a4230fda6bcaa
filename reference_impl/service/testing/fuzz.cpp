#include "reference_impl/service/testing/fuzz.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/reference.h"

namespace assay::service {
namespace {

void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

class StandingClock : public Clock {
 public:
  std::int64_t now() override { return 1'772'323'200'000'000'000; }
};

/// A reference of its own for each input: what one leaves behind must not decide about the next.
class Server {
 public:
  Server() {
    ServiceOptions options;
    options.clock = std::make_shared<StandingClock>();
    service_ = make_reference(std::move(options));
  }

  int post(std::string target, std::string body) {
    return answer(
        {"POST", std::move(target), {{"Content-Type", "application/json"}}, std::move(body)});
  }
  int get(std::string target) { return answer({"GET", std::move(target), {}, {}}); }
  /// The body of the last answer.
  [[nodiscard]] const Value& body() const { return body_; }

 private:
  int answer(const Request& request) {
    const Reply reply = service_->handle(request);
    require(reply.status >= 200 && reply.status < 500, "no input is the server's own fault");
    auto parsed = parse_json(reply.body);
    require(parsed.has_value(), "an answer is JSON");
    body_ = *std::move(parsed);
    return reply.status;
  }

  std::unique_ptr<Service> service_;
  Value body_;
};

}  // namespace

void fuzz_event(std::string_view bytes) {
  Server server;
  require(server.post("/executions", R"({"execution_id":"x"})") == 201, "an execution starts");
  const int status = server.post("/executions/x/events", std::string(bytes));
  require(server.get("/executions/x/events") == 200, "a log can be read");
  const std::size_t listed = server.body().find("events")->as_list().size();
  require((status < 300) == (listed > 0), "what is taken is listed, what is refused is not");
  require(server.get("/executions/x/status") == 200, "every log has a status");
  require(server.get("/executions/x") == 200, "every log has a detail");
  if (status >= 300) return;
  require(server.post("/executions/x/events", std::string(bytes)) == 200,
          "the same again is a duplicate");
  require(server.get("/executions/x/events") == 200, "a log can be read");
  require(server.body().find("events")->as_list().size() == listed, "a duplicate is stored once");
}

void fuzz_json(std::string_view bytes) {
  const auto parsed = parse_json(bytes);
  if (!parsed) return;
  const auto again = parse_json(write_json(*parsed));
  require(again && *again == *parsed, "a value is read as it was written");
}

void fuzz_playbook(std::string_view bytes) {
  Server server;
  const std::string body =
      write_json(Object{{"execution_id", "x"}, {"playbook", std::string(bytes)}});
  if (server.post("/executions", body) >= 300) return;
  require(server.get("/executions/x/status") == 200, "a playbook that is taken has a status");
  require(server.get("/executions/x/events") == 200, "a playbook that is taken has a log");
}

}  // namespace assay::service
