#include "reference_impl/server/http_server.h"

#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <ostream>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "reference_impl/server/connection.h"
#include "reference_impl/server/connections.h"

namespace assay::server {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Executor = Connection::Executor;
template <typename Result>
using Awaitable = Connection::Awaitable<Result>;

constexpr int backlog = 1'024;
constexpr milliseconds longest_sweep_pause{250};
constexpr milliseconds shortest_sweep_pause{5};
constexpr milliseconds accept_pause{20};
/// For what is in flight when the server stops.
constexpr milliseconds max_stopping{5'000};

/// As many as there are cores; two at least, so that a service that waits in one call still answers
/// others.
unsigned thread_count() { return std::max(2U, std::thread::hardware_concurrency()); }

void allow_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

}  // namespace

class HttpServer::Shell {
 public:
  Shell(std::shared_ptr<service::Service> service, const ServerOptions& options)
      : settings_{.service = std::move(service),
                  .waits = {},
                  .max_body_bytes = options.max_body_bytes,
                  .delay = options.delay,
                  .has_room = options.has_room},
        connections_(options.max_connections),
        acceptor_(io_.get_executor()),
        sweep_timer_(io_.get_executor()) {
    settings_.waits.stall = options.stall;
    listen_on(options);
    asio::co_spawn(io_.get_executor(), accept_all(), asio::detached);
    asio::co_spawn(io_.get_executor(), sweep(), asio::detached);
    start_threads();
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() { halt(); }

  [[nodiscard]] int port() const { return acceptor_port_; }

  void halt() {
    if (settings_.is_stopping.exchange(true)) return;
    asio::post(io_.get_executor(), [this] {
      boost::system::error_code ignored;
      std::ignore = acceptor_.close(ignored);
      connections_.drop_idle();
      sweep_timer_.cancel();
    });
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  using Acceptor = asio::basic_socket_acceptor<Connection::Protocol, Executor>;
  using Timer = asio::basic_waitable_timer<steady_clock, asio::wait_traits<steady_clock>, Executor>;

  void listen_on(const ServerOptions& options) {
    boost::system::error_code error;
    asio::ip::basic_resolver<Connection::Protocol, Executor> resolver(io_.get_executor());
    const auto found = resolver.resolve(options.host, std::to_string(options.port),
                                        asio::ip::resolver_base::passive, error);
    if (!error) {
      const Connection::Protocol::endpoint endpoint = found.begin()->endpoint();
      std::ignore = acceptor_.open(endpoint.protocol(), error);
      // Not SO_REUSEPORT: two servers on one port would share its clients.
      if (!error) std::ignore = acceptor_.set_option(Acceptor::reuse_address(true), error);
      if (!error) std::ignore = acceptor_.bind(endpoint, error);
      if (!error) std::ignore = acceptor_.listen(backlog, error);
    }
    if (error) {
      throw std::system_error(
          error.value(), std::generic_category(),
          "cannot listen on " + options.host + ":" + std::to_string(options.port));
    }
    acceptor_port_ = acceptor_.local_endpoint().port();
  }

  /// One thread is enough to serve; where the machine gives no more, that must do.
  void start_threads() {
    threads_.reserve(thread_count());
    while (threads_.size() < thread_count()) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::exception&) {  // no thread, or no memory for one
        if (threads_.empty()) throw;
        return;
      }
    }
  }

  void work() {
    while (true) {
      try {
        io_.run();
        return;
      } catch (const std::exception&) {
        // Memory for one more connection is wanting: that client is lost, the others are served.
        std::this_thread::yield();
      }
    }
  }

  Awaitable<void> accept_all() {
    Timer pause(io_.get_executor());
    while (!settings_.is_stopping) {
      bool is_served = false;
      if (connections_.make_room() && settings_.has_room_for(0)) {
        auto [error, socket] = co_await acceptor_.async_accept(Connection::awaited);
        if (settings_.is_stopping) co_return;
        is_served = !error && begin(std::move(socket));
      }
      if (is_served) continue;
      // Descriptors or memory are wanting: an idle client makes room, or time does.
      const bool is_dropped = connections_.drop_longest_idle();
      pause.expires_after(is_dropped ? milliseconds(1) : accept_pause);
      co_await pause.async_wait(Connection::awaited);
    }
  }

  bool begin(Connection::Socket socket) {
    try {
      asio::co_spawn(io_.get_executor(), serve(std::move(socket)), asio::detached);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  Awaitable<void> serve(Connection::Socket socket) {
    Connection connection(std::move(socket), settings_);
    const Connections::Entry entry(connections_, connection);
    if (settings_.is_stopping) co_return;
    co_await connection.serve();
  }

  /// Keeps the deadlines of all connections, and goes on until the last has ended.
  Awaitable<void> sweep() {
    const milliseconds pause =
        std::clamp(settings_.waits.stall / 4, shortest_sweep_pause, longest_sweep_pause);
    auto stop_deadline = steady_clock::time_point::max();
    while (!settings_.is_stopping || !connections_.is_empty()) {
      sweep_timer_.expires_after(settings_.is_stopping ? shortest_sweep_pause : pause);
      co_await sweep_timer_.async_wait(Connection::awaited);
      const auto now = steady_clock::now();
      connections_.expire_all(now);
      if (settings_.is_stopping) {
        stop_deadline = std::min(stop_deadline, now + max_stopping);
        if (now >= stop_deadline) connections_.drop_all();
      }
    }
  }

  ConnectionSettings settings_;
  Connections connections_;
  asio::io_context io_{static_cast<int>(thread_count())};
  Acceptor acceptor_;
  Timer sweep_timer_;
  int acceptor_port_ = 0;
  std::vector<std::thread> threads_;
};

HttpServer::HttpServer(std::shared_ptr<service::Service> service, const ServerOptions& options)
    : shell_(std::make_unique<Shell>(std::move(service), options)) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return shell_->port(); }

void HttpServer::stop() { shell_->halt(); }

int serve(const ServeOptions& options, std::ostream& out) {
  allow_all_descriptors();
  sigset_t awaited_signals{};
  sigset_t before{};
  sigemptyset(&awaited_signals);
  sigaddset(&awaited_signals, SIGTERM);
  sigaddset(&awaited_signals, SIGINT);
  // Blocked before any thread starts, so that every thread inherits it and sigwait gets them.
  pthread_sigmask(SIG_BLOCK, &awaited_signals, &before);
  {
    ServerOptions within = options.server;
    if (const HasRoom room = room_in_address_space()) {
      // All threads may want as much at the same time.
      within.has_room = [room](std::size_t bytes) { return room(thread_count() * bytes); };
    }
    HttpServer server(options.service, within);
    const bool is_ipv6 = options.server.host.find(':') != std::string::npos;
    out << "listening on http://" << (is_ipv6 ? "[" : "") << options.server.host
        << (is_ipv6 ? "]" : "") << ":" << server.port() << std::endl;
    int signal = 0;
    sigwait(&awaited_signals, &signal);
    server.stop();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return 0;
}

}  // namespace assay::server
