#pragma once

#include <string>
#include <string_view>

namespace assay::server {

/// A test's client: sends the bytes that it is told to, well-formed or not.
class RawClient {
 public:
  /// Connects to 127.0.0.1; throws std::runtime_error where nothing listens.
  explicit RawClient(int port);
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient();

  void send(std::string_view bytes);
  /// Says that nothing more will be sent.
  void finish_sending();

  struct Answer {
    int status = 0;
    std::string head;
    std::string body;
  };
  /// Reads one answer; status 0 where the connection ends (or nothing comes for 20 seconds) before.
  /// `has_body` is false for the answer to a HEAD.
  Answer read_answer(bool has_body = true);
  /// Whether the server ends the connection without sending anything more.
  bool is_closed();

 private:
  bool receive();

  int socket_;
  std::string received_;
};

}  // namespace assay::server
