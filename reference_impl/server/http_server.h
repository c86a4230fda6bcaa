#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>

#include "reference_impl/server/address_space.h"
#include "reference_impl/service/service.h"

namespace assay::server {

/// Where a server listens and what it bears.
struct ServerOptions {
  std::string host = "127.0.0.1";
  /// 0 means any free one.
  int port = 0;
  /// The largest body that is read at all; the service has its own limits below that.
  std::size_t max_body_bytes = 32U << 20U;
  /// Beyond that the client that has been idle for longest makes room.
  std::size_t max_connections = 16'384;
  /// How long a head may take, and a body stand still, before the request is dropped.
  std::chrono::milliseconds stall{60'000};
  /// How much later than it could each request is answered: a server that is far away.
  std::chrono::milliseconds delay{0};
  /// Asked before a client is taken and a request handled: without room they are refused.
  HasRoom has_room = {};
};

/// HTTP/1.1 (RFC 9112) around a service. Listens from construction to `stop`, on a few threads of
/// its own however many clients there are.
class HttpServer {
 public:
  /// Throws std::system_error where it cannot listen there.
  HttpServer(std::shared_ptr<service::Service> service, const ServerOptions& options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// The port that it listens on.
  [[nodiscard]] int port() const;

  /// Takes no more requests, finishes those in flight, and returns when all connections have ended.
  void stop();

 private:
  class Shell;
  std::unique_ptr<Shell> shell_;
};

/// What `serve` needs.
struct ServeOptions {
  std::shared_ptr<service::Service> service;
  ServerOptions server;
};

/// Serves until SIGTERM or SIGINT, then stops gracefully and gives 0, with as many descriptors as
/// this process may have, and within the memory that it may have. Prints one line to `out` when
/// ready: `listening on http://HOST:PORT`. Throws std::system_error where it cannot listen.
int serve(const ServeOptions& options, std::ostream& out);

}  // namespace assay::server
