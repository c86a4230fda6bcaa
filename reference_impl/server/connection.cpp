#include "reference_impl/server/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace assay::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t read_size = 65'536;
/// What is not ended by then is judged as it stands: it is too long.
constexpr std::size_t max_buffered_line = 16'384;
constexpr std::size_t max_lingering_bytes = 64U << 20U;
constexpr milliseconds max_lingering{2'000};

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Connection::Waited Connection::wait(short events, milliseconds at_most, bool heed_stop) const {
  const auto deadline = steady_clock::now() + at_most;
  while (true) {
    std::array<pollfd, 2> watched{{{socket_, events, 0}, {stop_descriptor_, POLLIN, 0}}};
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
    const int timeout = static_cast<int>(std::max<long>(left, 0));
    const int ready = ::poll(watched.data(), heed_stop ? 2 : 1, timeout);
    if (ready < 0 && errno != EINTR) return Waited::too_long;
    if (ready > 0) return watched[1].revents != 0 ? Waited::stopping : Waited::ready;
    if (ready == 0 && timeout == 0) return Waited::too_long;
  }
}

Connection::Waited Connection::wait_in_flight(short events) const {
  const Waited waited = wait(events, waits_.stall, true);
  return waited == Waited::stopping ? wait(events, waits_.stopping, false) : waited;
}

bool Connection::fill() {
  if (in_at_ > 0) {
    in_.erase(0, in_at_);
    in_at_ = 0;
  }
  const std::size_t held = in_.size();
  while (true) {
    in_.resize(held + read_size);
    const ssize_t count = ::recv(socket_, in_.data() + held, read_size, MSG_DONTWAIT);
    const bool blocked = count < 0 && would_block();
    in_.resize(held + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count > 0) return true;
    if (!blocked || wait_in_flight(POLLIN) != Waited::ready) return false;
  }
}

bool Connection::await_request_line() {
  // What came behind the request just answered is not begun when the server stops.
  const milliseconds at_most = buffered() > 0 ? milliseconds(0) : waits_.idle;
  const Waited waited = wait(buffered() > 0 ? short{0} : short{POLLIN}, at_most, true);
  if (waited == Waited::stopping || (waited == Waited::too_long && buffered() == 0)) return false;
  while (true) {
    while (buffered() > 0 && (in_[in_at_] == '\r' || in_[in_at_] == '\n')) ++in_at_;
    if (buffered() >= max_buffered_line || in_.find('\n', in_at_) != std::string::npos) return true;
    if (!fill()) return false;
  }
}

std::string_view Connection::request_line() const {
  std::string_view line(in_);
  line.remove_prefix(in_at_);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void Connection::replace_front(std::size_t length, std::string_view text) {
  in_.replace(in_at_, length, text);
}

ssize_t Connection::read(char* into, std::size_t size) {
  if (budget_ == 0) return -1;
  if (buffered() == 0 && !fill()) return -1;
  const std::size_t count = std::min({size, buffered(), budget_});
  std::memcpy(into, in_.data() + in_at_, count);
  in_at_ += count;
  budget_ -= count;
  return static_cast<ssize_t>(count);
}

bool Connection::read_exactly(std::size_t length, std::string& into) {
  while (length > 0) {
    if (buffered() == 0 && !fill()) return false;
    const std::size_t count = std::min(length, buffered());
    into.append(in_, in_at_, count);
    in_at_ += count;
    length -= count;
  }
  return true;
}

bool Connection::read_line(std::size_t max_length, std::string& line) {
  while (true) {
    const std::size_t end = in_.find('\n', in_at_);
    if (end != std::string::npos && end - in_at_ <= max_length) {
      line.assign(in_, in_at_, end - in_at_);
      if (line.ends_with('\r')) line.pop_back();
      in_at_ = end + 1;
      return true;
    }
    if (end != std::string::npos || buffered() > max_length || !fill()) return false;
  }
}

ssize_t Connection::write(const char* from, std::size_t size) {
  out_.append(from, size);
  return static_cast<ssize_t>(size);
}

bool Connection::flush() {
  std::size_t sent = 0;
  while (sent < out_.size()) {
    const ssize_t count =
        ::send(socket_, out_.data() + sent, out_.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (!would_block() || wait_in_flight(POLLOUT) != Waited::ready) {
      out_.clear();
      return false;
    }
  }
  out_.clear();
  return true;
}

void Connection::linger() {
  ::shutdown(socket_, SHUT_WR);
  std::string swallowed(read_size, '\0');
  const auto deadline = steady_clock::now() + max_lingering;
  std::size_t total = 0;
  while (total < max_lingering_bytes) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0 || wait(POLLIN, left, true) != Waited::ready) return;
    const ssize_t count = ::recv(socket_, swallowed.data(), swallowed.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && !would_block())) return;
    if (count > 0) total += static_cast<std::size_t>(count);
  }
}

}  // namespace assay::server
