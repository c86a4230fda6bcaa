#include "harness/run/waiter.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace assay::run {

boost::asio::awaitable<void> TimerWaiter::wait(double pause_ms) {
  using std::chrono::steady_clock;
  const std::chrono::duration<double, std::milli> pause(pause_ms);
  const auto executor = co_await boost::asio::this_coro::executor;
  boost::asio::steady_timer timer(executor,
                                  std::chrono::duration_cast<steady_clock::duration>(pause));
  co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace assay::run
