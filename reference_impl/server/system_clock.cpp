#include "reference_impl/server/system_clock.h"

#include <chrono>

namespace assay::server {

std::int64_t SystemClock::now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
}

}  // namespace assay::server
