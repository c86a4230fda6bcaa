#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/scenario.h"
#include "properties/draft.h"
#include "properties/family.h"

namespace assay::properties {

/// What families of driven executions share: the moves of their workers and clients, and what is
/// looked at after each.

/// A step that nobody plays, so that an execution goes on.
inline constexpr std::string_view hold_step = "hold";

/// Kinds: play, begin, end, late, twice, retried (of a step run that is open, or was), unscheduled
/// (of none), ctx, cancel, evict.
[[nodiscard]] std::optional<core::Step> driven_step(std::string_view kind, const Move& move,
                                                    const View& view);

/// The execution's state as the sound server says it.
[[nodiscard]] std::string driven_state(const View& view);

/// The tokens of the marking.
[[nodiscard]] List tokens_of(const View& view);

/// What a play did, as far as clauses tell it apart.
struct Played {
  /// The step; empty where the step was no play.
  std::string step;
  /// Whether its run ended by it, and was not over before.
  bool ended = false;
  bool failed = false;
  /// Of the routing that followed: whether arcs matched, and those that fire.
  bool matched = false;
  List selected;
};
[[nodiscard]] Played played_in(const TakenStep& taken);

/// Whether executor.spec.no_next_is_error is set.
[[nodiscard]] bool is_no_match_an_error(const Value& playbook);

/// Whether a step that has arcs ended and none of them matched.
[[nodiscard]] bool has_no_match(const Value& playbook, const Played& played);

/// Whether a status is one of the three that are for ever.
[[nodiscard]] bool is_end(std::string_view state);

/// Status: whether it has ended, by the clause that says so, and how.
[[nodiscard]] std::vector<Observation> observe_end_of_execution(const TakenStep& taken);

/// The clause that decides which tokens there are now.
[[nodiscard]] std::string clause_of_tokens(const TakenStep& taken);

/// The steps that have tokens, then what is bound to them.
[[nodiscard]] std::vector<Observation> observe_tokens(const TakenStep& taken);

/// How often the arcs of the step that was played were evaluated, and in which mode.
[[nodiscard]] std::vector<Observation> observe_router(const TakenStep& taken);

/// What next.evaluated says of them.
[[nodiscard]] std::vector<Observation> observe_arcs(const TakenStep& taken);

/// Every log clause, held against the whole log.
[[nodiscard]] std::vector<Observation> observe_log();

/// The ids of those, for a family's clauses: `clauses` and they, sorted, each once.
[[nodiscard]] std::vector<std::string> with_log_clauses(std::vector<std::string> clauses);

}  // namespace assay::properties
