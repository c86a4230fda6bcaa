#include "harness/target/http_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/target/answer_reader.h"
#include "harness/target/base_url.h"
#include "harness/target/configuration_error.h"
#include "harness/target/connection.h"
#include "harness/target/request_text.h"
#include "harness/target/turns.h"

namespace assay::target {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// Enough for every case that runs at once; more would only hold sockets.
constexpr std::size_t max_idle_connections = 256;
/// Below the idle limit of common servers (2 to 75 s), so that a request seldom meets a close.
constexpr std::chrono::milliseconds max_idle_time{1'500};

/// So many kept connections that were lost are no accident.
constexpr std::int64_t most_lost = 3;
/// So many requests over a connection that was kept show that a target keeps them.
constexpr int trusted_reuses = 3;
/// How long what nobody asked for may take to come, while a target is not yet trusted.
constexpr std::chrono::milliseconds suspicion{5};
/// The longest that is waited for that, however slow the target is.
constexpr std::chrono::milliseconds longest_suspicion{50};

std::chrono::nanoseconds scaled(std::int64_t wait_ms, double factor) {
  const std::chrono::duration<double, std::milli> wait(static_cast<double>(wait_ms) * factor);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(wait);
}

void must_load(const error_code& error, std::string_view what, const std::string& file) {
  if (error) {
    throw ConfigurationError(fmt::format("tls: {} {}: {}", what, file, error.message()));
  }
}

/// A device may never end; a pipe is how a shell hands out a key.
void must_end(const std::string& file) {
  std::error_code none_there;
  if (std::filesystem::is_character_file(file, none_there)) {
    throw ConfigurationError(fmt::format("tls: {}: is a device, expected a file", file));
  }
}

std::unique_ptr<asio::ssl::context> tls_context(const core::Tls& tls) {
  for (const std::string& file : {tls.ca_file, tls.certificate_file, tls.key_file}) must_end(file);
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_client);
  error_code error;
  context->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv3 |
                       asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
  context->set_verify_mode(tls.verify ? asio::ssl::verify_peer : asio::ssl::verify_none);
  if (tls.ca_file.empty()) {
    must_load(context->set_default_verify_paths(error), "the system's authorities", "");
  } else {
    must_load(context->load_verify_file(tls.ca_file, error), "ca", tls.ca_file);
  }
  if (!tls.certificate_file.empty()) {
    must_load(context->use_certificate_chain_file(tls.certificate_file, error), "cert",
              tls.certificate_file);
    // A file that holds both is common.
    const std::string& key = tls.key_file.empty() ? tls.certificate_file : tls.key_file;
    must_load(context->use_private_key_file(key, asio::ssl::context::pem, error), "key", key);
  }
  return context;
}

/// RFC 9110 section 9.2.1: sending it twice cannot do what sending it once does not.
bool is_safe(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

/// Closes a connection unless its request went well, also when its coroutine is abandoned.
class Lease {
 public:
  explicit Lease(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (connection_) {
      connection_->disarm();
      connection_->close();
    }
  }

  Connection* operator->() const { return connection_.get(); }
  Connection& operator*() const { return *connection_; }
  std::shared_ptr<Connection> release() { return std::exchange(connection_, nullptr); }

 private:
  std::shared_ptr<Connection> connection_;
};

/// A look-up under way; its handler may come after nobody waits for it any more.
struct Resolution {
  explicit Resolution(asio::io_context& io) : resolver(io), wake(io) {}

  tcp::resolver resolver;
  asio::steady_timer wake;
  bool is_done = false;
  error_code error;
  std::vector<tcp::endpoint> endpoints;
};

using Opened = Result<std::shared_ptr<Connection>, core::TransportError>;
using Resolved = std::optional<core::TransportError>;

}  // namespace

class HttpTarget::State {
 public:
  State(asio::io_context& io, HttpTargetSettings settings)
      : io_(io),
        settings_(std::move(settings)),
        request_ms_(std::min(settings_.limits.request_ms, settings_.limits.case_ms)),
        url_(parse_base_url(settings_.base_url)),
        tls_(url_.tls ? tls_context(settings_.tls) : nullptr),
        turns_(io, settings_.limits.rate) {}

  asio::awaitable<core::HttpResult> perform(core::HttpRequest request);
  asio::awaitable<core::HttpResult> perform_with_delivery(core::HttpRequest request,
                                                          Delivery delivery);

  asio::awaitable<bool> pairs_answers(SteadyClock::time_point since,
                                      std::chrono::milliseconds longest_wait);
  void give_up(SteadyClock::time_point begun_before);

  [[nodiscard]] const std::string& location() const { return settings_.base_url; }
  [[nodiscard]] const ConnectionCounters& counters() const { return counters_; }

