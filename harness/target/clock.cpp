#include "harness/target/clock.h"

#include <fmt/format.h>

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

std::string rfc3339(Instant instant) {
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::milliseconds>(instant - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

}  // namespace assay::target
