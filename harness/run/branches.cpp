#include "harness/run/branches.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

namespace assay::run {
namespace {

/// Shared by the branches and by who waits for them, whichever of them lives longest.
struct Latch {
  Latch(const boost::asio::any_io_executor& executor, std::size_t count)
      : open(count), faults(count), ended(executor, boost::asio::steady_timer::time_point::max()) {}

  std::size_t open;
  std::vector<std::exception_ptr> faults;
  boost::asio::steady_timer ended;
};

}  // namespace

boost::asio::awaitable<void> run_all(std::vector<boost::asio::awaitable<void>> branches) {
  if (branches.empty()) co_return;
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto latch = std::make_shared<Latch>(executor, branches.size());
  for (std::size_t index = 0; index < branches.size(); ++index) {
    boost::asio::co_spawn(executor, std::move(branches[index]),
                          [latch, index](std::exception_ptr fault) {
                            latch->faults[index] = std::move(fault);
                            if (--latch->open == 0) latch->ended.cancel();
                          });
  }
  if (latch->open > 0) {
    boost::system::error_code cancelled;
    auto token = boost::asio::redirect_error(boost::asio::use_awaitable, cancelled);
    co_await latch->ended.async_wait(token);
  }
  for (const std::exception_ptr& fault : latch->faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

}  // namespace assay::run
