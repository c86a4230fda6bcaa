#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace assay::target {

/// Spaces requests out, so many a second.
class Turns {
 public:
  /// `rate` is requests a second; 0 is no bound.
  Turns(boost::asio::io_context& io, double rate) : io_(io), rate_(rate) {}

  /// Waits until another request is due.
  boost::asio::awaitable<void> wait() {
    if (rate_ <= 0) co_return;
    const std::chrono::duration<double> interval(1 / rate_);
    const auto now = std::chrono::steady_clock::now();
    const auto turn = std::max(now, next_);
    next_ = turn + std::chrono::duration_cast<std::chrono::steady_clock::duration>(interval);
    if (turn <= now) co_return;
    boost::asio::steady_timer timer(io_);
    timer.expires_at(turn);
    co_await timer.async_wait(boost::asio::use_awaitable);
  }

 private:
  boost::asio::io_context& io_;
  double rate_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace assay::target
