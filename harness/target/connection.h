#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "harness/core/http.h"
#include "harness/target/answer_reader.h"
#include "harness/target/base_url.h"

namespace assay::target {

/// What an error of the system says where it is this process that can open nothing more, for want
/// of descriptors or memory; nothing where it says something else.
[[nodiscard]] std::optional<core::TransportError> want_of_room(
    const boost::system::error_code& error);

/// One connection to a target, plain or TLS, that carries one request at a time. Internal to
/// HttpTarget. Handlers of pending operations keep it alive, so that what they write to is there.
///
/// One timer bounds each stage: when it runs out the socket is closed, whatever was pending on it
/// ends, and has_expired() tells that from a close by the other end.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Endpoint = boost::asio::ip::tcp::endpoint;

  /// With a TLS context the connection will be TLS.
  Connection(boost::asio::io_context& io, boost::asio::ssl::context* tls);

  /// Connects and shakes hands; gives nothing where that worked.
  boost::asio::awaitable<std::optional<core::TransportError>> open(Endpoint endpoint,
                                                                   const BaseUrl& url, bool verify,
                                                                   TimePoint deadline);

  /// Starts to send; may_have_sent() tells how far it came. The answer is received meanwhile,
  /// because it may come before the request is read.
  void send(std::string text);

  /// Sends and waits until all of it is with the kernel; false where the connection broke.
  boost::asio::awaitable<bool> send_whole(std::string text, TimePoint deadline);

  /// Reads until the answer is complete (then: nothing) or cannot become so.
  boost::asio::awaitable<std::optional<core::TransportError>> receive(AnswerReader& reader,
                                                                      TimePoint deadline);

  /// After an answer, whether another request may go over it: open, and the last one is out whole.
  [[nodiscard]] bool may_be_kept() const;

  /// Whether nothing came on an idle connection: neither its end nor bytes that nobody asked for.
  [[nodiscard]] bool is_silent();
  /// Whether bytes came on an idle connection.
  [[nodiscard]] bool has_unasked_bytes();

  /// Whether the other end may have seen any byte of the request.
  [[nodiscard]] bool may_have_sent() const { return send_state_ != SendState::nothing_sent; }

  /// Ends every bound; an idle connection has none.
  void disarm();
  void close();
  /// As if the bound of what is under way were reached.
  void expire();

  /// When it was opened, or the request began that it carries.
  TimePoint busy_since = std::chrono::steady_clock::now();
  /// When it became idle; for its pool.
  TimePoint idle_since;
  /// Whether an answer of an earlier request came over it.
  bool was_used = false;

 private:
  enum class SendState { nothing_sent, sending, sent, failed };

  void arm(TimePoint deadline);
  core::TransportError connect_error(const boost::system::error_code& error) const;
  core::TransportError receive_error(const boost::system::error_code& error,
                                     const AnswerReader& reader) const;
  boost::asio::awaitable<std::optional<core::TransportError>> shake_hands(const BaseUrl& url,
                                                                          bool verify);

  boost::asio::ip::tcp::socket socket_;
  std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
  boost::asio::steady_timer timer_;
  bool has_expired_ = false;
  SendState send_state_ = SendState::nothing_sent;
  std::string outgoing_;
  std::array<char, 65'536> incoming_{};
};

}  // namespace assay::target
