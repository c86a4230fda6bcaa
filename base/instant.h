#pragma once

#include <chrono>

namespace assay {

/// A moment in UTC to the nanosecond, as the server's clock counts. The models are given the time;
/// they never read a clock.
using Instant = std::chrono::sys_time<std::chrono::nanoseconds>;

}  // namespace assay
