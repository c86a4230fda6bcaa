#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "harness/core/profile.h"
#include "harness/target/target.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::target {

/// A target behind a program that the profile names: one JSON object a line over its standard input
/// and output, as docs/adapters.md has it. Requests that core::is_adapter_line knows go to it, any
/// number at once; others go to `http`, where there is one.
///
/// `limits.request_ms` times `wait_factor` bounds a line until its answer, `max_body_bytes` the
/// answer's line, and `rate` spaces lines out. An answer that comes after its time is dropped. A
/// line that is no answer, names no question that is open, or is too long ends the conversation:
/// what is open then, and all that follows, gets TransportFault::adapter, and so it does where the
/// program ends.
///
/// All calls are made on the one thread that runs the I/O context, which outlives the target, in a
/// program that ignores SIGPIPE.
class AdapterTarget final : public Target {
 public:
  /// Starts the profile's adapter (which must be there) and shakes hands with it; blocking. Throws
  /// StartError where it ends or does not greet in time, with the end of what it wrote to standard
  /// error, and ConfigurationError where it cannot be started or lacks an operation that the
  /// profile says goes through it. `http` may be nullptr.
  AdapterTarget(boost::asio::io_context& io, const core::Profile& profile,
                std::unique_ptr<Target> http);
  /// Closes its standard input, and ends its process group where that does not end it.
  ~AdapterTarget() override;

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override;
  boost::asio::awaitable<core::HttpResult> perform_with_delivery(core::HttpRequest request,
                                                                 Delivery delivery) override;

  boost::asio::awaitable<bool> pairs_answers(std::chrono::steady_clock::time_point since,
                                             std::chrono::milliseconds longest_wait) override;
  void give_up(std::chrono::steady_clock::time_point begun_before) override;
  [[nodiscard]] bool is_immediate() const override { return false; }
  [[nodiscard]] bool speaks_http() const override { return http_ != nullptr; }
  [[nodiscard]] std::string identity() const override;
  [[nodiscard]] std::string location() const override;

  /// Where requests that are no lines go; may be nullptr.
  [[nodiscard]] const Target* http() const { return http_.get(); }

  /// Why the conversation is over; empty: it is not.
  [[nodiscard]] std::string trouble() const;
  /// The end of what the program wrote to standard error, for people, when something went wrong.
  [[nodiscard]] std::string output() const;

 private:
  class Conversation;

  std::unique_ptr<Target> http_;
  std::string command_;
  std::string identity_;
  std::shared_ptr<Conversation> conversation_;
};

}  // namespace assay::target
