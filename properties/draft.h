#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::properties {

struct Family;

/// One command of a generated case as plain data: what kind it is, and operands that its family
/// reads as it likes ("the event of that number, of those posted so far"). No identifier that a
/// server gave is in it, so that it means something in any other case too.
struct Move {
  /// Index into the family's kinds.
  std::size_t kind = 0;
  /// From 0 to largest_operand; 0 is the simplest of each.
  std::array<std::uint8_t, 4> operands = {};

  friend bool operator==(const Move&, const Move&) = default;
};

inline constexpr std::uint8_t largest_operand = 15;

/// A case before anybody knows what is right: what is built before it starts (steps and arcs of a
/// playbook, blocks of a definition), and what is done then. Any part of a draft is a draft.
struct Draft {
  std::vector<Move> construction;
  std::vector<Move> moves;
  /// Instead of its own kind each move takes the one that was met least in the state where it
  /// stands. What a recording keeps of such a draft has the kinds that were taken.
  bool takes_rarest = false;

  friend bool operator==(const Draft&, const Draft&) = default;
};

/// The weights by which a draft chooses its kinds.
enum class Strategy : std::uint8_t {
  weighted,  ///< By the weights that the family's author chose.
  swarm,     ///< By random weights, many of them 0: what is rare together elsewhere meets here.
  directed,  ///< One kind, each in turn, as often as all others together.
  rarest,    ///< The kind that the case has met least in the state that it has come to.
};

/// The draft of case `index` of a family. It follows from these three alone: no other case has to
/// be generated before. Up to `most_moves` moves.
[[nodiscard]] Draft generate(const Family& family, std::uint64_t seed, std::uint64_t index,
                             std::size_t most_moves = 24);

/// The strategy that generate() uses for a case: 3 of 10 weighted, 4 swarm, 2 directed,
/// 1 rarest.
[[nodiscard]] Strategy strategy_of(std::uint64_t index);

/// Simpler moves than this one, the simplest first.
[[nodiscard]] std::vector<Move> simpler(const Move& move);

}  // namespace assay::properties
