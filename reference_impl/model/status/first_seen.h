#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::status {

/// Entries by id, in the order in which their ids first appeared. Entry has a `std::string id`.
/// Small where there is little (a server holds one fold for each of many executions): a handful is
/// searched in place, more get an index of 4 bytes an entry.
template <typename Entry>
class FirstSeen {
 public:
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] Entry& at(std::size_t position) { return entries_[position]; }
  [[nodiscard]] const Entry& at(std::size_t position) const { return entries_[position]; }

  /// The entry of that id, or nullptr; valid until the next add.
  [[nodiscard]] Entry* find(std::string_view id) {
    const std::size_t position = position_of(id);
    return position < entries_.size() ? &entries_[position] : nullptr;
  }

  /// The position of the entry of that id, which is added where there is none.
  std::size_t find_or_add(std::string_view id) {
    const std::size_t position = position_of(id);
    if (position == entries_.size()) add(id);
    return position;
  }

 private:
  static constexpr std::size_t searched_in_place = 8;

  /// entries_.size() where no entry has the id.
  [[nodiscard]] std::size_t position_of(std::string_view id) const {
    if (slots_.empty()) {
      std::size_t position = 0;
      while (position < entries_.size() && entries_[position].id != id) ++position;
      return position;
    }
    std::size_t slot = first_slot(id);
    while (slots_[slot] != 0) {
      if (entries_[slots_[slot] - 1].id == id) return slots_[slot] - 1;
      slot = next_slot(slot);
    }
    return entries_.size();
  }

  void add(std::string_view id) {
    Entry entry;
    entry.id = id;
    entries_.push_back(std::move(entry));
    if (entries_.size() <= searched_in_place) return;
    if (entries_.size() * 2 > slots_.size()) {
      slots_.assign(std::bit_ceil(entries_.size() * 3), 0);
      for (std::size_t i = 0; i < entries_.size(); ++i) occupy(i);
    } else {
      occupy(entries_.size() - 1);
    }
  }

  void occupy(std::size_t position) {
    std::size_t slot = first_slot(entries_[position].id);
    while (slots_[slot] != 0) slot = next_slot(slot);
    slots_[slot] = static_cast<std::uint32_t>(position + 1);
  }

  [[nodiscard]] std::size_t first_slot(std::string_view id) const {
    return std::hash<std::string_view>{}(id) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t next_slot(std::size_t slot) const {
    return (slot + 1) & (slots_.size() - 1);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0 is free, else a position plus 1
};

}  // namespace assay::status
