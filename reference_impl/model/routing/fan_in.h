#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/routing/playbook.h"
#include "reference_impl/model/routing/policy.h"

namespace assay::routing {

/// The steps from which arcs lead to one step, found backwards and only as far as the questions
/// asked so far need.
class Ancestors {
 public:
  Ancestors(std::shared_ptr<const Playbook> playbook, std::size_t step);

  /// Whether arcs lead from `step` to the step that this is about.
  [[nodiscard]] bool contain(std::size_t step);

 private:
  void expand(std::size_t step);

  std::shared_ptr<const Playbook> playbook_;
  std::unordered_set<std::size_t> found_;
  std::vector<std::size_t> frontier_;
};

/// Fan-in under `wait_all` (specification 003 section 6.1 point 3, CONTRACT "Executions"): arrivals
/// at a step with several incoming arcs gather until no live token can still reach the step.
/// Siblings that an exclusive router didn't take are never live, so they don't block, nor does a
/// back edge from a step that isn't live. Groups that wait in one cycle don't wait for each other.
class FanIn {
 public:
  /// Arrivals that wait at one step.
  struct Group {
    std::size_t step = 0;
    std::size_t arrived = 0;
    /// The arrivals' args, key by key.
    Object args;
  };

  explicit FanIn(std::shared_ptr<const Playbook> playbook,
                 JoinedArgs joined_args = JoinedArgs::last_arrival);

  /// Whether arrivals at the step gather.
  [[nodiscard]] bool gathers_at(std::size_t step) const;
  void arrive(std::size_t step, const Object& args);

  /// A token became live at a step, or ceased to be.
  void enter(std::size_t step);
  void leave(std::size_t step);

  /// Takes the oldest group that waits for nothing any more.
  [[nodiscard]] std::optional<Group> take_ready();

  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  /// The groups, oldest first.
  [[nodiscard]] std::vector<Group> groups() const;
  /// Forgets the arrivals that wait.
  void drop_groups();

 private:
  struct Waiting {
    Group group;
    Ancestors ancestors;
    std::size_t live_upstream = 0;
  };
  using Order = std::uint64_t;

  void adjust(Order order, bool increase);
  [[nodiscard]] static bool blocks(Waiting& upstream, Waiting& downstream);

  std::shared_ptr<const Playbook> playbook_;
  JoinedArgs joined_args_;
  bool enabled_;
  std::unordered_map<std::size_t, std::size_t> live_at_;  ///< live tokens by step, none zero
  std::map<Order, Waiting> waiting_;
  std::unordered_map<std::size_t, Order> order_by_step_;
  std::set<Order> ready_;
  Order next_order_ = 0;
};

}  // namespace assay::routing
