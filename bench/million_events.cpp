// million_events [EXECUTIONS [EVENTS_OF_EACH]]: the memory of a reference server that holds so
// much, and what a status read costs before and after; 10,000 executions of 100 events where
// nothing is given.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "bench/client.h"
#include "bench/measuring.h"

namespace assay::bench {
namespace {

std::string name_of(std::int64_t number) { return fmt::format("execution-{}", number); }

/// Microseconds per read, each execution read once.
double microseconds_per_status(Client& client, std::int64_t executions) {
  return seconds_of([&] {
           for (std::int64_t number = 0; number < executions; ++number) {
             static_cast<void>(client.get("/executions/" + name_of(number) + "/status"));
           }
         }) *
         1e6 / static_cast<double>(executions);
}

void fill(Client& client, std::int64_t executions, std::int64_t events) {
  for (std::int64_t number = 0; number < executions; ++number) {
    client.replay(name_of(number), events);
  }
}

void measure(int count, char** arguments) {
  constexpr int rounds = 3;
  const std::int64_t executions = number_argument(count, arguments, 1, 10'000);
  const std::int64_t events = number_argument(count, arguments, 2, 100);
  {
    Client client;
    fill(client, executions, 1);
    print_figure("microseconds_per_status_of_1_event",
                 least_of(rounds, [&] { return microseconds_per_status(client, executions); }));
  }
  Client client;
  const double seconds = seconds_of([&] { fill(client, executions, events); });
  print_figure("microseconds_per_stored_event",
               seconds * 1e6 / static_cast<double>(executions * events));
  print_figure("microseconds_per_status",
               least_of(rounds, [&] { return microseconds_per_status(client, executions); }));
  print_figure("resident_mebibytes", static_cast<double>(resident_bytes()) / (1024 * 1024));
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded([&] { assay::bench::measure(count, arguments); });
}
