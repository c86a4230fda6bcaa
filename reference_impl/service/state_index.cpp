#include "reference_impl/service/state_index.h"

namespace assay::service {

void StateIndex::erase(std::uint64_t number) {
  if (states_.size() <= number) states_.resize(number + 1);
  if (auto& state = states_[number]) {
    numbers_[*state].erase(number);
    state.reset();
  }
  forgotten_.erase(number);
}

void StateIndex::put(std::uint64_t number, status::State state) {
  const std::lock_guard lock(mutex_);
  if (number < states_.size() && states_[number] == state) return;
  erase(number);
  numbers_[state].insert(number);
  states_[number] = state;
}

void StateIndex::forget(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  erase(number);
  forgotten_.insert(number);
}

std::vector<std::uint64_t> StateIndex::after(status::State state, std::uint64_t after,
                                             std::size_t count) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> found;
  const auto& numbers = numbers_[state];
  for (auto at = numbers.upper_bound(after); at != numbers.end() && found.size() < count; ++at) {
    found.push_back(*at);
  }
  return found;
}

std::vector<std::uint64_t> StateIndex::forgotten() const {
  const std::lock_guard lock(mutex_);
  return {forgotten_.begin(), forgotten_.end()};
}

}  // namespace assay::service
