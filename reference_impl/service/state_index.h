#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "base/words.h"
#include "reference_impl/model/status/layers.h"

namespace assay::service {

/// Which executions are in which state, by their numbers in the order of creation, so that
/// ?state= need not ask each execution. Safe to use from many threads.
class StateIndex {
 public:
  /// A number appears in a state, or moves from one to another.
  void put(std::uint64_t number, status::State state);
  /// The state of these is not known until they are read again (see Execution::evict).
  void forget(std::uint64_t number);

  /// The numbers after `after` in that state, ascending, at most `count`.
  [[nodiscard]] std::vector<std::uint64_t> after(status::State state, std::uint64_t after,
                                                 std::size_t count) const;
  /// All that were forgotten and not put since.
  [[nodiscard]] std::vector<std::uint64_t> forgotten() const;

 private:
  void erase(std::uint64_t number);

  mutable std::mutex mutex_;
  EnumTable<status::State::cancelled, std::set<std::uint64_t>> numbers_;
  std::set<std::uint64_t> forgotten_;
  /// By number; nothing while forgotten.
  std::vector<std::optional<status::State>> states_;
};

}  // namespace assay::service