 private:
  asio::awaitable<void> pause(SteadyClock::time_point until);
  /// Fills endpoints_, once for the life of the target.
  asio::awaitable<Resolved> resolve(SteadyClock::time_point deadline);
  asio::awaitable<Opened> open(SteadyClock::time_point deadline);
  std::shared_ptr<Connection> take_idle();
  /// Closes the idle ones on which something came.
  void close_unasked();
  /// Makes room for another one; false where none is idle.
  bool close_an_idle_one();
  /// The one over which it is learned whether connections may be kept; nullptr: open another one.
  asio::awaitable<std::shared_ptr<Connection>> take_on_trial();
  /// After something came that nobody had asked for: what follows on a kept connection may be the
  /// answer to another request.
  void distrust();
  void keep(std::shared_ptr<Connection> connection);
  /// One attempt over one connection; `may_resend` tells whether another is harmless.
  asio::awaitable<core::HttpResult> exchange(std::shared_ptr<Connection> connection,
                                             const core::HttpRequest& request, RequestText text,
                                             SteadyClock::time_point deadline, bool& may_resend);
  /// Sends the head, then the body in pieces; stops where the connection breaks.
  asio::awaitable<void> send_slowly(Connection& connection, RequestText text, Delivery delivery,
                                    SteadyClock::time_point deadline);

  [[nodiscard]] SteadyClock::time_point deadline_after(std::int64_t wait_ms) const {
    return SteadyClock::now() + scaled(wait_ms, settings_.limits.wait_factor);
  }

