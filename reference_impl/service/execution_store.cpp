#include "reference_impl/service/execution_store.h"

#include <functional>
#include <mutex>
#include <utility>

#include "reference_impl/service/problem.h"

namespace assay::service {

std::size_t ExecutionStore::shard_of(const std::string& id) const {
  return std::hash<std::string>{}(id) % shards_.size();
}

Execution& ExecutionStore::add(std::unique_ptr<Execution> execution) {
  Execution& added = *execution;
  Shard& shard = shards_[shard_of(added.id())];
  const std::unique_lock lock(shard.mutex);
  if (!shard.executions.try_emplace(added.id(), std::move(execution)).second) {
    throw conflict("EXECUTION_EXISTS", "an execution of this id exists");
  }
  const std::unique_lock order_lock(order_mutex_);
  order_.push_back(&added);
  added.publish(order_.size());
  ++environment_.counters.executions;
  return added;
}

Execution& ExecutionStore::get(const std::string& id) const {
  const Shard& shard = shards_[shard_of(id)];
  const std::shared_lock lock(shard.mutex);
  const auto found = shard.executions.find(id);
  if (found == shard.executions.end()) throw not_found("no execution of this id");
  return *found->second;
}

Execution& ExecutionStore::at(std::uint64_t number) const {
  const std::shared_lock lock(order_mutex_);
  return *order_.at(number - 1);
}

bool ExecutionStore::contains(const std::string& id) const {
  const Shard& shard = shards_[shard_of(id)];
  const std::shared_lock lock(shard.mutex);
  return shard.executions.contains(id);
}

std::vector<Execution*> ExecutionStore::after(std::optional<status::State> state,
                                              std::uint64_t after, std::size_t count) {
  std::vector<Execution*> found;
  if (!state) {
    const std::shared_lock lock(order_mutex_);
    for (std::uint64_t number = after; number < order_.size() && found.size() < count; ++number) {
      found.push_back(order_[number]);
    }
    return found;
  }
  const auto at_numbers = [this](const std::vector<std::uint64_t>& numbers) {
    const std::shared_lock lock(order_mutex_);
    std::vector<Execution*> executions;
    for (const std::uint64_t number : numbers) executions.push_back(order_[number - 1]);
    return executions;
  };
  // Whose live state was dropped is read first, which rebuilds it and its place in the index.
  for (Execution* execution : at_numbers(environment_.states.forgotten())) {
    static_cast<void>(execution->state());
  }
  return at_numbers(environment_.states.after(*state, after, count));
}

}  // namespace assay::service
