#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_set>

#include "reference_impl/server/connection.h"

namespace assay::server {

/// The connections that a server has, so that their deadlines are kept and idle ones make room for
/// new ones. Safe from any thread.
class Connections {
 public:
  explicit Connections(std::size_t max_count) : max_count_(max_count) {}

  /// A connection is among them as long as this lives.
  class Entry {
   public:
    Entry(Connections& all, Connection& connection);
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    ~Entry();

   private:
    Connections& all_;
    Connection& connection_;
  };

  [[nodiscard]] bool is_empty() const;
  /// Whether one more may come: where all are there, in place of the one that has been idle for
  /// longest.
  [[nodiscard]] bool make_room();
  /// False where none is idle.
  bool drop_longest_idle();
  /// Ends the waits that have lasted past their deadlines.
  void expire_all(Connection::TimePoint now);
  /// Ends those that wait for a request.
  void drop_idle();
  void drop_all();

 private:
  bool drop_longest_idle_locked();

  std::size_t max_count_;
  mutable std::mutex mutex_;
  std::unordered_set<Connection*> all_;
};

}  // namespace assay::server
