#include "reference_impl/service/publications.h"

#include <algorithm>

namespace assay::service {
namespace {

constexpr std::string_view subject_prefix = "noetl.events.";

}  // namespace

std::string Publications::subject_of(std::string_view event_type) {
  return std::string(subject_prefix) + std::string(event_type);
}

void Publications::add(const std::string& event_type, std::uint64_t execution,
                       std::size_t position) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({execution, position});
  by_type_[event_type].push_back(entries_.size());
}

std::vector<std::pair<std::uint64_t, Publications::Entry>> Publications::after(
    const std::optional<std::string>& topic, std::uint64_t after, std::size_t count) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::uint64_t, Entry>> found;
  const auto take = [&](std::uint64_t number) { found.emplace_back(number, entries_[number - 1]); };
  if (!topic) {
    for (std::uint64_t number = after + 1; number <= entries_.size() && found.size() < count;) {
      take(number++);
    }
    return found;
  }
  if (!topic->starts_with(subject_prefix)) return found;
  const auto numbers = by_type_.find(topic->substr(subject_prefix.size()));
  if (numbers == by_type_.end()) return found;
  auto next = std::upper_bound(numbers->second.begin(), numbers->second.end(), after);
  for (; next != numbers->second.end() && found.size() < count; ++next) take(*next);
  return found;
}

}  // namespace assay::service
