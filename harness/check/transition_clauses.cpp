#include "harness/check/transition_clauses.h"

namespace assay::check {

std::string_view clause_of_transition(std::string_view from, std::string_view to) {
  for (const Transition& each : transitions) {
    if (each.from == from && each.to == to) return each.clause;
  }
  return {};
}

std::set<std::string, std::less<>> clauses_of_missing_transitions(
    const std::set<std::string, std::less<>>& missing_states) {
  std::set<std::string, std::less<>> clauses;
  for (const Transition& each : transitions) {
    if (missing_states.contains(each.from) || missing_states.contains(each.to)) {
      clauses.emplace(each.clause);
    }
  }
  return clauses;
}

}  // namespace assay::check
