#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/core/profile.h"
#include "harness/target/target.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::target {

/// Where a target is and within which bounds it is spoken to.
struct HttpTargetSettings {
  std::string base_url;
  core::Tls tls;
  core::Limits limits;
};

/// What became of the connections of a target.
struct ConnectionCounters {
  std::int64_t opened = 0;
  /// Requests that went over a connection that an earlier one had opened.
  std::int64_t reused = 0;
  /// Idle connections that were found closed, or were idle for too long.
  std::int64_t dropped = 0;
  /// Requests that were sent again over a fresh connection.
  std::int64_t resent = 0;
  /// Kept connections that were closed without a word while a request was under way on them.
  std::int64_t lost = 0;
  /// Kept connections on which bytes came that nobody had asked for.
  std::int64_t unasked = 0;
  /// Each connection is used once from now on, because of those.
  bool uses_each_once = false;
};

/// A server reached over HTTP/1.1.
///
/// Connections are kept alive and grow in number with the requests that are under way at once.
/// `limits.request_ms` bounds a request from its first act to the answer's last byte, and
/// `limits.connect_ms` the part that resolves, connects and shakes hands; both are multiplied by
/// `wait_factor`.
/// That a connection may be kept is learned on one connection first; where a target closes kept
/// ones without a word several times, or sends answers that nobody asked for, each is used once.
/// `limits.rate` spaces requests out. Redirects are not followed, nothing is decompressed, and the
/// profile's headers are the caller's to add.
///
/// A request is sent again, once, only where a kept connection turns out to be closed and either no
/// byte of the request left or its method is safe (GET, HEAD, OPTIONS): a POST never goes out
/// twice.
///
/// A request that cannot be written as HTTP gives TransportFault::unsendable. All calls are made on
/// the one thread that runs the I/O context, which outlives the target.
class HttpTarget final : public Target {
 public:
  /// Throws ConfigurationError for a base URL or TLS files that cannot work. Opens no connection
  /// yet.
  HttpTarget(boost::asio::io_context& io, HttpTargetSettings settings);
  ~HttpTarget() override;

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override;

  /// Sends one request over a connection of its own, delivered badly on purpose. A delivery that is
  /// cut gives TransportFault::closed.
  boost::asio::awaitable<core::HttpResult> perform_with_delivery(core::HttpRequest request,
                                                                 Delivery delivery) override;

  boost::asio::awaitable<bool> pairs_answers(std::chrono::steady_clock::time_point since,
                                             std::chrono::milliseconds longest_wait) override;
  void give_up(std::chrono::steady_clock::time_point begun_before) override;
  [[nodiscard]] bool is_immediate() const override { return false; }
  [[nodiscard]] std::string location() const override;
  [[nodiscard]] ConnectionCounters counters() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::target
