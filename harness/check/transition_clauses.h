#pragma once

#include <array>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace assay::check {

/// One of the nine of 004 "Valid Transitions", and the clause that allows it.
struct Transition {
  std::string_view from;
  std::string_view to;
  std::string_view clause;
};

inline constexpr std::array<Transition, 9> transitions = {{
    {"created", "running", "RUN-T1"},
    {"running", "waiting", "RUN-T2"},
    {"waiting", "running", "RUN-T3"},
    {"running", "success", "RUN-T4"},
    {"running", "failed", "RUN-T5"},
    {"running", "denied", "RUN-T6"},
    {"running", "timeout", "RUN-T7"},
    {"running", "canceled", "RUN-T8"},
    {"waiting", "canceled", "RUN-T9"},
}};

/// The clause that allows a run to go from one status to another; empty where none does.
[[nodiscard]] std::string_view clause_of_transition(std::string_view from, std::string_view to);

/// The clauses of transitions from or to a status that the target has no word for: whatever it
/// answers, no run has been in that status.
[[nodiscard]] std::set<std::string, std::less<>> clauses_of_missing_transitions(
    const std::set<std::string, std::less<>>& missing_states);

}  // namespace assay::check
