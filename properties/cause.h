#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::properties {

/// Stands in a place that a check of a generated case has, behind the state, where a command was
/// open. A baseline keeps the two apart; as a cause they are one, for a smaller case may do without
/// the command.
constexpr std::string_view open_command_mark = ", a command open";

/// Why a case failed, and the line of the step at which it showed.
struct Cause {
  /// What was done, in which state, and what differed: "properties/run-walks: runs.transition in
  /// RUNNING: answer". The place of every check that can fail for it.
  std::string text;
  int line = 0;
  /// What the failed check accuses of: two reads of one kind can look alike otherwise.
  std::vector<std::string> clauses;
};
[[nodiscard]] Cause cause_of(const core::CaseResult& failed);

/// The line of the last check of a scenario that can fail for that cause; 0: none can.
[[nodiscard]] int last_check_for(const core::Scenario& scenario, const Cause& cause);

/// The scenario up to the check on that line, without any other check.
[[nodiscard]] core::Scenario with_one_check(const core::Scenario& scenario, int line);

}  // namespace assay::properties
