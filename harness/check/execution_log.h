#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/value.h"
#include "harness/check/model_layers.h"
#include "reference_impl/model/routing/playbook.h"

namespace assay::check {

/// The tallies of all layers, by name.
using Tallies = std::map<std::string, LayerTally, std::less<>>;

/// The log of one execution as far as a case shows it: what it posted and was accepted, and what
/// the target listed.
class ExecutionLog {
 public:
  /// The target starts every execution itself, with an event that its log may not show.
  void begins_started() { begins_started_ = true; }
  /// A control plane drives it by this playbook.
  void driven_by(routing::Playbook playbook) { playbook_ = std::move(playbook); }
  /// An event that the target took; without a seq it is the next one.
  void posted(Value event, std::optional<std::int64_t> seq);
  /// An event that the target listed; one without a seq says nothing about its place.
  void listed(const Value& event);
  /// The cancel call was accepted for an open execution.
  void cancelled();

  /// Folds the log into the layers. Moves are counted only as far as nothing is missing: after a
  /// gap nobody knows which state an event came to. The events that a cancel call appends are known
  /// without being listed (CONTRACT, POST /executions/{id}/cancel).
  void count(Tallies& tallies) const;

 private:
  void count_routing(Tallies& tallies) const;

  std::map<std::int64_t, Value> events_;
  bool begins_started_ = false;
  std::optional<routing::Playbook> playbook_;
  bool is_cancelled_ = false;
};

}  // namespace assay::check
