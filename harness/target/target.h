#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "harness/core/http.h"
#include "harness/core/scenario.h"

namespace assay::target {

/// How one request is delivered. That it arrives twice is for who sends it twice.
struct Delivery {
  core::Delivery fault = core::Delivery::once;
  /// For slow_body.
  std::int64_t pause_ms = 10;
  int pieces = 8;
};

/// A server to be judged, as far as the harness sees it: requests go in, answers or transport
/// faults come out. All calls happen on the one thread that runs the I/O context.
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  /// Sends one request and waits for its whole answer, within the limits that the target was made
  /// with. Several calls may be under way at once; each has a connection of its own. Never throws
  /// for anything that the network or the server does.
  virtual boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) = 0;

  /// Sends one request, delivered badly on purpose. A delivery that is cut gives
  /// TransportFault::closed. Here as far as it shows without a connection: what is cut before its
  /// end never arrives.
  virtual boost::asio::awaitable<core::HttpResult> perform_with_delivery(core::HttpRequest request,
                                                                         Delivery delivery);

  /// Ends the calls that are under way since before that moment, as if the time for each were over.
  /// Those that began later go on.
  virtual void give_up(std::chrono::steady_clock::time_point /*begun_before*/) {}

  /// Whether each answer that came since that moment can only be the one to its own request: not
  /// where the target sent what nobody had asked for and one of those went over a kept connection.
  /// What the target may have sent by then is waited for at most so long, times `wait_factor`; with
  /// 0 ms, only what is known already counts.
  virtual boost::asio::awaitable<bool> pairs_answers(std::chrono::steady_clock::time_point since,
                                                     std::chrono::milliseconds longest_wait);

  /// Whether nothing can change between two requests (in process): then waits look once and twice
  /// instead of for a time.
  [[nodiscard]] virtual bool is_immediate() const = 0;

  /// Whether requests of a scenario's own can be sent: not where all goes through an adapter.
  [[nodiscard]] virtual bool speaks_http() const { return true; }

  /// What it says of itself before anything is asked: "name version"; empty: nothing.
  [[nodiscard]] virtual std::string identity() const { return ""; }

  /// Where it is, for messages and repro commands: its base URL, or "in-process".
  [[nodiscard]] virtual std::string location() const = 0;
};

}  // namespace assay::target
