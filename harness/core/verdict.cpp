#include "harness/core/verdict.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace assay::core {
namespace {

constexpr std::array<std::string_view, 5> words = {"not_applicable", "pass", "inconclusive",
                                                   "error", "fail"};

}  // namespace

Verdict merge(Verdict left, Verdict right) { return std::max(left, right); }

Verdict merge(std::span<const Verdict> verdicts) {
  Verdict worst = Verdict::not_applicable;
  for (const Verdict verdict : verdicts) worst = merge(worst, verdict);
  return worst;
}

std::string_view verdict_word(Verdict verdict) {
  return words.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> verdict_from_word(std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Verdict>(found - words.begin());
}

}  // namespace assay::core
