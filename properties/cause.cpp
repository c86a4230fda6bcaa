#include "properties/cause.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace assay::properties {
namespace {

bool is_look(const core::Step& step) { return std::holds_alternative<core::Expect>(step.action); }

/// Whether the step judges something: branches are judged by their history.
bool is_check(const core::Step& step) {
  return is_look(step) || step.response || std::holds_alternative<core::Together>(step.action);
}

std::string without_open_command(std::string place) {
  const std::size_t at = place.find(open_command_mark);
  if (at != std::string::npos) place.erase(at, open_command_mark.size());
  return place;
}

/// Whether a step's check accuses of all of these, which a profile may have fewer of than the step.
bool accuses_of(const core::Step& step, const std::vector<std::string>& clauses) {
  const auto* expect = std::get_if<core::Expect>(&step.action);
  const std::vector<std::string>& own = expect == nullptr ? step.clauses : expect->clauses;
  return own.empty() || std::all_of(clauses.begin(), clauses.end(), [&own](const auto& clause) {
           return std::find(own.begin(), own.end(), clause) != own.end();
         });
}

}  // namespace

Cause cause_of(const core::CaseResult& failed) {
  for (const core::Check& check : failed.checks) {
    if (check.verdict != core::Verdict::fail) continue;
    const std::size_t column = check.at.rfind(':');
    const std::size_t line = column == std::string::npos || column == 0
                                 ? std::string::npos
                                 : check.at.rfind(':', column - 1);
    if (line == std::string::npos) return {check.at, 0, check.clauses};
    Cause cause{without_open_command(check.at.substr(0, line)), 0, check.clauses};
    std::from_chars(check.at.data() + line + 1, check.at.data() + column, cause.line);
    return cause;
  }
  return {};
}

int last_check_for(const core::Scenario& scenario, const Cause& cause) {
  const auto found =
      std::find_if(scenario.steps.rbegin(), scenario.steps.rend(), [&](const core::Step& step) {
        return is_check(step) && without_open_command(step.at.file) == cause.text &&
               accuses_of(step, cause.clauses);
      });
  return found == scenario.steps.rend() ? 0 : found->at.line;
}

core::Scenario with_one_check(const core::Scenario& scenario, int line) {
  core::Scenario only = scenario;
  std::erase_if(only.steps, [line](const core::Step& step) {
    return step.at.line > line || (is_look(step) && step.at.line != line);
  });
  for (core::Step& step : only.steps) {
    if (auto* expect = std::get_if<core::Expect>(&step.action)) expect->same_look = false;
    if (!step.response || step.at.line == line) continue;
    // What was refused is part of how it came about; what was accepted need not be said.
    if (step.response->acceptances == std::vector{core::Acceptance::accepted}) {
      step.response.reset();
      step.clauses.clear();
    }
  }
  return only;
}

}  // namespace assay::properties
