#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay::service {

/// Which events were published, in the order of their storing: one message for each stored event
/// (specification 001 section 6.2). Safe to use from many threads.
class Publications {
 public:
  /// A message: the number of its execution, and the position of its event in that one's log.
  struct Entry {
    std::uint64_t execution = 0;
    std::size_t position = 0;
  };

  /// `noetl.events.` and the event's type.
  [[nodiscard]] static std::string subject_of(std::string_view event_type);

  void add(const std::string& event_type, std::uint64_t execution, std::size_t position);

  /// The messages after number `after`, with their numbers 1, 2, 3 …, at most `count`; with
  /// `topic`, those with that subject.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, Entry>> after(
      const std::optional<std::string>& topic, std::uint64_t after, std::size_t count) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  /// Numbers of messages by their events' type, ascending.
  std::unordered_map<std::string, std::vector<std::uint64_t>> by_type_;
};

}  // namespace assay::service
