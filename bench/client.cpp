#include "bench/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "reference_impl/server/system_clock.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/reference.h"

namespace assay::bench {
namespace {

/// Below the 8 MiB that one batch may have.
constexpr std::int64_t events_per_batch = 1'000;

/// What a worker reports of one command, after the execution's start event.
constexpr std::array<std::string_view, 6> command_life = {"command.issued",  "command.claimed",
                                                          "command.started", "call.done",
                                                          "step.exit",       "command.completed"};

/// Event `number` of an execution: its start, then the lives of commands, one after the other.
std::string event(std::int64_t number) {
  const std::string common =
      fmt::format(R"("event_id":"event-{}","timestamp":"2026-03-01T10:00:00.{:06}Z")", number,
                  number % 1'000'000);
  if (number == 0) return fmt::format(R"({{{},"event_type":"playbook.initialized"}})", common);
  const auto part = static_cast<std::size_t>(number - 1) % command_life.size();
  const std::string_view status = command_life.at(part) == "step.exit" ? "COMPLETED" : "";
  return fmt::format(R"({{{},"event_type":"{}","node_name":"step-{}","command_id":"command-{}",)"
                     R"("payload":{{"worker":"worker-1"}}{}}})",
                     common, command_life.at(part), (number - 1) / 60,
                     (number - 1) / static_cast<std::int64_t>(command_life.size()),
                     status.empty() ? "" : fmt::format(R"(,"status":"{}")", status));
}

service::ServiceOptions with_real_clock() {
  service::ServiceOptions options;
  options.clock = std::make_shared<server::SystemClock>();
  return options;
}

}  // namespace

Client::Client() : service_(service::make_reference(with_real_clock())) {}

std::string Client::send(const service::Request& request) {
  service::Reply reply = service_->handle(request);
  if (reply.status / 100 != 2) {
    throw std::runtime_error(
        fmt::format("{} {}: {} {}", request.method, request.target, reply.status, reply.body));
  }
  return std::move(reply.body);
}

std::string Client::get(const std::string& target) { return send({"GET", target, {}, ""}); }

std::string Client::post(const std::string& target, std::string body) {
  return send({"POST", target, {{"Content-Type", "application/json"}}, std::move(body)});
}

Value Client::get_json(const std::string& target) {
  return service::parse_json(get(target)).value();
}

void Client::replay(const std::string& id, std::int64_t events) {
  post("/executions", fmt::format(R"({{"execution_id":"{}"}})", id));
  for (std::int64_t stored = 0; stored < events;) {
    const std::int64_t end = std::min(events, stored + events_per_batch);
    std::string batch = event(stored);
    while (++stored < end) batch += "," + event(stored);
    post("/executions/" + id + "/events/batch", R"({"events":[)" + batch + "]}");
  }
}

}  // namespace assay::bench
