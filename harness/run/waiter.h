#pragma once

#include <boost/asio/awaitable.hpp>
#include <stop_token>
#include <utility>

namespace assay::run {

/// Lets time pass for one case while others go on. Tests move a clock instead.
class Waiter {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  virtual ~Waiter() = default;

  /// Resumes its caller after so many milliseconds, or a little later.
  virtual boost::asio::awaitable<void> wait(double pause_ms) = 0;
};

/// Waits on a timer of the caller's I/O context. Once a stop is requested every wait is soon over.
class TimerWaiter final : public Waiter {
 public:
  explicit TimerWaiter(std::stop_token stop = {}) : stop_(std::move(stop)) {}
  boost::asio::awaitable<void> wait(double pause_ms) override;

 private:
  std::stop_token stop_;
};

}  // namespace assay::run
