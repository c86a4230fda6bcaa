#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

namespace assay::run {

/// Runs coroutines at the same time on the caller's executor, each begun before the first one waits
/// for an answer, and resumes once all have ended. Rethrows the first exception by their order.
boost::asio::awaitable<void> run_all(std::vector<boost::asio::awaitable<void>> branches);

}  // namespace assay::run
