#pragma once

#include <boost/asio/awaitable.hpp>

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

/// Waits on a timer of the caller's I/O context.
class TimerWaiter final : public Waiter {
 public:
  boost::asio::awaitable<void> wait(double pause_ms) override;
};

}  // namespace assay::run
