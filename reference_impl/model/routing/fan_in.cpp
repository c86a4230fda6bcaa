#include "reference_impl/model/routing/fan_in.h"

#include <utility>

namespace assay::routing {

Ancestors::Ancestors(std::shared_ptr<const Playbook> playbook, std::size_t step)
    : playbook_(std::move(playbook)) {
  expand(step);
}

void Ancestors::expand(std::size_t step) {
  for (const std::size_t source : playbook_->upstream[step]) {
    if (found_.insert(source).second) frontier_.push_back(source);
  }
}

bool Ancestors::contain(std::size_t step) {
  while (!found_.contains(step) && !frontier_.empty()) {
    const std::size_t next = frontier_.back();
    frontier_.pop_back();
    expand(next);
  }
  return found_.contains(step);
}

FanIn::FanIn(std::shared_ptr<const Playbook> playbook, JoinedArgs joined_args)
    : playbook_(std::move(playbook)),
      joined_args_(joined_args),
      enabled_(playbook_->executor.fan_in == FanInPolicy::wait_all) {}

bool FanIn::gathers_at(std::size_t step) const {
  return enabled_ && playbook_->upstream[step].size() > 1;
}

/// Whether a group that waits upstream keeps another waiting. Two in one cycle would wait for ever.
bool FanIn::blocks(Waiting& upstream, Waiting& downstream) {
  return downstream.ancestors.contain(upstream.group.step) &&
         !upstream.ancestors.contain(downstream.group.step);
}

void FanIn::arrive(std::size_t step, const Object& args) {
  const auto [known, is_new] = order_by_step_.try_emplace(step, next_order_);
  if (is_new) {
    const Order order = next_order_++;
    Waiting fresh{.group = {.step = step, .arrived = 0, .args = {}},
                  .ancestors = Ancestors(playbook_, step)};
    for (const auto& [live_step, count] : live_at_) {
      if (fresh.ancestors.contain(live_step)) fresh.live_upstream += count;
    }
    for (auto& [other_order, other] : waiting_) {
      if (blocks(other, fresh)) ++fresh.live_upstream;
      if (blocks(fresh, other)) adjust(other_order, true);
    }
    if (fresh.live_upstream == 0) ready_.insert(order);
    waiting_.emplace(order, std::move(fresh));
  }
  Group& group = waiting_.at(known->second).group;
  ++group.arrived;
  for (const auto& [key, value] : args) {
    const auto [member, is_first] = group.args.try_emplace(key, value);
    if (!is_first && joined_args_ == JoinedArgs::last_arrival) member->second = value;
  }
}

void FanIn::adjust(Order order, bool increase) {
  Waiting& waiting = waiting_.at(order);
  if (increase) {
    if (waiting.live_upstream++ == 0) ready_.erase(order);
  } else if (--waiting.live_upstream == 0) {
    ready_.insert(order);
  }
}

void FanIn::enter(std::size_t step) {
  if (!enabled_) return;
  ++live_at_[step];
  for (auto& [order, waiting] : waiting_) {
    if (waiting.ancestors.contain(step)) adjust(order, true);
  }
}

void FanIn::leave(std::size_t step) {
  if (!enabled_) return;
  const auto live = live_at_.find(step);
  if (--live->second == 0) live_at_.erase(live);
  for (auto& [order, waiting] : waiting_) {
    if (waiting.ancestors.contain(step)) adjust(order, false);
  }
}

std::optional<FanIn::Group> FanIn::take_ready() {
  if (ready_.empty()) return std::nullopt;
  const Order order = *ready_.begin();
  ready_.erase(ready_.begin());
  Waiting taken = std::move(waiting_.at(order));
  waiting_.erase(order);
  order_by_step_.erase(taken.group.step);
  for (auto& [other_order, other] : waiting_) {
    if (blocks(taken, other)) adjust(other_order, false);
  }
  return std::move(taken.group);
}

std::vector<FanIn::Group> FanIn::groups() const {
  std::vector<Group> groups;
  for (const auto& [order, waiting] : waiting_) groups.push_back(waiting.group);
  return groups;
}

void FanIn::drop_groups() {
  waiting_.clear();
  order_by_step_.clear();
  ready_.clear();
}

}  // namespace assay::routing
