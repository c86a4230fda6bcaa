#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "harness/audit/byte_source.h"

namespace assay::audit {
namespace {

/// How often a file is looked at that has nothing new.
constexpr std::chrono::milliseconds look_interval{200};

class FollowedSource : public ByteSource {
 public:
  FollowedSource(const std::string& path, std::stop_token stop, std::function<void()> idle)
      : name_(path == "-" ? "standard input" : path),
        stop_(std::move(stop)),
        idle_(std::move(idle)) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) throw error();
    is_file_ = S_ISREG(status.st_mode);
  }
  ~FollowedSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(std::span<char> buffer) override {
    while (whole_ == 0) {
      if (stop_.stop_requested() || !read_on()) return 0;
    }
    const std::size_t count = std::min(whole_, buffer.size());
    std::copy_n(text_.begin(), count, buffer.begin());
    text_.erase(0, count);
    whole_ -= count;
    return count;
  }

 private:
  [[nodiscard]] ReadError error() const {
    return ReadError(fmt::format("{}: {}", name_, std::strerror(errno)));
  }

  /// Whether there may be more.
  bool read_on() {
    pollfd waiting = {descriptor_, POLLIN, 0};
    if (!is_file_ && ::poll(&waiting, 1, static_cast<int>(look_interval.count())) == 0) {
      idle_();
      return true;
    }
    std::array<char, std::size_t{64} * 1024> piece;
    const ssize_t count = ::read(descriptor_, piece.data(), piece.size());
    if (count < 0) {
      if (errno != EINTR) throw error();
      return true;
    }
    if (count == 0) return is_file_ && wait_for_more();
    text_.append(piece.data(), static_cast<std::size_t>(count));
    size_ += count;
    const std::size_t end = text_.rfind('\n');
    whole_ = end == std::string::npos ? 0 : end + 1;
    return true;
  }

  bool wait_for_more() {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0) throw error();
    if (status.st_size < size_) {
      throw ReadError(fmt::format("{}: became shorter while it was followed", name_));
    }
    idle_();
    std::this_thread::sleep_for(look_interval);
    return true;
  }

  std::string name_;
  std::stop_token stop_;
  std::function<void()> idle_;
  int descriptor_ = -1;
  bool is_file_ = false;
  off_t size_ = 0;
  /// What was read and not given yet, and how much of it is whole lines.
  std::string text_;
  std::size_t whole_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> follow_source(const std::string& path, std::stop_token stop,
                                          std::function<void()> idle) {
  return std::make_unique<FollowedSource>(path, std::move(stop), std::move(idle));
}

}  // namespace assay::audit