  asio::io_context& io_;
  HttpTargetSettings settings_;
  /// No request outlasts a case.
  std::int64_t request_ms_;
  BaseUrl url_;
  std::unique_ptr<asio::ssl::context> tls_;
  std::vector<tcp::endpoint> endpoints_;
  /// Those that are open, and some that were.
  std::vector<std::weak_ptr<Connection>> connections_;
  /// The last one in is the first one out, so that a burst's connections age and go.
  std::vector<std::shared_ptr<Connection>> idle_;
  Turns turns_;
  ConnectionCounters counters_;
  int reuses_ = 0;
  /// When a request or an answer last went over a kept connection.
  std::optional<SteadyClock::time_point> last_reuse_;
  bool is_on_trial_ = false;
};

asio::awaitable<void> HttpTarget::State::pause(SteadyClock::time_point until) {
  asio::steady_timer timer(io_);
  timer.expires_at(until);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<Resolved> HttpTarget::State::resolve(SteadyClock::time_point deadline) {
  if (!endpoints_.empty()) {
    co_return std::nullopt;
  }
  error_code not_an_address;
  const asio::ip::address address = asio::ip::make_address(url_.host, not_an_address);
  if (!not_an_address) {
    endpoints_.emplace_back(address, url_.port);
    co_return std::nullopt;
  }
  // A look-up cannot be cancelled: it is left behind when the deadline comes first.
  const auto resolution = std::make_shared<Resolution>(io_);
  resolution->wake.expires_at(deadline);
  resolution->resolver.async_resolve(
      url_.host, fmt::to_string(url_.port),
      [resolution](const error_code& error, const tcp::resolver::results_type& results) {
        resolution->is_done = true;
        resolution->error = error;
        for (const auto& result : results) {
          resolution->endpoints.push_back(result.endpoint());
        }
        resolution->wake.cancel();
      });
  error_code ignored;
  co_await resolution->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (!resolution->is_done) {
    co_return core::TransportError{core::TransportFault::connect_timeout,
                                   fmt::format("looking up {}", url_.host), false};
  }
  if (Resolved lack = want_of_room(resolution->error)) {
    co_return *std::move(lack);
  }
  if (resolution->error || resolution->endpoints.empty()) {
    co_return core::TransportError{core::TransportFault::resolve,
                                   fmt::format("{}: {}", url_.host, resolution->error.message()),
                                   false};
  }
  endpoints_ = resolution->endpoints;
  co_return std::nullopt;
}

asio::awaitable<Opened> HttpTarget::State::open(SteadyClock::time_point deadline) {
  const auto connect_deadline = std::min(deadline, deadline_after(settings_.limits.connect_ms));
  Resolved fault = co_await resolve(connect_deadline);
  if (fault) {
    co_return unexpected(*std::move(fault));
  }
  const std::vector<tcp::endpoint> endpoints = endpoints_;
  for (const tcp::endpoint& endpoint : endpoints) {
    do {
      const auto connection = std::make_shared<Connection>(io_, tls_.get());
      std::erase_if(connections_, [](const auto& each) { return each.expired(); });
      connections_.emplace_back(connection);
      Lease lease(connection);
      fault = co_await lease->open(endpoint, url_, settings_.tls.verify, connect_deadline);
      if (!fault) {
        ++counters_.opened;
        co_return lease.release();
      }
    } while (fault->fault == core::TransportFault::no_room && close_an_idle_one());
    if (fault->fault != core::TransportFault::refused) {
      break;
    }
  }
  fault->detail = fmt::format("{}: {}", host_field(url_), fault->detail);
  co_return unexpected(*std::move(fault));
}

void HttpTarget::State::give_up(SteadyClock::time_point begun_before) {
  for (const std::weak_ptr<Connection>& each : connections_) {
    const auto connection = each.lock();
    if (connection && connection->busy_since < begun_before) connection->expire();
  }
}

bool HttpTarget::State::close_an_idle_one() {
  if (idle_.empty()) return false;
  idle_.front()->close();
  idle_.erase(idle_.begin());
  ++counters_.dropped;
  return true;
}

std::shared_ptr<Connection> HttpTarget::State::take_idle() {
  while (!idle_.empty()) {
    std::shared_ptr<Connection> connection = std::move(idle_.back());
    idle_.pop_back();
    if (SteadyClock::now() - connection->idle_since < max_idle_time && connection->is_silent()) {
      return connection;
    }
    if (connection->has_unasked_bytes()) distrust();
    connection->close();
    ++counters_.dropped;
  }
  return nullptr;
}

void HttpTarget::State::distrust() {
  ++counters_.unasked;
  counters_.uses_each_once = true;
}

void HttpTarget::State::close_unasked() {
  std::erase_if(idle_, [this](const std::shared_ptr<Connection>& connection) {
    if (!connection->has_unasked_bytes()) return false;
    distrust();
    connection->close();
    ++counters_.dropped;
    return true;
  });
}

asio::awaitable<bool> HttpTarget::State::pairs_answers(SteadyClock::time_point since,
                                                       std::chrono::milliseconds longest_wait) {
  if (!last_reuse_ || *last_reuse_ < since) co_return true;
  const auto end = deadline_after(longest_wait.count());
  while (counters_.unasked == 0 && SteadyClock::now() < end) {
    co_await pause(std::min(end, SteadyClock::now() + suspicion));
    close_unasked();
  }
  co_return counters_.unasked == 0;
}

asio::awaitable<std::shared_ptr<Connection>> HttpTarget::State::take_on_trial() {
  if (counters_.uses_each_once || is_on_trial_) co_return nullptr;
  if (reuses_ >= trusted_reuses) co_return take_idle();
  if (idle_.empty()) co_return nullptr;
  is_on_trial_ = true;
  // What is slow to answer is as slow to send what nobody asked for.
  const Connection& last = *idle_.back();
  const auto answered_within = last.idle_since - last.busy_since;
  co_await pause(SteadyClock::now() +
                 std::clamp<SteadyClock::duration>(answered_within, suspicion, longest_suspicion));
  is_on_trial_ = false;
  std::shared_ptr<Connection> connection = take_idle();
  // It ended so soon after its answer that a request would have met the end.
  if (!connection) counters_.uses_each_once |= ++counters_.lost >= most_lost;
  if (!counters_.uses_each_once) co_return connection;
  if (connection) connection->close();
  co_return nullptr;
}

void HttpTarget::State::keep(std::shared_ptr<Connection> connection) {
  const bool is_full =
      idle_.size() >= (reuses_ < trusted_reuses ? std::size_t{1} : max_idle_connections);
  if (counters_.uses_each_once || is_full || !connection->may_be_kept()) {
    connection->close();
    return;
  }
  connection->idle_since = SteadyClock::now();
  idle_.push_back(std::move(connection));
}

asio::awaitable<core::HttpResult> HttpTarget::State::exchange(
    std::shared_ptr<Connection> connection, const core::HttpRequest& request, RequestText text,
    SteadyClock::time_point deadline, bool& may_resend) {
  Lease lease(std::move(connection));
  lease->busy_since = SteadyClock::now();
  if (lease->was_used) last_reuse_ = lease->busy_since;
  AnswerReader reader(request.method, settings_.limits);
  const bool may_keep = !text.frames_itself;
  lease->send(std::move(text.text));
  std::optional<core::TransportError> fault = co_await lease->receive(reader, deadline);
  if (fault) {
    fault->request_sent = lease->may_have_sent();
    const bool is_lost = fault->fault == core::TransportFault::closed && !reader.has_begun();
    may_resend = is_lost && (!fault->request_sent || is_safe(request.method));
    if (is_lost && lease->was_used) {
      counters_.uses_each_once |= ++counters_.lost >= most_lost;
    }
    co_return unexpected(*std::move(fault));
  }
  if (std::exchange(lease->was_used, true)) {
    ++reuses_;
    last_reuse_ = SteadyClock::now();
    // A copy of the last answer and the answer itself may come at once.
    if (reader.has_surplus()) distrust();
  }
  const bool keeps_connection = may_keep && reader.keeps_connection();
  core::HttpResponse answer = reader.take_answer();
  // A server that failed may close the connection next, without having said so.
  if (keeps_connection && answer.status < 500) {
    keep(lease.release());
  }
  co_return answer;
}

asio::awaitable<core::HttpResult> HttpTarget::State::perform(core::HttpRequest request) {
  auto written = write_request(url_, request);
  if (!written) {
    co_return unexpected(core::TransportError{core::TransportFault::unsendable,
                                              std::move(written.error().reason), false});
  }
  co_await turns_.wait();
  const auto deadline = deadline_after(request_ms_);
  bool may_resend = false;
  std::shared_ptr<Connection> connection = co_await take_on_trial();
  if (connection) {
    ++counters_.reused;
    core::HttpResult result = co_await exchange(std::move(connection), request, *std::move(written),
                                                deadline, may_resend);
    if (!may_resend) {
      co_return result;
    }
    ++counters_.resent;
    written = write_request(url_, request);
  }
  Opened opened = co_await open(deadline);
  if (!opened) {
    co_return unexpected(std::move(opened).error());
  }
  connection = *std::move(opened);
  core::HttpResult result =
      co_await exchange(std::move(connection), request, *std::move(written), deadline, may_resend);
  co_return result;
}

asio::awaitable<core::HttpResult> HttpTarget::State::perform_with_delivery(
    core::HttpRequest request, Delivery delivery) {
  if (delivery.fault == core::Delivery::once || delivery.fault == core::Delivery::twice) {
    core::HttpResult result = co_await perform(std::move(request));
    co_return result;
  }
  auto written = write_request(url_, request);
  if (!written) {
    co_return unexpected(core::TransportError{core::TransportFault::unsendable,
                                              std::move(written.error().reason), false});
  }
  co_await turns_.wait();
  const auto deadline = deadline_after(request_ms_);
  Opened opened = co_await open(deadline);
  if (!opened) {
    co_return unexpected(std::move(opened).error());
  }
  Lease lease(*std::move(opened));
  RequestText text = *std::move(written);
  if (delivery.fault == core::Delivery::slow_body) {
    co_await send_slowly(*lease, std::move(text), delivery, deadline);
    AnswerReader reader(request.method, settings_.limits);
    std::optional<core::TransportError> fault = co_await lease->receive(reader, deadline);
    if (fault) {
      fault->request_sent = true;
      co_return unexpected(*std::move(fault));
    }
    co_return reader.take_answer();
  }
  const bool is_sent = delivery.fault != core::Delivery::cut_before_send;
  if (delivery.fault == core::Delivery::half_body) {
    const std::size_t body_bytes = text.text.size() - text.head_bytes;
    text.text.resize(body_bytes == 0 ? text.head_bytes / 2 : text.head_bytes + body_bytes / 2);
  }
  if (is_sent) {
    co_await lease->send_whole(std::move(text.text), deadline);
  }
  co_return unexpected(
      core::TransportError{core::TransportFault::closed, "cut on purpose", is_sent});
}

asio::awaitable<void> HttpTarget::State::send_slowly(Connection& connection, RequestText text,
                                                     Delivery delivery,
                                                     SteadyClock::time_point deadline) {
  bool is_whole = co_await connection.send_whole(text.text.substr(0, text.head_bytes), deadline);
  const std::string_view body = std::string_view(text.text).substr(text.head_bytes);
  const auto pieces = static_cast<std::size_t>(std::max(delivery.pieces, 1));
  const std::size_t piece_bytes = (body.size() + pieces - 1) / pieces;
  for (std::size_t at = 0; is_whole && at < body.size(); at += piece_bytes) {
    co_await pause(SteadyClock::now() + std::chrono::milliseconds(delivery.pause_ms));
    std::string piece(body.substr(at, piece_bytes));
    is_whole = co_await connection.send_whole(std::move(piece), deadline);
  }
}

HttpTarget::HttpTarget(asio::io_context& io, HttpTargetSettings settings)
    : state_(std::make_unique<State>(io, std::move(settings))) {}

HttpTarget::~HttpTarget() = default;

asio::awaitable<core::HttpResult> HttpTarget::perform(core::HttpRequest request) {
  return state_->perform(std::move(request));
}

asio::awaitable<core::HttpResult> HttpTarget::perform_with_delivery(core::HttpRequest request,
                                                                    Delivery delivery) {
  return state_->perform_with_delivery(std::move(request), delivery);
}

asio::awaitable<bool> HttpTarget::pairs_answers(SteadyClock::time_point since,
                                                std::chrono::milliseconds longest_wait) {
  return state_->pairs_answers(since, longest_wait);
}

void HttpTarget::give_up(SteadyClock::time_point begun_before) { state_->give_up(begun_before); }

std::string HttpTarget::location() const { return state_->location(); }

ConnectionCounters HttpTarget::counters() const { return state_->counters(); }

}  // namespace assay::target
