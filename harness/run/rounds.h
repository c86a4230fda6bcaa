#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::run {

/// Asked with what the last round of a case came to: the next one, under the same id, nothing where
/// all is judged. The case's scenario lives until the next time it is asked.
using NextRound = std::function<std::optional<core::Case>(const core::CaseResult& last)>;

/// How cases that end at their first failure go on behind one that is excused, so that it hides no
/// other.
struct GoingOn {
  /// Whether the case is made again without what it failed at.
  std::function<bool(const core::CaseResult&)> is_excused;
  /// Of the case with that id; an empty function where it is not made again.
  std::function<NextRound(const std::string&)> rounds_of;
};

/// The most rounds of one case.
inline constexpr std::size_t most_rounds = 40;

/// What the names of a case's round begin with, from round 1: a target knows those of the rounds
/// before.
[[nodiscard]] std::string prefix_of_round(std::string_view prefix, std::size_t number);

/// The rounds of a case as one result, in their order; with `last_first` the last stands before the
/// others, because it is what somebody has to look at.
[[nodiscard]] core::CaseResult joined_rounds(std::vector<core::CaseResult> rounds, bool last_first);

/// The checks and exchanges of each round of a result, in the order of their numbers; one where it
/// has no rounds. Nothing where the result's rounds are not what it has.
[[nodiscard]] std::optional<std::vector<core::CaseResult>> separate_rounds(
    const std::vector<core::Check>& checks, const std::vector<core::Exchange>& exchanges,
    const std::vector<core::Round>& rounds);

}  // namespace assay::run
