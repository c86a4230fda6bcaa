#include "harness/run/side_thread.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

namespace assay::run {
namespace {

boost::asio::awaitable<void> carry_out(std::function<void()> work) {
  work();
  co_return;
}

}  // namespace

struct SideThread::Pool {
  boost::asio::thread_pool threads{1};
};

SideThread::SideThread() = default;

SideThread::~SideThread() = default;

boost::asio::awaitable<void> SideThread::perform(std::function<void()> work) {
  if (!pool_ && !is_wanting_) {
    try {
      pool_ = std::make_unique<Pool>();
    } catch (const std::exception&) {
      is_wanting_ = true;
    }
  }
  if (pool_) {
    co_await boost::asio::co_spawn(pool_->threads, carry_out(std::move(work)),
                                   boost::asio::use_awaitable);
  } else {
    work();
  }
}

}  // namespace assay::run
