#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay::lifecycle {

/// Exclusive locks on entities, and who waits for them (specification 002, Locking Phase). An owner
/// is granted all of its entities at once or none, so that no deadlock can arise. Waiters are
/// served in the order of their requests; an owner whose entities are all free never waits, because
/// the specification lets an execution wait only while another one locks what it needs.
///
/// A waiter watches one held entity at a time, so that a release looks at few waiters however many
/// there are.
class LockTable {
 public:
  /// Identifies who asks; each owner has at most one request at a time.
  using Owner = std::uint64_t;
  /// `shared` grants an entity to whoever asks for it.
  enum class Sharing : std::uint8_t { exclusive, shared };

  explicit LockTable(Sharing sharing = Sharing::exclusive) : sharing_(sharing) {}

  /// Files a request for all of these entities.
  void request(Owner owner, const std::set<std::string>& entities);

  /// The earliest request that can be granted now, taken out of the queue; nothing where none can.
  /// The caller then holds or releases it.
  [[nodiscard]] std::optional<Owner> next();

  /// Gives the owner that next() named all of its entities.
  void hold(Owner owner);

  /// Frees what the owner holds, or withdraws its request; nothing happens where there is neither.
  void release(Owner owner);

  /// Who holds the entity, if anyone does.
  [[nodiscard]] std::optional<Owner> holder(const std::string& entity) const;

 private:
  using Waiter = std::pair<std::uint64_t, Owner>;  // order of arrival, then who

  struct Entity {
    std::optional<Owner> holder;
    std::set<Waiter> watchers;
  };

  struct Request {
    Waiter waiter;
    std::vector<Entity*> entities;
    Entity* watched = nullptr;
  };

  [[nodiscard]] Entity* first_held(const Request& request) const;
  void nominate_head(Entity& entity);

  Sharing sharing_;
  std::uint64_t arrivals_ = 0;
  std::unordered_map<std::string, Entity> entities_;
  std::unordered_map<Owner, Request> requests_;
  /// Requests to look at next: each that is new, and the first watcher of each free entity (named).
  std::map<Waiter, Entity*> candidates_;
};

}  // namespace assay::lifecycle
