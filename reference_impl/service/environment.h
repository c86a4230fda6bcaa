#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "reference_impl/service/clock.h"
#include "reference_impl/service/options.h"
#include "reference_impl/service/publications.h"
#include "reference_impl/service/state_index.h"

namespace assay::service {

/// What /metrics counts.
struct Counters {
  std::atomic<std::uint64_t> executions = 0;
  std::atomic<std::uint64_t> events = 0;
  std::atomic<std::uint64_t> duplicates = 0;
  std::atomic<std::uint64_t> conflicts = 0;
  /// By the first digit of the reply's status.
  std::atomic<std::uint64_t> replies[6] = {};
};

/// What all parts of one server share.
struct Environment {
  explicit Environment(ServiceOptions with) : options(std::move(with)), clock(*options.clock) {}

  const ServiceOptions options;
  ServerClock clock;
  StateIndex states;
  Publications publications;
  Counters counters;

  /// The server's time as RFC 3339 in UTC.
  [[nodiscard]] std::string timestamp();
};

}  // namespace assay::service
