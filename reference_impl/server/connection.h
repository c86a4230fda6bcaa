#pragma once

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference_impl/server/address_space.h"
#include "reference_impl/server/request_head.h"
#include "reference_impl/service/service.h"

namespace assay::server {

/// How long a connection waits.
struct Waits {
  /// For the next request of an idle client.
  std::chrono::milliseconds idle{3'600'000};
  /// For the whole head of a request that has begun, for the next bytes of its body, and for a
  /// client that takes no bytes.
  std::chrono::milliseconds stall{60'000};
  /// For a whole request, however steadily it drips.
  std::chrono::milliseconds request{600'000};
};

/// What all connections of a server share.
struct ConnectionSettings {
  std::shared_ptr<service::Service> service;
  Waits waits;
  std::size_t max_body_bytes = 0;
  /// How much later than it could each request is answered.
  std::chrono::milliseconds delay{0};
  HasRoom has_room = {};
  /// Once it is set no request is begun any more.
  std::atomic<bool> is_stopping = false;

  /// Whether a client can be served whose request has so many bytes of body so far, whatever the
  /// others do meanwhile.
  [[nodiscard]] bool has_room_for(std::size_t body_bytes) const;
};

/// One client's connection, served by one coroutine: requests one after the other, each bounded in
/// bytes and time. Times are kept by whoever calls `expire` now and then, so that no request costs
/// a timer.
class Connection {
 public:
  using Executor = boost::asio::io_context::executor_type;
  using Protocol = boost::asio::ip::tcp;
  using Socket = boost::asio::basic_stream_socket<Protocol, Executor>;
  template <typename Result>
  using Awaitable = boost::asio::awaitable<Result, Executor>;
  using TimePoint = std::chrono::steady_clock::time_point;

  /// Gives the error beside the result instead of throwing it: a client that leaves is nothing
  /// exceptional.
  static constexpr auto awaited = boost::asio::as_tuple(boost::asio::use_awaitable_t<Executor>());

  Connection(Socket socket, const ConnectionSettings& settings);

  /// Serves the client until it leaves, is refused, stands still for too long, or the server stops.
  Awaitable<void> serve();

  // From any thread, while it is served:

  /// Ends the wait that has lasted past its deadline.
  void expire(TimePoint now);
  /// Ends the connection whatever is in flight.
  void drop();
  /// Since when it has waited for a request; nothing while one is in flight.
  [[nodiscard]] std::optional<TimePoint> idle_since() const;
  /// Whether the client came so lately that its first request may be on its way.
  [[nodiscard]] bool has_just_come() const;

 private:
  enum class Side { reading, writing };
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  /// Waits for the first bytes of a request, empty lines before it dropped (RFC 9112 2.2). False
  /// where there are none.
  Awaitable<bool> await_request();
  /// Answers the request whose first bytes are there; false where the connection ends with it.
  Awaitable<bool> serve_one();
  Awaitable<service::Reply> answer(Parser& parser, bool& goes_on);
  /// Reads on until the parser has what it wants; gives what is wrong.
  Awaitable<RequestFault> read_head(Parser& parser);
  Awaitable<RequestFault> read_body(Parser& parser);
  /// Reads some bytes into the buffer; false where none come.
  Awaitable<bool> fill();
  Awaitable<bool> send(std::string text);
  /// Ends the connection so that the client can still read the answer: what it goes on to send is
  /// swallowed for a while, for closing over unread bytes would reset the connection.
  Awaitable<void> linger();
  void wait_at_most(std::chrono::milliseconds wait, Side side);

  Socket socket_;
  const ConnectionSettings& settings_;
  boost::beast::flat_buffer in_;
  TimePoint request_deadline_ = TimePoint::max();
  std::atomic<TimePoint> deadline_ = TimePoint::max();
  std::atomic<TimePoint> idle_since_ = TimePoint::max();
  const TimePoint came_at_ = std::chrono::steady_clock::now();
  std::atomic<bool> has_asked_ = false;
  std::atomic<Side> side_{Side::reading};
};

}  // namespace assay::server
