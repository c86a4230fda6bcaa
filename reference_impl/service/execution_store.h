#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference_impl/service/environment.h"
#include "reference_impl/service/execution.h"

namespace assay::service {

/// All executions of one server, found by id and listed in the order of their creation. They are
/// never removed, so references stay good. Safe to use from many threads.
class ExecutionStore {
 public:
  explicit ExecutionStore(Environment& environment) : environment_(environment) {}

  /// Takes a new execution in; throws Refusal 409 EXECUTION_EXISTS where its id is taken.
  Execution& add(std::unique_ptr<Execution> execution);
  /// The execution of that id; throws Refusal 404.
  [[nodiscard]] Execution& get(const std::string& id) const;
  /// The execution of that number, which must be one that was given.
  [[nodiscard]] Execution& at(std::uint64_t number) const;
  [[nodiscard]] bool contains(const std::string& id) const;

  /// The executions created after number `after`, in the order of creation, at most `count`; with
  /// `state`, those that are in it.
  [[nodiscard]] std::vector<Execution*> after(std::optional<status::State> state,
                                              std::uint64_t after, std::size_t count);

 private:
  struct Shard {
    mutable std::shared_mutex mutex;
    std::unordered_map<std::string, std::unique_ptr<Execution>> executions;
  };
  [[nodiscard]] std::size_t shard_of(const std::string& id) const;

  Environment& environment_;
  std::array<Shard, 64> shards_;
  mutable std::shared_mutex order_mutex_;
  /// By number, which begins with 1.
  std::vector<Execution*> order_;
};

}  // namespace assay::service
