#include "reference_impl/server/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <tuple>
#include <utility>

// What is awaited stands alone and takes no temporaries: g++ 12 destroys those of a co_await
// expression twice.

namespace assay::server {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t read_bytes = 65'536;
constexpr std::size_t max_buffered_bytes = 4 * read_bytes;
/// A body declared longer than this is asked about before it is read.
constexpr std::size_t early_answer_bytes = 65'536;
constexpr std::size_t max_lingering_bytes = 64U << 20U;
constexpr milliseconds max_lingering{2'000};
/// How long the first request of a client may be on its way before others are let in instead.
constexpr milliseconds longest_coming{1'000};
/// For all that is under way elsewhere, and for what is stored.
constexpr std::size_t spare_bytes = 16U << 20U;
/// What a body of many small values costs once it is read, for each of its bytes.
constexpr std::size_t bytes_of_body_byte = 64;

std::string_view text_in(const boost::beast::flat_buffer& buffer) {
  return {static_cast<const char*>(buffer.cdata().data()), buffer.size()};
}

bool asks_to_close(const service::Reply& reply) {
  return std::any_of(reply.headers.begin(), reply.headers.end(), [](const auto& header) {
    return header.name == "Connection" && header.value == "close";
  });
}

}  // namespace

bool ConnectionSettings::has_room_for(std::size_t body_bytes) const {
  return !has_room || has_room(spare_bytes + bytes_of_body_byte * body_bytes);
}

Connection::Connection(Socket socket, const ConnectionSettings& settings)
    : socket_(std::move(socket)), settings_(settings), in_(max_buffered_bytes) {
  boost::system::error_code ignored;
  std::ignore = socket_.set_option(Protocol::no_delay(true), ignored);
}

Connection::Awaitable<void> Connection::serve() {
  while (co_await await_request()) {
    // What came behind the request just answered is not begun when the server stops.
    if (settings_.is_stopping) break;
    const bool goes_on = co_await serve_one();
    if (!goes_on) break;
  }
}

void Connection::expire(TimePoint now) {
  if (now < deadline_.load()) return;
  deadline_ = TimePoint::max();
  // A client that stands still can still be told so.
  ::shutdown(socket_.native_handle(), side_ == Side::reading ? SHUT_RD : SHUT_RDWR);
}

void Connection::drop() { ::shutdown(socket_.native_handle(), SHUT_RDWR); }

std::optional<Connection::TimePoint> Connection::idle_since() const {
  const TimePoint since = idle_since_;
  return since == TimePoint::max() ? std::nullopt : std::optional(since);
}

bool Connection::has_just_come() const {
  return !has_asked_ && steady_clock::now() - came_at_ < longest_coming;
}

Connection::Awaitable<bool> Connection::await_request() {
  request_deadline_ = TimePoint::max();
  while (true) {
    const std::string_view begun = text_in(in_);
    in_.consume(std::min(begun.find_first_not_of("\r\n"), begun.size()));
    if (in_.size() > 0) {
      has_asked_ = true;
      co_return true;
    }
    wait_at_most(settings_.waits.idle, Side::reading);
    idle_since_ = steady_clock::now();
    bool has_come = false;
    if (!settings_.is_stopping) has_come = co_await fill();
    idle_since_ = TimePoint::max();
    if (!has_come) co_return false;
  }
}

Connection::Awaitable<bool> Connection::serve_one() {
  request_deadline_ = steady_clock::now() + settings_.waits.request;
  Parser parser;
  parser.header_limit(max_head_bytes);
  parser.body_limit(boost::none);
  wait_at_most(settings_.waits.stall, Side::reading);
  const RequestFault fault = co_await read_head(parser);
  bool goes_on = fault == RequestFault::none && parser.keep_alive();
  service::Reply reply;
  if (fault == RequestFault::none) {
    reply = co_await answer(parser, goes_on);
  } else {
    reply = refusal(fault);
  }
  if (settings_.delay.count() > 0) {
    asio::basic_waitable_timer<steady_clock, asio::wait_traits<steady_clock>, Executor> timer(
        socket_.get_executor(), settings_.delay);
    co_await timer.async_wait(awaited);
  }
  goes_on = goes_on && !asks_to_close(reply) && !settings_.is_stopping;
  const bool is_old = parser.get().version() == 10;
  const std::string_view connection = !goes_on ? "close" : is_old ? "keep-alive" : "";
  const bool is_head = parser.get().method() == http::verb::head;
  std::string text = to_text(reply, !is_head, connection);
  const bool is_sent = co_await send(std::move(text));
  if (!is_sent) co_return false;
  if (!goes_on) co_await linger();
  co_return goes_on;
}

Connection::Awaitable<service::Reply> Connection::answer(Parser& parser, bool& goes_on) {
  service::Request request = to_request(parser.get());
  if (request.method == "HEAD") request.method = "GET";
  if (!parser.is_done()) {
    goes_on = false;
    const std::uint64_t declared = parser.content_length().value_or(0);
    const bool expects = parser.get().count(http::field::expect) > 0;
    if (declared > early_answer_bytes || expects) {
      if (auto refused = settings_.service->refuse_head(request)) co_return *std::move(refused);
    }
    if (declared > settings_.max_body_bytes) co_return refusal(RequestFault::body_too_long);
    if (expects) {
      std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await send(std::move(go_on));
    }
    const RequestFault fault = co_await read_body(parser);
    if (fault != RequestFault::none) co_return refusal(fault);
    request.body = std::move(parser.get().body());
    goes_on = parser.keep_alive();
  }
  if (!settings_.has_room_for(request.body.size())) {
    goes_on = false;
    co_return refusal(RequestFault::no_room);
  }
  co_return settings_.service->handle(request);
}

Connection::Awaitable<RequestFault> Connection::read_head(Parser& parser) {
  while (!parser.is_header_done()) {
    boost::system::error_code error;
    in_.consume(parser.put(in_.data(), error));
    if (error && has_endless_line(text_in(in_))) co_return RequestFault::target_too_long;
    if (error && error != http::error::need_more) co_return fault_of(error);
    if (!error) continue;
    if (!settings_.has_room_for(0)) co_return RequestFault::no_room;
    const bool has_come = co_await fill();
    if (!has_come) co_return RequestFault::head_cut_short;
  }
  co_return fault_in(parser.get());
}

Connection::Awaitable<RequestFault> Connection::read_body(Parser& parser) {
  parser.body_limit(settings_.max_body_bytes);
  // Beast takes whatever follows the digits of a size for an extension: 0x2 would be a last chunk.
  auto refuse_other_sizes = [](std::uint64_t, boost::beast::string_view extension,
                               boost::system::error_code& error) {
    const std::size_t begin = extension.find_first_not_of(" \t");
    if (begin != boost::beast::string_view::npos && extension[begin] != ';') {
      error = http::error::bad_chunk_extension;
    }
  };
  parser.on_chunk_header(refuse_other_sizes);
  bool wants_more = in_.size() == 0;
  while (!parser.is_done()) {
    if (wants_more) {
      if (!settings_.has_room_for(parser.get().body().size())) co_return RequestFault::no_room;
      wait_at_most(settings_.waits.stall, Side::reading);
      const bool has_come = co_await fill();
      if (!has_come) co_return RequestFault::body_cut_short;
    }
    boost::system::error_code error;
    in_.consume(parser.put(in_.data(), error));
    if (error == http::error::body_limit) co_return RequestFault::body_too_long;
    if (error && error != http::error::need_more) co_return RequestFault::malformed_chunks;
    wants_more = error == http::error::need_more || in_.size() == 0;
  }
  co_return RequestFault::none;
}

Connection::Awaitable<bool> Connection::fill() {
  if (in_.size() + read_bytes > in_.max_size()) co_return false;
  const auto [error, count] = co_await socket_.async_read_some(in_.prepare(read_bytes), awaited);
  in_.commit(count);
  co_return !error && count > 0;
}

Connection::Awaitable<bool> Connection::send(std::string text) {
  for (std::size_t sent = 0; sent < text.size();) {
    wait_at_most(settings_.waits.stall, Side::writing);
    const auto [error, count] =
        co_await socket_.async_write_some(asio::buffer(text) + sent, awaited);
    if (error) co_return false;
    sent += count;
  }
  co_return true;
}

Connection::Awaitable<void> Connection::linger() {
  boost::system::error_code ignored;
  std::ignore = socket_.shutdown(Socket::shutdown_send, ignored);
  request_deadline_ = steady_clock::now() + max_lingering;
  for (std::size_t swallowed = 0; swallowed < max_lingering_bytes;) {
    in_.clear();
    wait_at_most(max_lingering, Side::reading);
    if (settings_.is_stopping) break;
    const bool has_come = co_await fill();
    if (!has_come) break;
    swallowed += in_.size();
  }
}

void Connection::wait_at_most(milliseconds wait, Side side) {
  side_ = side;
  deadline_ = std::min(steady_clock::now() + wait, request_deadline_);
}

}  // namespace assay::server
