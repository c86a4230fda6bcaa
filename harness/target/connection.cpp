#include "harness/target/connection.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/target/certificate_names.h"

namespace assay::target {
namespace asio = boost::asio;
using boost::system::error_code;

std::optional<core::TransportError> want_of_room(const error_code& error) {
  rlimit descriptors{};
  if (error == asio::error::no_descriptors && ::getrlimit(RLIMIT_NOFILE, &descriptors) == 0) {
    return core::TransportError{core::TransportFault::no_room,
                                fmt::format("{}, and this process may have {} (ulimit -n)",
                                            error.message(), descriptors.rlim_cur),
                                false};
  }
  if (error == boost::system::errc::too_many_files_open_in_system ||
      error == asio::error::no_buffer_space || error == asio::error::no_memory) {
    return core::TransportError{core::TransportFault::no_room, error.message(), false};
  }
  return std::nullopt;
}

Connection::Connection(asio::io_context& io, asio::ssl::context* tls) : socket_(io), timer_(io) {
  if (tls != nullptr) {
    tls_.emplace(socket_, *tls);
  }
}

void Connection::arm(TimePoint deadline) {
  timer_.expires_at(deadline);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    // A handler that was already queued when the bound was moved finds it in the future.
    if (!error && self->timer_.expiry() <= std::chrono::steady_clock::now()) self->expire();
  });
}

void Connection::expire() {
  has_expired_ = true;
  close();
}

void Connection::disarm() { timer_.expires_at(TimePoint::max()); }

void Connection::close() {
  error_code ignored;
  std::ignore = socket_.close(ignored);
}

core::TransportError Connection::connect_error(const error_code& error) const {
  if (has_expired_ || error == asio::error::timed_out) {
    return {core::TransportFault::connect_timeout, "connecting", false};
  }
  if (auto lack = want_of_room(error)) return *std::move(lack);
  return {core::TransportFault::refused, error.message(), false};
}

asio::awaitable<std::optional<core::TransportError>> Connection::open(Endpoint endpoint,
                                                                      const BaseUrl& url,
                                                                      bool verify,
                                                                      TimePoint deadline) {
  arm(deadline);
  error_code error;
  co_await socket_.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error));
  if (error || has_expired_) {
    close();
    co_return connect_error(error);
  }
  error_code ignored;
  std::ignore = socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  std::ignore = socket_.non_blocking(true, ignored);
  std::optional<core::TransportError> fault;
  if (tls_) {
    fault = co_await shake_hands(url, verify);
  }
  disarm();
  if (fault) {
    close();
  }
  co_return fault;
}

asio::awaitable<std::optional<core::TransportError>> Connection::shake_hands(const BaseUrl& url,
                                                                             bool verify) {
  error_code not_an_address;
  std::ignore = asio::ip::make_address(url.host, not_an_address);
  if (not_an_address) {
    // What the macro SSL_set_tlsext_host_name does, without its C cast.
    std::string name = url.host;
    SSL_ctrl(tls_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             name.data());
  }
  // The stream keeps the callback, and may call it again where the server renegotiates.
  const auto other_names = std::make_shared<std::string>();
  if (verify) {
    tls_->set_verify_callback([is_for_host = asio::ssl::host_name_verification(url.host),
                               other_names](bool is_trusted, asio::ssl::verify_context& context) {
      if (is_for_host(is_trusted, context)) return true;
      X509_STORE_CTX* const store = context.native_handle();
      if (is_trusted) *other_names = certificate_names(X509_STORE_CTX_get_current_cert(store));
      return false;
    });
  }
  error_code error;
  co_await tls_->async_handshake(asio::ssl::stream_base::client,
                                 asio::redirect_error(asio::use_awaitable, error));
  if (has_expired_) {
    co_return core::TransportError{core::TransportFault::connect_timeout, "in the TLS handshake",
                                   false};
  }
  if (!error) {
    co_return std::nullopt;
  }
  std::string detail = error.message();
  const long verdict = SSL_get_verify_result(tls_->native_handle());
  if (!other_names->empty()) {
    detail += fmt::format(" (the certificate is for {}, not for {})", *other_names, url.host);
  } else if (verdict != X509_V_OK) {
    detail += fmt::format(" ({})", X509_verify_cert_error_string(verdict));
  }
  if (ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_WRONG_VERSION_NUMBER) {
    detail += ". Does it speak plain HTTP?";
  }
  co_return core::TransportError{core::TransportFault::tls, std::move(detail), false};
}

