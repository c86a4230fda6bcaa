#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "harness/run/session.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::run {

/// How long what somebody ends has for the answers that it waits for, then to clean up, and after
/// that for the teardown.
inline constexpr std::int64_t default_clean_up_ms = 2'000;

/// Asks for the profile's teardown where it is due: once the setup was begun, until this was
/// called.
boost::asio::awaitable<void> tear_down(const RunContext& context, bool& is_due);

/// Runs what is spawned on `io` until it stops `io`. Once the context's stop is requested, what is
/// under way has a moment to be answered, another to clean up after itself, and a teardown that is
/// still due has a third. Where the target is to be rid of nothing, `io` is stopped at once.
void run_until_over(boost::asio::io_context& io, const RunContext& context, bool& teardown_is_due,
                    std::int64_t clean_up_ms = default_clean_up_ms);

}  // namespace assay::run
