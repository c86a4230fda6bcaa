// engine_steps [STEPS...]: the time per event of a driven chain of so many steps, the client
// playing the worker; 100, 1,000 and 10,000 steps where none are given.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/client.h"
#include "bench/measuring.h"

namespace assay::bench {
namespace {

constexpr int rounds = 3;
/// Short chains are played several times, until so many steps are done.
constexpr std::int64_t steps_per_round = 10'000;

/// Each step has one arc, with a guard, to the next.
std::string chain(std::int64_t steps) {
  std::string workflow;
  for (std::int64_t step = 0; step + 1 < steps; ++step) {
    workflow += fmt::format(
        R"({{"step":"step-{}","next":{{"arcs":[{{"step":"step-{}","when":"{{{{ output.ok }}}}"}}]}}}},)",
        step, step + 1);
  }
  return fmt::format(R"({{"workflow":[{}{{"step":"step-{}"}}]}})", workflow, steps - 1);
}

std::string worker_event(std::string_view type, std::string_view step_run_id) {
  return fmt::format(
      R"({{"event_id":"{}-{}","event_type":"{}","timestamp":"2026-03-01T10:00:00Z",)"
      R"("source":"worker","step_run_id":"{}","payload":{{"outcome":{{"ok":true}}}}}})",
      type, step_run_id, type, step_run_id);
}

/// Plays an execution to its end; how many events it has then.
std::int64_t play(Client& client, const std::string& id, std::int64_t steps) {
  client.post("/executions",
              fmt::format(R"({{"execution_id":"{}","playbook":{}}})", id, chain(steps)));
  const std::string path = "/executions/" + id;
  for (std::int64_t step = 0; step < steps; ++step) {
    const Value marking = client.get_json(path + "/marking");
    const Value* run = marking.at_pointer("/tokens/0/step_run_id");
    if (run == nullptr) throw std::runtime_error("no token is left before the last step");
    client.post(path + "/events", worker_event("step.started", run->as_string()));
    client.post(path + "/events", worker_event("step.done", run->as_string()));
  }
  const Value last = client.get_json(path + "/events?event_type=playbook.processed");
  const Value* seq = last.at_pointer("/events/0/seq");
  if (seq == nullptr) throw std::runtime_error("the chain did not come to its end");
  return *seq->to_int64();
}

/// Microseconds per event, the worker's requests and the reading of the playbook included.
double time_per_event(std::int64_t steps) {
  Client client;
  std::int64_t events = 0;
  const double seconds = seconds_of([&] {
    const std::int64_t chains = std::max<std::int64_t>(1, steps_per_round / steps);
    for (std::int64_t number = 0; number < chains; ++number) {
      events += play(client, fmt::format("chain-{}", number), steps);
    }
  });
  return seconds * 1e6 / static_cast<double>(events);
}

void measure(int count, char** arguments) {
  std::vector<std::int64_t> sizes;
  for (int index = 1; index < count; ++index) {
    sizes.push_back(number_argument(count, arguments, index, 0));
  }
  if (sizes.empty()) sizes = {100, 1'000, 10'000};
  for (const std::int64_t steps : sizes) {
    print_figure(fmt::format("microseconds_per_event_of_{}_steps", steps),
                 least_of(rounds, [steps] { return time_per_event(steps); }));
  }
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded([&] { assay::bench::measure(count, arguments); });
}
