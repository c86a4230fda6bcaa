#include "harness/target/testing/raw_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace assay::target::testing {
namespace {

struct Bound {
  int descriptor = -1;
  std::uint16_t port = 0;
};

Bound bound_socket() {
  Bound bound;
  bound.descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = std::bit_cast<sockaddr*>(&address);
  if (::bind(bound.descriptor, any, size) != 0 ||
      ::getsockname(bound.descriptor, any, &size) != 0) {
    throw std::runtime_error("no loopback port");
  }
  bound.port = ntohs(address.sin_port);
  return bound;
}

std::size_t content_length(const std::string& head) {
  constexpr std::string_view name = "Content-Length: ";
  const std::size_t at = head.find(name);
  std::size_t length = 0;
  if (at != std::string_view::npos) {
    std::from_chars(head.data() + at + name.size(), head.data() + head.size(), length);
  }
  return length;
}

}  // namespace

std::string Peer::read_request() {
  std::array<char, 16'384> bytes{};
  for (;;) {
    const std::size_t head_end = unread_.find("\r\n\r\n");
    if (head_end != std::string::npos) {
      const std::size_t size = head_end + 4 + content_length(unread_.substr(0, head_end));
      if (unread_.size() >= size) {
        std::string request = unread_.substr(0, size);
        unread_.erase(0, size);
        return request;
      }
    }
    const auto count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    if (count <= 0) {
      return {};
    }
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

bool Peer::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool Peer::is_closed_after(int wait_ms) const {
  pollfd watched{.fd = descriptor_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&watched, 1, wait_ms) > 0;
}

void Peer::wait_for_close() const {
  std::array<char, 16'384> bytes{};
  while (::recv(descriptor_, bytes.data(), bytes.size(), 0) > 0) {
  }
}

RawServer::RawServer(Script script) : script_(std::move(script)) {
  const Bound bound = bound_socket();
  listener_ = bound.descriptor;
  port_ = bound.port;
  if (::listen(listener_, 64) != 0) {
    throw std::runtime_error("cannot listen");
  }
  acceptor_ = std::thread([this] { accept_all(); });
}

RawServer::~RawServer() {
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int descriptor : open_) {
      ::shutdown(descriptor, SHUT_RDWR);
    }
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  ::close(listener_);
}

void RawServer::accept_all() {
  for (int index = 0;; ++index) {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) {
      return;
    }
    ++connections_;
    const std::lock_guard lock(mutex_);
    open_.push_back(descriptor);
    threads_.emplace_back([this, descriptor, index] {
      Peer peer(descriptor);
      script_(peer, index);
      const std::lock_guard closing(mutex_);
      std::erase(open_, descriptor);
      ::close(descriptor);
    });
  }
}

std::string RawServer::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

void RawServer::note(std::string request) {
  const std::lock_guard lock(mutex_);
  noted_.push_back(std::move(request));
}

std::vector<std::string> RawServer::noted() const {
  const std::lock_guard lock(mutex_);
  return noted_;
}

std::uint16_t dead_port() {
  const Bound bound = bound_socket();
  ::close(bound.descriptor);
  return bound.port;
}

std::string answer(std::string_view body, std::string_view status) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n\r\n{}", status, body.size(), body);
}

}  // namespace assay::target::testing