void Connection::send(std::string text) {
  outgoing_ = std::move(text);
  send_state_ = SendState::sending;
  // Nearly every request fits into the socket's buffer: nothing then has to be waited for.
  std::size_t begun = 0;
  error_code error;
  if (!tls_) begun = socket_.write_some(asio::buffer(outgoing_), error);
  if (begun == outgoing_.size()) {
    send_state_ = SendState::sent;
    return;
  }
  auto on_sent = [self = shared_from_this(), begun](const error_code& fault, std::size_t bytes) {
    self->send_state_ = !fault               ? SendState::sent
                        : begun + bytes == 0 ? SendState::nothing_sent
                                             : SendState::failed;
  };
  if (tls_) {
    asio::async_write(*tls_, asio::buffer(outgoing_), std::move(on_sent));
  } else {
    asio::async_write(socket_, asio::buffer(outgoing_) + begun, std::move(on_sent));
  }
}

asio::awaitable<bool> Connection::send_whole(std::string text, TimePoint deadline) {
  arm(deadline);
  outgoing_ = std::move(text);
  send_state_ = SendState::sending;
  error_code error;
  if (tls_) {
    co_await asio::async_write(*tls_, asio::buffer(outgoing_),
                               asio::redirect_error(asio::use_awaitable, error));
  } else {
    co_await asio::async_write(socket_, asio::buffer(outgoing_),
                               asio::redirect_error(asio::use_awaitable, error));
  }
  send_state_ = error ? SendState::failed : SendState::sent;
  co_return !error;
}

asio::awaitable<std::optional<core::TransportError>> Connection::receive(AnswerReader& reader,
                                                                         TimePoint deadline) {
  arm(deadline);
  std::optional<core::TransportError> fault;
  AnswerReader::Progress progress = AnswerReader::Progress::wants_more;
  while (progress == AnswerReader::Progress::wants_more) {
    error_code error;
    std::size_t count = 0;
    if (tls_) {
      count = co_await tls_->async_read_some(asio::buffer(incoming_),
                                             asio::redirect_error(asio::use_awaitable, error));
    } else {
      count = co_await socket_.async_read_some(asio::buffer(incoming_),
                                               asio::redirect_error(asio::use_awaitable, error));
    }
    if (!error) {
      progress = reader.feed(std::string_view(incoming_.data(), count));
    } else if (error == asio::error::eof && !has_expired_) {
      progress = reader.end_of_stream();
    } else {
      fault = receive_error(error, reader);
      break;
    }
  }
  disarm();
  if (progress == AnswerReader::Progress::failed) {
    fault = reader.error();
  }
  co_return fault;
}

core::TransportError Connection::receive_error(const error_code& error,
                                               const AnswerReader& reader) const {
  const char* const how_far =
      reader.has_begun() ? "after a part of the answer" : "before the answer";
  if (has_expired_) {
    return {core::TransportFault::request_timeout, how_far, false};
  }
  if (error.category() == asio::error::get_ssl_category()) {
    // TLS 1.3 tells a client that its certificate is refused only after the handshake.
    return {core::TransportFault::tls, error.message(), false};
  }
  return {core::TransportFault::closed, fmt::format("{} ({})", how_far, error.message()), false};
}

bool Connection::may_be_kept() const {
  return !has_expired_ && socket_.is_open() && send_state_ == SendState::sent;
}

bool Connection::has_unasked_bytes() {
  char byte = 0;
  // What TLS has for a client that asked for nothing is a session's ticket.
  return !tls_ && ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool Connection::is_silent() {
  char byte = 0;
  const auto count = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count < 0 && errno == EAGAIN;
}

}  // namespace assay::target
