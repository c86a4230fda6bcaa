#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <vector>

#include "harness/core/record.h"
#include "harness/target/target.h"

namespace assay::run {

/// Whether the checks of a case say that its answers may be those of other requests.
[[nodiscard]] bool are_answers_doubted(const std::vector<core::Check>& checks);

/// Nothing is concluded from answers that may be those of other requests: where the target sends
/// what nobody asks for over the connections that it keeps, what was checked since the case began
/// is inconclusive. Only before an accusation is it waited for what may still come.
boost::asio::awaitable<void> doubt_mixed_answers(target::Target& target,
                                                 std::chrono::steady_clock::time_point began,
                                                 std::vector<core::Check>& checks);

}  // namespace assay::run
