#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace assay::service {

/// Where the time comes from.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  /// Nanoseconds since 1970-01-01T00:00:00Z. May be called from many threads at once.
  [[nodiscard]] virtual std::int64_t now() = 0;
};

/// The server's time: that of another clock, until POST /control/clock first moves it by hand; from
/// then on it moves only so.
class ServerClock : public Clock {
 public:
  explicit ServerClock(Clock& source) : source_(source) {}

  [[nodiscard]] std::int64_t now() override;
  /// Moves the time on and gives the new one; nothing where it would leave the years that RFC 3339
  /// can write.
  [[nodiscard]] std::optional<std::int64_t> advance(std::int64_t advance_ms);

 private:
  Clock& source_;
  std::mutex mutex_;
  std::optional<std::int64_t> set_;
};

}  // namespace assay::service
