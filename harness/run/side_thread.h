#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>

namespace assay::run {

/// What takes less than this to read or to mask is done where it comes: some milliseconds.
inline constexpr std::size_t most_bytes_at_once = std::size_t{64} * 1024;

/// A thread beside the one that all cases share, for what would keep them waiting, such as an
/// answer of megabytes. It is made when it is first wanted; where no thread can be made, the work
/// is done by its caller. At the end of its life what is under way is waited for, and what has not
/// begun is dropped.
class SideThread {
 public:
  SideThread();
  SideThread(const SideThread&) = delete;
  SideThread& operator=(const SideThread&) = delete;
  virtual ~SideThread();

  /// Does the work, which what it refers to outlives, and resumes its caller on its own executor.
  virtual boost::asio::awaitable<void> perform(std::function<void()> work);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
  bool is_wanting_ = false;
};

}  // namespace assay::run
