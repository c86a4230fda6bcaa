#include "reference_impl/model/lifecycle/state.h"

#include <algorithm>

#include "base/words.h"
#include "reference_impl/model/lifecycle/names.h"

namespace assay::lifecycle {
namespace {

constexpr Words<State::failed_unsafe_ack> state_names = {
    "NEW",
    "VALID",
    "BLOCKED_WAITING",
    "READY",
    "RESOURCE_DISCOVERY",
    "RESOURCES_DISCOVERED",
    "SCHEDULED",
    "LOCKING",
    "LOCKED",
    "RUNNING",
    "COMPLETED",
    "ERROR",
    "ROLLBACK",
    "FAILED_SAFE",
    "FAILED_UNSAFE",
    "COMPLETED_ACK",
    "FAILED_SAFE_ACK",
    "FAILED_UNSAFE_ACK",
};

}  // namespace

std::string_view to_string(State state) { return state_names[state]; }

std::optional<State> parse_state(std::string_view name) { return state_names.parse(name, is_name); }

bool is_outcome(State state) { return acknowledgement_of(state).has_value(); }

bool is_active(State state) {
  return state < State::completed || state == State::error || state == State::rollback;
}

std::optional<State> acknowledgement_of(State state) {
  switch (state) {
    case State::completed:
      return State::completed_ack;
    case State::failed_safe:
      return State::failed_safe_ack;
    case State::failed_unsafe:
      return State::failed_unsafe_ack;
    default:
      return std::nullopt;
  }
}

const Edge* find_edge(State from, State to) {
  const auto found = std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) {
    return edge.from == from && edge.to == to;
  });
  return found == edges.end() ? nullptr : &*found;
}

}  // namespace assay::lifecycle
