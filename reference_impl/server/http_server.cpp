#include "reference_impl/server/http_server.h"

#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "reference_impl/server/connection.h"
#include "reference_impl/server/connection_threads.h"
#include "reference_impl/server/request_body.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/router.h"
#include "reference_impl/service/words.h"

namespace assay::server {
namespace {

constexpr std::size_t max_head_bytes = 65'536;
/// A body declared longer than this is asked about before it is read.
constexpr std::size_t early_answer_bytes = 65'536;
constexpr int backlog = 1'024;
/// cpp-httplib drops a longer request line without a word.
constexpr std::size_t max_request_line = 8'192;

/// One request on its way from cpp-httplib's parser to its answer.
struct Exchange {
  Connection& connection;
  service::Reply reply;
  /// Set once the request could be read: otherwise cpp-httplib has answered it, and nothing that
  /// the client sends after it can be trusted.
  bool is_understood = false;
  bool must_close = false;
};

/// The exchange of this thread: a thread serves one connection at a time, and cpp-httplib's
/// handlers are not told whose request they answer.
thread_local Exchange* current_exchange = nullptr;

service::Reply problem(int status, std::string_view code, std::string_view detail) {
  return service::problem_reply({status, std::string(code), std::string(detail), {}, {}});
}

bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [others](char character) {
    const bool is_letter =
        (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    const bool is_digit = character >= '0' && character <= '9';
    return is_letter || is_digit || others.find(character) != std::string_view::npos;
  });
}

/// cpp-httplib answers methods that it does not know with 400, the contract with 405. The line is
/// given to it with one that it knows; the method as sent is returned.
std::string hide_unknown_method(Connection& connection) {
  static constexpr std::array<std::string_view, 9> known = {
      "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
  const std::string_view line = connection.request_line();
  std::string method(line.substr(0, line.find(' ')));
  const bool is_known = std::find(known.begin(), known.end(), method) != known.end();
  if (!is_known && method != "PRI" && is_token(method)) {
    connection.replace_front(method.size(), "TRACE");
  }
  return method;
}

service::Request head_of(const httplib::Request& request, std::string method) {
  service::Request head;
  head.method = std::move(method);
  head.target = request.target;
  for (const auto& [name, value] : request.headers) head.headers.push_back({name, value});
  return head;
}

}  // namespace

class HttpServer::Shell final : public httplib::Server {
 public:
  Shell(std::shared_ptr<service::Service> service, const ServerOptions& options)
      : service_(std::move(service)), options_(options) {
    waits_.stall = options.stall;
    if (::pipe2(stop_pipe_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe to stop by");
    // Not SO_REUSEPORT, cpp-httplib's default: two servers on one port would share its clients.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    });
    set_keep_alive_max_count(1'000'000'000);
    set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(waits_.idle).count());
    const std::size_t max_threads = options.max_connections;
    new_task_queue = [max_threads] { return new ConnectionThreads(max_threads); };
    set_pre_routing_handler([](const httplib::Request&, httplib::Response& response) {
      give_reply(current_exchange->reply, response);
      return HandlerResponse::Handled;
    });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (current_exchange->is_understood) return;
      give_reply(problem(response.status, "MALFORMED_REQUEST", "the request is not HTTP/1.1"),
                 response);
    });
    listen_on(options);
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  ~Shell() override {
    halt();
    for (const int descriptor : stop_pipe_) ::close(descriptor);
  }

  [[nodiscard]] int port() const { return port_; }

  void halt() {
    if (!accepting_.joinable()) return;
    const char byte = 0;
    static_cast<void>(::write(stop_pipe_[1], &byte, 1));
    stop();
    accepting_.join();
  }

 private:
  void listen_on(const ServerOptions& options) {
    port_ = options.port;
    if (port_ == 0) {
      port_ = bind_to_any_port(options.host);
    } else if (!bind_to_port(options.host, port_)) {
      port_ = -1;
    }
    if (port_ <= 0) {
      throw std::system_error(
          errno, std::generic_category(),
          "cannot listen on " + options.host + ":" + std::to_string(options.port));
    }
    ::listen(svr_sock_, backlog);  // cpp-httplib's own backlog of 5 makes bursts of clients wait
    accepting_ = std::thread([this] { listen_after_bind(); });
    while (!is_running()) std::this_thread::yield();
  }

  static bool closes_connection(const service::Reply& reply) {
    return std::any_of(reply.headers.begin(), reply.headers.end(), [](const auto& header) {
      return header.name == "Connection" && header.value == "close";
    });
  }

  static void give_reply(const service::Reply& reply, httplib::Response& response) {
    response.status = reply.status;
    for (const service::Header& header : reply.headers) {
      // cpp-httplib writes this one itself, as the exchange ends.
      if (header.name != "Connection") response.set_header(header.name, header.value);
    }
    if (!reply.content_type.empty()) response.set_content(reply.body, reply.content_type);
  }

  /// Called by cpp-httplib on a thread of the queue.
  bool process_and_close_socket(socket_t socket) override {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    Connection connection(socket, stop_pipe_[0], waits_);
    while (connection.await_request_line()) {
      if (!serve_one(connection)) {
        connection.linger();
        break;
      }
    }
    ::close(socket);
    return true;
  }

  /// Answers one request; false where the connection ends with it.
  bool serve_one(Connection& connection) {
    if (connection.request_line().size() > max_request_line) {
      constexpr std::string_view too_long =
          "HTTP/1.1 414 URI Too Long\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      connection.write(too_long.data(), too_long.size());
      static_cast<void>(connection.flush());
      return false;
    }
    Exchange exchange{connection, {}, false, false};
    current_exchange = &exchange;
    std::string method = hide_unknown_method(connection);
    connection.set_budget(max_head_bytes);
    bool client_closes = false;
    const bool is_written = process_request(
        connection, false, client_closes,
        [&](httplib::Request& request) { take_request(exchange, request, std::move(method)); });
    current_exchange = nullptr;
    const bool goes_on =
        is_written && exchange.is_understood && !exchange.must_close && !client_closes;
    return connection.flush() && goes_on;
  }

  void take_request(Exchange& exchange, httplib::Request& request, std::string method) {
    exchange.is_understood = true;
    exchange.reply = answer(exchange, request, std::move(method));
    std::this_thread::sleep_for(options_.delay);
    // What else cpp-httplib would do with these headers has been done, or is not offered.
    request.ranges.clear();
    request.headers.erase("Expect");
    if (service::lower_case(request.get_header_value("Connection")) == "close" ||
        closes_connection(exchange.reply)) {
      exchange.must_close = true;
    }
    if (exchange.must_close) {
      request.headers.erase("Connection");
      request.headers.emplace("Connection", "close");
    }
  }

  service::Reply answer(Exchange& exchange, const httplib::Request& request, std::string method) {
    service::Request taken = head_of(request, std::move(method));
    const auto framing = read_framing(taken);
    if (!framing) {
      exchange.must_close = true;
      return problem(400, "MALFORMED_REQUEST", "the length of the body is not clear");
    }
    const bool has_body = framing->is_chunked || framing->length.value_or(0) > 0;
    if (taken.method == "HEAD") taken.method = "GET";
    if (has_body) {
      const std::size_t declared = framing->length.value_or(0);
      const bool expects = request.has_header("Expect");
      if (declared > early_answer_bytes || expects) {
        if (auto refusal = service_->refuse_head(taken)) {
          exchange.must_close = true;
          return std::move(*refusal);
        }
      }
      if (expects && declared <= options_.max_body_bytes) {
        constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        exchange.connection.write(go_on.data(), go_on.size());
        static_cast<void>(exchange.connection.flush());
      }
      const BodyFault fault =
          read_body(exchange.connection, *framing, options_.max_body_bytes, taken.body);
      if (fault != BodyFault::none) {
        exchange.must_close = true;
        return body_problem(fault);
      }
    }
    return service_->handle(taken);
  }

  static service::Reply body_problem(BodyFault fault) {
    switch (fault) {
      case BodyFault::too_long:
        return problem(413, "BODY_TOO_LARGE", "the body is larger than this server reads");
      case BodyFault::malformed:
        return problem(400, "MALFORMED_REQUEST", "the chunks of the body are malformed");
      default:
        return problem(408, "BODY_CUT_SHORT", "the body did not come to its end");
    }
  }

  std::shared_ptr<service::Service> service_;
  ServerOptions options_;
  Waits waits_;
  std::array<int, 2> stop_pipe_{-1, -1};
  int port_ = 0;
  std::thread accepting_;
};

HttpServer::HttpServer(std::shared_ptr<service::Service> service, const ServerOptions& options)
    : shell_(std::make_unique<Shell>(std::move(service), options)) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return shell_->port(); }

void HttpServer::stop() { shell_->halt(); }

int serve(const ServeOptions& options, std::ostream& out) {
  sigset_t awaited{};
  sigset_t before{};
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGINT);
  // Blocked before any thread starts, so that every thread inherits it and sigwait gets them.
  pthread_sigmask(SIG_BLOCK, &awaited, &before);
  {
    HttpServer server(options.service, options.server);
    const bool is_ipv6 = options.server.host.find(':') != std::string::npos;
    out << "listening on http://" << (is_ipv6 ? "[" : "") << options.server.host
        << (is_ipv6 ? "]" : "") << ":" << server.port() << std::endl;
    int signal = 0;
    sigwait(&awaited, &signal);
    server.stop();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return 0;
}

}  // namespace assay::server
