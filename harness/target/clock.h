#pragma once

#include "base/instant.h"

namespace assay::target {

/// The time as the harness sees it: one clock for differences, one for the record's header.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  /// Milliseconds since some moment; never goes back.
  [[nodiscard]] virtual double steady_ms() const = 0;

  [[nodiscard]] virtual Instant wall_time() const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] double steady_ms() const override;
  [[nodiscard]] Instant wall_time() const override;
};

/// A clock that a test moves by hand.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Instant start = {}) : start_(start) {}

  [[nodiscard]] double steady_ms() const override { return elapsed_ms_; }
  [[nodiscard]] Instant wall_time() const override;
  void advance(double by_ms) { elapsed_ms_ += by_ms; }

 private:
  Instant start_;
  double elapsed_ms_ = 0;
};

}  // namespace assay::target
