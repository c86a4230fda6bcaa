#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/words.h"

namespace assay::lifecycle {

/// The states of a workflow execution (specification 002), in the order of its diagram.
enum class State : std::uint8_t {
  new_execution,
  valid,
  blocked_waiting,
  ready,
  resource_discovery,
  resources_discovered,
  scheduled,
  locking,
  locked,
  running,
  completed,
  error,
  rollback,
  failed_safe,
  failed_unsafe,
  completed_ack,
  failed_safe_ack,
  failed_unsafe_ack,
};

inline constexpr std::size_t state_count = count_of<State::failed_unsafe_ack>;

/// The specification's name of a state, in upper case.
[[nodiscard]] std::string_view to_string(State state);

/// The state of that name in any case, or nothing.
[[nodiscard]] std::optional<State> parse_state(std::string_view name);

/// COMPLETED, FAILED_SAFE or FAILED_UNSAFE: the states in which an execution has ended.
[[nodiscard]] bool is_outcome(State state);

/// Whether an execution in this state has not ended yet.
[[nodiscard]] bool is_active(State state);

/// X_ACK for an outcome X, else nothing.
[[nodiscard]] std::optional<State> acknowledgement_of(State state);

/// Why an edge exists.
enum class EdgeKind : std::uint8_t {
  active,           ///< the specification's diagram or text, as engines run it
  reserved,         ///< for future use, as the specification says
  planned,          ///< the rollback path, not yet active, as it says
  settled,          ///< left open by the specification; the binding settles it
  acknowledgement,  ///< the one edge out of an outcome
};

/// One edge of the state machine, with the clause that states it.
struct Edge {
  State from;
  State to;
  EdgeKind kind;
  std::string_view clause;
};

/// Every edge that the model permits.
inline constexpr std::array<Edge, 29> edges = {{
    {State::new_execution, State::valid, EdgeKind::active, "WFX-NEW-VALID"},
    {State::new_execution, State::failed_safe, EdgeKind::active, "WFX-NEW-FAIL"},
    {State::valid, State::ready, EdgeKind::active, "WFX-VALID-READY"},
    {State::valid, State::blocked_waiting, EdgeKind::reserved, "WFX-VALID-BLOCK"},
    {State::blocked_waiting, State::ready, EdgeKind::reserved, "WFX-VALID-BLOCK"},
    {State::ready, State::resource_discovery, EdgeKind::active, "WFX-READY-DISC"},
    {State::resource_discovery, State::resources_discovered, EdgeKind::active, "WFX-DISC-DONE"},
    {State::resource_discovery, State::failed_safe, EdgeKind::settled, "WFX-DISC-DONE"},
    {State::resources_discovered, State::scheduled, EdgeKind::active, "WFX-DISC-SCHED"},
    {State::scheduled, State::locking, EdgeKind::active, "WFX-SCHED-LOCKING"},
    {State::locking, State::locked, EdgeKind::active, "WFX-LOCK-OK"},
    {State::locking, State::failed_safe, EdgeKind::active, "WFX-LOCK-FAIL"},
    {State::locked, State::running, EdgeKind::active, "WFX-LOCKED-RUN"},
    {State::running, State::completed, EdgeKind::active, "WFX-RUN-DONE"},
    {State::running, State::error, EdgeKind::active, "WFX-RUN-ERR"},
    {State::error, State::failed_safe, EdgeKind::active, "WFX-ERR-SAFE"},
    {State::error, State::failed_unsafe, EdgeKind::active, "WFX-ERR-UNSAFE"},
    {State::error, State::rollback, EdgeKind::planned, "WFX-ERR-ROLLBACK"},
    {State::rollback, State::failed_safe, EdgeKind::planned, "WFX-ROLL-SAFE"},
    {State::rollback, State::failed_unsafe, EdgeKind::planned, "WFX-ROLL-UNSAFE"},
    {State::valid, State::failed_safe, EdgeKind::settled, "WFX-API-ABORT"},
    {State::blocked_waiting, State::failed_safe, EdgeKind::settled, "WFX-API-ABORT"},
    {State::ready, State::failed_safe, EdgeKind::settled, "WFX-API-ABORT"},
    {State::resources_discovered, State::failed_safe, EdgeKind::settled, "WFX-API-ABORT"},
    {State::scheduled, State::failed_safe, EdgeKind::settled, "WFX-API-ABORT"},
    {State::locked, State::failed_safe, EdgeKind::settled, "WFX-API-ABORT"},
    {State::completed, State::completed_ack, EdgeKind::acknowledgement, "WFX-TERMINAL"},
    {State::failed_safe, State::failed_safe_ack, EdgeKind::acknowledgement, "WFX-TERMINAL"},
    {State::failed_unsafe, State::failed_unsafe_ack, EdgeKind::acknowledgement, "WFX-TERMINAL"},
}};

/// The edge between two states, or nullptr where the model permits none.
[[nodiscard]] const Edge* find_edge(State from, State to);

}  // namespace assay::lifecycle
