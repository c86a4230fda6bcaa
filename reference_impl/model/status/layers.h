#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay::status {

/// Specification 000's State Layers, from the whole execution down to one tool call.
enum class Layer : std::uint8_t { execution, workflow, step, command, tool };

/// Every state word of the five layers; each layer uses some.
enum class State : std::uint8_t {
  pending,
  running,
  completed,
  failed,
  cancelled,
  case_handled,
  issued,
  claimed,
  ok,
  error,
  break_off,  ///< BREAK
  noop,
};

/// Where a row comes from: specification 000's matrix, or what the reference binding adds because
/// the matrix is silent (later rounds of a step; a close that comes before the start).
enum class Origin : std::uint8_t { specification, binding };

/// One row of a layer's matrix. Texts are the specification's.
struct Transition {
  State from;
  State to;
  std::string_view trigger;
  std::string_view owner;
  std::string_view signal;  ///< the persisted signal
  std::string_view clause;
  Origin origin = Origin::specification;
};

/// One layer: specification 000's row in State Layers and the layer's matrix.
struct LayerTable {
  Layer layer;
  std::string_view name;
  std::string_view scope;
  std::string_view owner;
  std::string_view storage;
  std::string_view must_not_decide;
  std::string_view clause;
  std::span<const State> states;
  std::span<const State> terminal;
  std::span<const Transition> transitions;
};

[[nodiscard]] std::span<const LayerTable> layer_tables();
[[nodiscard]] const LayerTable& table_of(Layer layer);

/// The row that allows the move, or nullptr.
[[nodiscard]] const Transition* find_transition(Layer layer, State from, State to);

/// True where the layer's table lists the state as terminal.
[[nodiscard]] bool is_terminal(Layer layer, State state);

/// The state's word in upper case, as specification 000 writes it.
[[nodiscard]] std::string_view word_of(State state);

/// The state of that layer whose word this is, in any case; nothing for any other word.
[[nodiscard]] std::optional<State> state_named(Layer layer, std::string_view word);

}  // namespace assay::status
