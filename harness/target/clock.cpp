#include "harness/target/clock.h"

#include <chrono>

namespace assay::target {

double SystemClock::steady_ms() const {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Instant SystemClock::wall_time() const {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

Instant ManualClock::wall_time() const {
  const std::chrono::duration<double, std::milli> elapsed(elapsed_ms_);
  return start_ + std::chrono::floor<std::chrono::milliseconds>(elapsed);
}

}  // namespace assay::target
