#include "reference_impl/service/clock.h"

namespace assay::service {
namespace {

constexpr std::int64_t nanoseconds_per_ms = 1'000'000;
/// The last instant that 64 bits of nanoseconds hold: in the year 2262.
constexpr std::int64_t last_instant = INT64_MAX;

}  // namespace

std::int64_t ServerClock::now() {
  const std::lock_guard lock(mutex_);
  return set_ ? *set_ : source_.now();
}

std::optional<std::int64_t> ServerClock::advance(std::int64_t advance_ms) {
  const std::lock_guard lock(mutex_);
  const std::int64_t from = set_ ? *set_ : source_.now();
  if (advance_ms > (last_instant - from) / nanoseconds_per_ms) return std::nullopt;
  set_ = from + advance_ms * nanoseconds_per_ms;
  return set_;
}

}  // namespace assay::service
