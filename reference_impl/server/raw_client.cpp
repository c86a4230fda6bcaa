#include "reference_impl/server/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <stdexcept>

#include "reference_impl/service/words.h"

namespace assay::server {
namespace {

std::size_t length_in(const std::string& head) {
  const std::string lower = service::lower_case(head);
  constexpr std::string_view name = "\r\ncontent-length: ";
  const std::size_t at = lower.find(name);
  std::size_t length = 0;
  if (at != std::string::npos) {
    std::from_chars(lower.data() + at + name.size(), lower.data() + lower.size(), length);
  }
  return length;
}

}  // namespace

RawClient::RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{20, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  void* untyped = &address;
  if (::connect(socket_, static_cast<sockaddr*>(untyped), sizeof(address)) != 0) {
    ::close(socket_);
    throw std::runtime_error("cannot connect");
  }
}

RawClient::~RawClient() { ::close(socket_); }

void RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;  // the server has closed; the answer tells why
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void RawClient::finish_sending() { ::shutdown(socket_, SHUT_WR); }

bool RawClient::receive() {
  std::array<char, 65'536> buffer{};
  const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (count <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

RawClient::Answer RawClient::read_answer(bool has_body) {
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!receive()) return {};
  }
  Answer answer;
  answer.head = received_.substr(0, end + 2);
  received_.erase(0, end + 4);
  std::from_chars(answer.head.data() + 9, answer.head.data() + 12, answer.status);
  const std::size_t length = has_body ? length_in(answer.head) : 0;
  while (received_.size() < length) {
    if (!receive()) return {};
  }
  answer.body = received_.substr(0, length);
  received_.erase(0, length);
  return answer;
}

bool RawClient::is_closed() {
  if (!received_.empty()) return false;
  char byte = 0;
  return ::recv(socket_, &byte, 1, 0) == 0;
}

}  // namespace assay::server
