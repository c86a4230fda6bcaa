#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/profile.h"
#include "harness/core/scenario.h"

namespace assay::run {

/// Which cases to run. Each list narrows the choice; within a list any member will do; an empty
/// list narrows nothing.
struct Selection {
  /// Over the ids of cases and of their scenarios; * stands for any run of characters.
  std::vector<std::string> globs = {};
  /// Clause ids or globs over them.
  std::vector<std::string> clauses = {};
  std::vector<std::string> tags = {};
  std::vector<core::Level> levels = {};
};

struct Plan {
  /// In the order of the scenarios and their matrices. They point into the scenarios given.
  std::vector<core::Case> cases;
  /// Globs, clauses and tags that match nothing, each with the nearest names: a mistake in the
  /// command line (exit code 2), never an empty run.
  std::vector<std::string> problems;
  /// What rows that were chosen by their index are called now.
  std::vector<std::string> hints;
};

/// The cases of `scenarios` that a selection chooses. An empty plan without problems means that
/// each name exists but no case has all that was asked for.
[[nodiscard]] Plan make_plan(std::span<const core::Scenario> scenarios, const Selection& selection,
                             const core::ClauseTable& clauses);

/// The names that are nearest to one that matches nothing, at most three, as "did you mean a, b or
/// c?"; empty where none is near.
[[nodiscard]] std::string suggestion(std::string_view name, std::vector<std::string> candidates);

/// What a scenario needs of a target: its `needs`, the operations that its steps use (but for steps
/// with needs of their own), and executions.replay or executions.driven for what its starts start.
[[nodiscard]] std::set<std::string> capabilities_of(const core::Scenario& scenario);

/// The scenario as a profile's target is asked it: without the steps that stand under other choices
/// than the profile's, without those that need what it does not declare, and without the clauses
/// that only these name; nothing where it is asked the whole of any target.
[[nodiscard]] std::optional<core::Scenario> as_asked_of(const core::Profile& profile,
                                                        const core::Scenario& scenario);

/// Why a profile's target is not judged by a scenario: the capabilities that it does not declare,
/// the event types that it does not have ("event playbook.paused") and the choices that it makes
/// otherwise ("denied_token: discard"), sorted; empty where it is.
[[nodiscard]] std::vector<std::string> missing_for(const core::Scenario& scenario,
                                                   const core::Profile& profile);

}  // namespace assay::run
