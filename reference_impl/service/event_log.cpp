#include "reference_impl/service/event_log.h"

#include <algorithm>
#include <utility>

#include "reference_impl/service/json_codec.h"

namespace assay::service {

Value EventLog::event_at(std::size_t position) const {
  return parse_json(text_at(position)).value();
}

std::optional<std::size_t> EventLog::find(const std::string& event_id) const {
  const auto found = position_of_id_.find(event_id);
  if (found == position_of_id_.end()) return std::nullopt;
  return found->second;
}

std::size_t EventLog::append(Value body) {
  const auto position = static_cast<std::uint32_t>(events_.size() + 1);
  body.as_object()["seq"] = seq_at(position);
  position_of_id_.emplace(body.find("event_id")->as_string(), position);
  std::array<std::uint32_t, 3> numbers{};
  for (std::size_t field = 0; field < indexed_fields.size(); ++field) {
    const auto value = body.string_at(indexed_fields[field]);
    if (!value) continue;
    IndexedValue& entry = index_[field][*value];
    if (entry.number == 0) entry.number = static_cast<std::uint32_t>(index_[field].size());
    entry.positions.push_back(position);
    numbers[field] = entry.number;
  }
  numbers_.push_back(numbers);
  events_.push_back(write_json(body));
  events_.back().shrink_to_fit();
  return position;
}

std::vector<std::size_t> EventLog::select(const EventFilter& filter, std::size_t after,
                                          std::size_t count) const {
  const std::array<const std::optional<std::string>*, 3> wanted = {
      &filter.event_type, &filter.entity_type, &filter.entity_id};
  std::array<std::uint32_t, 3> numbers{};
  const Positions* shortest = nullptr;
  for (std::size_t field = 0; field < wanted.size(); ++field) {
    if (!wanted[field]->has_value()) continue;
    const auto entry = index_[field].find(**wanted[field]);
    if (entry == index_[field].end()) return {};
    numbers[field] = entry->second.number;
    if (shortest == nullptr || entry->second.positions.size() < shortest->size()) {
      shortest = &entry->second.positions;
    }
  }
  std::vector<std::size_t> selected;
  if (shortest == nullptr) {
    for (std::size_t at = after + 1; at <= size() && selected.size() < count; ++at) {
      selected.push_back(at);
    }
    return selected;
  }
  auto position = std::upper_bound(shortest->begin(), shortest->end(), after);
  for (; position != shortest->end() && selected.size() < count; ++position) {
    const auto& has = numbers_[*position - 1];
    bool fits = true;
    for (std::size_t field = 0; field < numbers.size(); ++field) {
      fits = fits && (numbers[field] == 0 || numbers[field] == has[field]);
    }
    if (fits) selected.push_back(*position);
  }
  return selected;
}

}  // namespace assay::service
