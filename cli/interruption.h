#pragma once

#include <stop_token>
#include <thread>

namespace assay::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP asks for a stop instead of ending the
/// process, so that what was judged so far is kept; the second ends it. Made before any other
/// thread, so that none of them takes the signals.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace assay::cli
