// status_reads BASE_URL PATH [SECONDS]: how many requests a second the harness's own HTTP client
// makes on one connection, one after the other.
#include <fmt/format.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/measuring.h"
#include "harness/target/http_target.h"

namespace assay::bench {
namespace {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

/// Reads until `end`; how many answers came. Throws where one isn't 200.
asio::awaitable<std::int64_t> read_until(target::HttpTarget& target, std::string path,
                                         SteadyClock::time_point end) {
  std::int64_t answers = 0;
  while (SteadyClock::now() < end) {
    core::HttpRequest request{"GET", path, {}, std::nullopt};
    const core::HttpResult result = co_await target.perform(std::move(request));
    if (!result || result->status != 200) {
      throw std::runtime_error("a read of " + path + " was not answered with 200");
    }
    ++answers;
  }
  co_return answers;
}

void measure(int count, char** arguments) {
  if (count < 3) throw std::runtime_error("usage: status_reads BASE_URL PATH [SECONDS]");
  const std::int64_t seconds = number_argument(count, arguments, 3, 5);
  asio::io_context io;
  target::HttpTarget target(io, {arguments[1], {}, {}});
  std::int64_t answers = 0;
  std::exception_ptr fault;
  const double elapsed = seconds_of([&] {
    asio::co_spawn(
        io, read_until(target, arguments[2], SteadyClock::now() + std::chrono::seconds(seconds)),
        [&](const std::exception_ptr& thrown, std::int64_t read) {
          fault = thrown;
          answers = read;
        });
    io.run();
  });
  if (fault) std::rethrow_exception(fault);
  if (target.counters().opened != 1)
    throw std::runtime_error("more than one connection was opened");
  print_figure("requests_per_second", static_cast<double>(answers) / elapsed);
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded([&] { assay::bench::measure(count, arguments); });
}
