#include "harness/run/waiter.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace assay::run {
namespace {

/// How often a long wait looks whether it is still wanted.
constexpr double look_interval_ms = 100;

}  // namespace

boost::asio::awaitable<void> TimerWaiter::wait(double pause_ms) {
  using std::chrono::steady_clock;
  const std::chrono::duration<double, std::milli> pause(pause_ms);
  const std::chrono::duration<double, std::milli> look_interval(look_interval_ms);
  const auto executor = co_await boost::asio::this_coro::executor;
  boost::asio::steady_timer timer(executor);
  const auto step = std::chrono::duration_cast<steady_clock::duration>(look_interval);
  const auto end = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(pause);
  do {
    const auto next = stop_.stop_possible() ? std::min(end, steady_clock::now() + step) : end;
    timer.expires_at(next);
    co_await timer.async_wait(boost::asio::use_awaitable);
  } while (timer.expiry() < end && !stop_.stop_requested());
}

}  // namespace assay::run
