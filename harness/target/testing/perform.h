#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "harness/target/http_target.h"

namespace assay::target::testing {

/// Runs one call of a target to its end, and nothing longer.
template <typename Result>
Result run_to_end(boost::asio::io_context& io, boost::asio::awaitable<Result> call) {
  std::future<Result> result = boost::asio::co_spawn(io, std::move(call), boost::asio::use_future);
  io.restart();
  io.run();
  return result.get();
}

/// Limits small enough for tests of what never comes.
inline core::Limits short_limits() {
  core::Limits limits;
  limits.connect_ms = 200;
  limits.request_ms = 200;
  limits.max_header_bytes = 8'192;
  limits.max_body_bytes = 65'536;
  return limits;
}

/// Limits for tests of what does come, however slow the machine is.
inline core::Limits patient_limits() {
  core::Limits limits = short_limits();
  limits.connect_ms = 20'000;
  limits.request_ms = 20'000;
  return limits;
}

/// Does it while the context runs, in a moment.
template <typename Action>
void do_soon(boost::asio::io_context& io, Action action) {
  const auto timer = std::make_shared<boost::asio::steady_timer>(io, std::chrono::milliseconds(50));
  timer->async_wait([timer, action](const auto&) { action(); });
}

}  // namespace assay::target::testing
