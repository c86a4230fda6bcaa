#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "base/short_text.h"

namespace assay::check {

/// The event_ids of a log and where each stands first: one entry an event, with no memory of its
/// own for each. Views the ids.
class SeenIds {
 public:
  explicit SeenIds(std::pmr::memory_resource* memory) : entries_(memory), slots_(memory) {}

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  void reserve(std::size_t count) {
    entries_.reserve(count);
    if (2 * count > slots_.size()) spread(2 * count);
  }

  /// Where the id stood first: `index`, where it was not there yet.
  std::size_t first_index(std::string_view id, std::size_t index) {
    if (2 * entries_.size() >= slots_.size()) spread(4 * (entries_.size() + 1));
    const std::size_t hash = std::hash<std::string_view>{}(id);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && is_same_text(entry.id, id)) return entry.index;
    }
    entries_.push_back({id, hash, index});
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    return index;
  }

 private:
  struct Entry {
    std::string_view id;
    std::size_t hash;
    std::size_t index;
  };

  /// Makes at least that many slots, a power of two.
  void spread(std::size_t least) {
    std::size_t count = 16;
    while (count < least) count *= 2;
    slots_.assign(count, 0);
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
      std::size_t slot = entries_[entry].hash & (count - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (count - 1);
      slots_[slot] = static_cast<std::uint32_t>(entry + 1);
    }
  }

  std::pmr::vector<Entry> entries_;
  /// The entry whose hash leads here or to a slot before, from 1; 0: none.
  std::pmr::vector<std::uint32_t> slots_;
};

}  // namespace assay::check
