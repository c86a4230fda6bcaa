#include "reference_impl/model/lifecycle/lock_table.h"

namespace assay::lifecycle {

void LockTable::request(Owner owner, const std::set<std::string>& entities) {
  Request& request = requests_[owner];
  request.waiter = {++arrivals_, owner};
  request.entities.reserve(entities.size());
  for (const std::string& entity : entities) request.entities.push_back(&entities_[entity]);
  candidates_.emplace(request.waiter, nullptr);
}

std::optional<LockTable::Owner> LockTable::next() {
  while (!candidates_.empty()) {
    const auto [waiter, freed] = *candidates_.begin();
    candidates_.erase(candidates_.begin());
    Request& request = requests_.at(waiter.second);
    if (freed != nullptr) {
      freed->watchers.erase(waiter);
      nominate_head(*freed);
    }
    request.watched = first_held(request);
    if (request.watched == nullptr) return waiter.second;
    request.watched->watchers.insert(waiter);
  }
  return std::nullopt;
}

void LockTable::hold(Owner owner) {
  for (Entity* entity : requests_.at(owner).entities) {
    entity->holder = owner;
    if (!entity->watchers.empty()) candidates_.erase(*entity->watchers.begin());
  }
}

void LockTable::release(Owner owner) {
  const auto found = requests_.find(owner);
  if (found == requests_.end()) return;
  const Request request = std::move(found->second);
  requests_.erase(found);
  candidates_.erase(request.waiter);
  if (request.watched != nullptr) {
    request.watched->watchers.erase(request.waiter);
    nominate_head(*request.watched);
  }
  for (Entity* entity : request.entities) {
    if (entity->holder != owner) continue;
    entity->holder.reset();
    nominate_head(*entity);
  }
}

std::optional<LockTable::Owner> LockTable::holder(const std::string& entity) const {
  const auto found = entities_.find(entity);
  return found == entities_.end() ? std::nullopt : found->second.holder;
}

LockTable::Entity* LockTable::first_held(const Request& request) const {
  if (sharing_ == Sharing::shared) return nullptr;
  for (Entity* entity : request.entities) {
    if (entity->holder) return entity;
  }
  return nullptr;
}

/// A free entity's first watcher is always a candidate; those behind it wait for its verdict.
void LockTable::nominate_head(Entity& entity) {
  if (entity.holder || entity.watchers.empty()) return;
  candidates_.emplace(*entity.watchers.begin(), &entity);
}

}  // namespace assay::lifecycle
