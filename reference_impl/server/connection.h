#pragma once

#include <httplib.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace assay::server {

/// How long a connection waits.
struct Waits {
  /// For the next request of an idle client.
  std::chrono::milliseconds idle{3'600'000};
  /// For the next bytes of a request that has begun, and for a client that takes no bytes.
  std::chrono::milliseconds stall{60'000};
  /// The same once the server is stopping: what is in flight is finished, but not waited for long.
  std::chrono::milliseconds stopping{5'000};
};

/// One client's connection as cpp-httplib's stream: reads through a buffer with a budget, so that
/// no client makes it grow without bound, and writes an answer in one piece.
class Connection final : public httplib::Stream {
 public:
  /// `stop_descriptor` becomes readable, and stays so, when the server is to stop.
  Connection(socket_t socket, int stop_descriptor, const Waits& waits)
      : socket_(socket), stop_descriptor_(stop_descriptor), waits_(waits) {}

  /// Waits until the line of the next request is in the buffer (empty lines before it are dropped,
  /// RFC 9112 2.2). False where there is none: the client left, was idle too long, or the server
  /// stops.
  [[nodiscard]] bool await_request_line();
  /// The request line in the buffer, without its end.
  [[nodiscard]] std::string_view request_line() const;
  /// Replaces the first `length` bytes of the buffer.
  void replace_front(std::size_t length, std::string_view text);
  /// Lets the next reads take at most that many bytes; the one beyond fails.
  void set_budget(std::size_t bytes) { budget_ = bytes; }

  /// Appends exactly `length` bytes to `into`; false where the client ends or stalls before.
  [[nodiscard]] bool read_exactly(std::size_t length, std::string& into);
  /// Reads to the end of a line and gives it without CR LF; false where it is longer than
  /// `max_length`.
  [[nodiscard]] bool read_line(std::size_t max_length, std::string& line);

  /// Sends what was written; false where the client takes it no more.
  [[nodiscard]] bool flush();
  /// Ends the connection so that the client can still read the answer: what it goes on to send is
  /// swallowed for a while, for closing over unread bytes would reset the connection.
  void linger();

  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* into, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  enum class Waited { ready, stopping, too_long };

  [[nodiscard]] std::size_t buffered() const { return in_.size() - in_at_; }
  [[nodiscard]] Waited wait(short events, std::chrono::milliseconds at_most, bool heed_stop) const;
  [[nodiscard]] Waited wait_in_flight(short events) const;
  /// Reads more into the buffer; false at the client's end or after too long a wait.
  [[nodiscard]] bool fill();

  socket_t socket_;
  int stop_descriptor_;
  const Waits& waits_;
  std::string in_;
  std::size_t in_at_ = 0;
  std::string out_;
  std::size_t budget_ = 0;
};

}  // namespace assay::server
