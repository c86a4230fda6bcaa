#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace assay::target::testing {

/// One accepted connection of a RawServer; blocking, closed at the end of its script.
class Peer {
 public:
  explicit Peer(int descriptor) : descriptor_(descriptor) {}

  /// Reads one request by its Content-Length; empty at the end of the stream.
  std::string read_request();
  /// Whether all of it could be handed over.
  bool send(std::string_view bytes) const;
  /// Waits a moment; true where the other end has closed meanwhile.
  [[nodiscard]] bool is_closed_after(int wait_ms) const;
  /// Reads and drops until the other end closes.
  void wait_for_close() const;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::string unread_;
};

/// A server of bytes on a loopback port of its own: each connection runs the script on a thread.
/// What the scripts do wrong is the test's to choose.
class RawServer {
 public:
  /// The script gets the connection and its number, from 0.
  using Script = std::function<void(Peer&, int)>;

  explicit RawServer(Script script);
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;
  ~RawServer();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const;
  [[nodiscard]] int connections() const { return connections_; }
  /// What read_request() gave, in order, over all connections, where the script notes it.
  void note(std::string request);
  [[nodiscard]] std::vector<std::string> noted() const;

 private:
  void accept_all();

  Script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  mutable std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::string> noted_;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

/// A loopback port on which nobody listens.
[[nodiscard]] std::uint16_t dead_port();

/// An answer with a length.
[[nodiscard]] std::string answer(std::string_view body, std::string_view status = "200 OK");

}  // namespace assay::target::testing
