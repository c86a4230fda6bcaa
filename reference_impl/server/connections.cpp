#include "reference_impl/server/connections.h"

#include <optional>

namespace assay::server {

Connections::Entry::Entry(Connections& all, Connection& connection)
    : all_(all), connection_(connection) {
  const std::lock_guard lock(all_.mutex_);
  all_.all_.insert(&connection_);
}

Connections::Entry::~Entry() {
  const std::lock_guard lock(all_.mutex_);
  all_.all_.erase(&connection_);
}

bool Connections::is_empty() const {
  const std::lock_guard lock(mutex_);
  return all_.empty();
}

bool Connections::make_room() {
  const std::lock_guard lock(mutex_);
  return all_.size() < max_count_ || drop_longest_idle_locked();
}

bool Connections::drop_longest_idle() {
  const std::lock_guard lock(mutex_);
  return drop_longest_idle_locked();
}

void Connections::expire_all(Connection::TimePoint now) {
  const std::lock_guard lock(mutex_);
  for (Connection* const each : all_) each->expire(now);
}

void Connections::drop_idle() {
  const std::lock_guard lock(mutex_);
  for (Connection* const each : all_) {
    if (each->idle_since()) each->drop();
  }
}

void Connections::drop_all() {
  const std::lock_guard lock(mutex_);
  for (Connection* const each : all_) each->drop();
}

bool Connections::drop_longest_idle_locked() {
  Connection* longest = nullptr;
  auto since = Connection::TimePoint::max();
  for (Connection* const each : all_) {
    const std::optional<Connection::TimePoint> idle_since = each->idle_since();
    if (!idle_since || *idle_since >= since || each->has_just_come()) continue;
    longest = each;
    since = *idle_since;
  }
  if (longest != nullptr) longest->drop();
  return longest != nullptr;
}

}  // namespace assay::server
