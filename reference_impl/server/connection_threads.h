#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::server {

/// A thread for every connection: an idle client never holds up a new one. Threads are kept for
/// later connections; beyond `max_threads` a connection waits for one to end.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t max_threads) : max_threads_(max_threads) {}
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;
  ~ConnectionThreads() override = default;

  void enqueue(std::function<void()> connection) override;
  /// Returns when every connection has ended.
  void shutdown() override;

 private:
  void work();

  std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool is_shutting_down_ = false;
};

}  // namespace assay::server
