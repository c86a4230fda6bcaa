// event_pages [EVENTS]: what a page of one execution's events costs at the start, in the middle and
// at the end of its log, and what its status costs beside that of an execution with one event;
// 100,000 events where nothing is given.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/client.h"
#include "bench/measuring.h"

namespace assay::bench {
namespace {

constexpr int rounds = 5;
constexpr int reads_per_round = 500;

double microseconds_per_read(Client& client, const std::string& target) {
  return least_of(rounds,
                  [&] {
                    return seconds_of([&] {
                      for (int read = 0; read < reads_per_round; ++read)
                        static_cast<void>(client.get(target));
                    });
                  }) *
         1e6 / reads_per_round;
}

/// The targets of all pages, in order.
std::vector<std::string> pages_of(Client& client, const std::string& path) {
  std::vector<std::string> pages;
  std::string target = path + "/events?limit=100";
  while (true) {
    pages.push_back(target);
    const auto next = client.get_json(target).string_at("next");
    if (!next) return pages;
    target = path + "/events?limit=100&after=" + *next;
  }
}

void measure(int count, char** arguments) {
  const std::int64_t events = number_argument(count, arguments, 1, 100'000);
  Client client;
  client.replay("short", 1);
  client.replay("long", events);
  const std::vector<std::string> pages = pages_of(client, "/executions/long");
  // The last full one: what is left over may be a shorter page.
  const std::size_t last = pages.size() < 2 ? 0 : pages.size() - 2;
  print_figure("microseconds_per_page_at_start", microseconds_per_read(client, pages.front()));
  print_figure("microseconds_per_page_in_middle", microseconds_per_read(client, pages[last / 2]));
  print_figure("microseconds_per_page_at_end", microseconds_per_read(client, pages[last]));
  print_figure("microseconds_per_status_of_1_event",
               microseconds_per_read(client, "/executions/short/status"));
  print_figure("microseconds_per_status_of_long_log",
               microseconds_per_read(client, "/executions/long/status"));
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded([&] { assay::bench::measure(count, arguments); });
}
