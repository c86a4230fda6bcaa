#include "harness/run/ending.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <stop_token>
#include <utility>

#include "harness/run/hooks.h"

namespace assay::run {
namespace {

/// Whether a target is to be rid of something when a run ends, or its services are to work again.
bool leaves_things(const core::Profile& profile) {
  return !profile.cleanup.empty() || !profile.teardown.empty() ||
         profile.capabilities.contains("control.lock_service") ||
         profile.capabilities.contains("control.lifecycle_hold");
}

}  // namespace

boost::asio::awaitable<void> tear_down(const RunContext& context, bool& is_due) {
  if (!std::exchange(is_due, false)) co_return;
  Session session(context, context.prefix + "-teardown");
  session.wind_up();
  Object parameters = context.ambient;
  (void)co_await run_hooks(session, context.profile.teardown, parameters);
}

void run_until_over(boost::asio::io_context& io, const RunContext& context, bool& teardown_is_due,
                    std::int64_t clean_up_ms) {
  const std::chrono::milliseconds clean_up_time(clean_up_ms);
  const auto moment = std::make_shared<boost::asio::steady_timer>(io);
  const auto end_soon = [&io, &target = context.target, moment, clean_up_time] {
    // What is asked from now on is asked to clean up.
    const auto stopped = std::chrono::steady_clock::now();
    moment->expires_after(clean_up_time);
    moment->async_wait([&io, &target, moment, clean_up_time, stopped](const auto& is_over) {
      if (is_over) return;
      target.give_up(stopped);
      moment->expires_after(clean_up_time);
      moment->async_wait([&io](const auto& is_cleaned_up) {
        if (!is_cleaned_up) io.stop();
      });
    });
  };
  io.restart();
  {
    const bool has_to_clean_up = leaves_things(context.profile);
    const std::stop_callback cancel(context.stop, [&io, &end_soon, has_to_clean_up] {
      if (has_to_clean_up) {
        boost::asio::post(io, end_soon);
      } else {
        io.stop();
      }
    });
    if (!context.stop.stop_requested()) io.run();
  }
  moment->cancel();
  if (!teardown_is_due || !context.stop.stop_requested()) return;
  io.restart();
  boost::asio::co_spawn(io, tear_down(context, teardown_is_due),
                        [&io](const std::exception_ptr&) { io.stop(); });
  io.run_for(clean_up_time);
}

}  // namespace assay::run
