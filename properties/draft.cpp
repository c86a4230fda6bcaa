#include "properties/draft.h"

#include <rapidcheck/Random.h>
#include <rapidcheck/shrink/Shrink.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/digest.h"
#include "properties/family.h"

namespace assay::properties {
namespace {

using Weights = std::vector<std::uint32_t>;

/// A family's cases stay the same when other families come and go.
std::uint64_t digest_of(std::string_view family_id) {
  Digest digest;
  digest.add(family_id);
  return digest.value();
}

Weights weights_of(const std::vector<Kind>& kinds, Strategy strategy, std::uint64_t index,
                   rc::Random& random) {
  Weights weights;
  for (const Kind& kind : kinds) weights.push_back(kind.weight);
  if (strategy == Strategy::swarm) {
    std::uint64_t bits = random.next();
    for (std::uint32_t& weight : weights) {
      const bool is_in = (bits & 1U) == 0U;
      weight = is_in ? static_cast<std::uint32_t>(1 + random.next() % 100) : 0;
      bits >>= 1U;
    }
  } else if (strategy == Strategy::directed) {
    const std::uint32_t others = std::accumulate(weights.begin(), weights.end(), 0U);
    weights[index / 5 % weights.size()] += others;
  }
  if (std::all_of(weights.begin(), weights.end(), [](auto weight) { return weight == 0; })) {
    weights.assign(weights.size(), 1);
  }
  return weights;
}

/// One random number makes one move.
Move draw(std::uint64_t bits, const Weights& weights, std::uint32_t total) {
  Move move;
  std::uint64_t choice = (bits >> 32U) % total;
  while (choice >= weights[move.kind]) choice -= weights[move.kind++];
  for (std::uint8_t& operand : move.operands) {
    operand = static_cast<std::uint8_t>(bits & largest_operand);
    bits >>= 4U;
  }
  return move;
}

std::vector<Move> draw_all(std::size_t count, const Weights& weights, rc::Random& random) {
  const std::uint32_t total = std::accumulate(weights.begin(), weights.end(), 0U);
  std::vector<Move> moves;
  moves.reserve(count);
  for (std::size_t turn = 0; turn < count; ++turn) {
    moves.push_back(draw(random.next(), weights, total));
  }
  return moves;
}

}  // namespace

Strategy strategy_of(std::uint64_t index) {
  constexpr std::array<Strategy, 10> turns = {
      Strategy::weighted, Strategy::swarm,    Strategy::directed, Strategy::swarm,
      Strategy::swarm,    Strategy::weighted, Strategy::swarm,    Strategy::directed,
      Strategy::rarest,   Strategy::weighted};
  return turns[index % turns.size()];
}

Draft generate(const Family& family, std::uint64_t seed, std::uint64_t index,
               std::size_t most_moves) {
  rc::Random random(rc::Random::Key{seed, digest_of(family.id), index, 0});
  Draft draft;
  if (!family.parts.empty()) {
    const std::size_t parts = 1 + random.next() % family.most_parts;
    const Weights weights = weights_of(family.parts, Strategy::weighted, index, random);
    draft.construction = draw_all(parts, weights, random);
  }
  // Short cases are as frequent as long ones: many a fault shows only before something happens.
  const std::size_t moves = 1 + random.next() % std::max<std::size_t>(most_moves, 1);
  const Weights weights = weights_of(family.kinds, strategy_of(index), index, random);
  draft.moves = draw_all(moves, weights, random);
  draft.takes_rarest = strategy_of(index) == Strategy::rarest;
  return draft;
}

std::vector<Move> simpler(const Move& move) {
  std::vector<Move> moves;
  for (std::size_t index = 0; index < move.operands.size(); ++index) {
    rc::Seq<int> values = rc::shrink::towards<int>(move.operands[index], 0);
    for (auto value = values.next(); value; value = values.next()) {
      Move candidate = move;
      candidate.operands[index] = static_cast<std::uint8_t>(*value);
      moves.push_back(candidate);
    }
  }
  return moves;
}

}  // namespace assay::properties
