#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/value.h"

namespace assay::service {

/// What a list of events is narrowed by; nothing narrows by nothing.
struct EventFilter {
  std::optional<std::string> event_type;
  std::optional<std::string> entity_type;
  std::optional<std::string> entity_id;
};

/// One execution's events in the order of their storing, appended and never removed. Each is kept
/// as one compact JSON text beside small indexes (EVT-IDX-1), so that a million take little room
/// and a page costs the same wherever it begins.
class EventLog {
 public:
  /// Events are numbered by position: 1, 2, 3 …
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  /// The seq of the event at that position.
  [[nodiscard]] static std::int64_t seq_at(std::size_t position) {
    return static_cast<std::int64_t>(position);
  }
  /// The stored JSON text, seq included.
  [[nodiscard]] const std::string& text_at(std::size_t position) const {
    return events_[position - 1];
  }
  [[nodiscard]] Value event_at(std::size_t position) const;

  /// The position of the first event of that id, or nothing.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& event_id) const;

  /// Stores an event that read_event gave, with its seq; gives its position.
  std::size_t append(Value body);

  /// The positions after `after` that the filter lets through, in order, at most `count`.
  [[nodiscard]] std::vector<std::size_t> select(const EventFilter& filter, std::size_t after,
                                                std::size_t count) const;

 private:
  /// The positions of the events with one value of one field, ascending.
  using Positions = std::vector<std::uint32_t>;
  static constexpr std::array<std::string_view, 3> indexed_fields = {"event_type", "entity_type",
                                                                     "entity_id"};
  /// One value's number within its field; 0 stands for a value that is absent.
  struct IndexedValue {
    std::uint32_t number = 0;
    Positions positions;
  };

  std::vector<std::string> events_;
  std::unordered_map<std::string, std::uint32_t> position_of_id_;
  std::array<std::unordered_map<std::string, IndexedValue>, 3> index_;
  std::vector<std::array<std::uint32_t, 3>> numbers_;
};

}  // namespace assay::service
