#include "reference_impl/model/lifecycle/state.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace assay::lifecycle {
namespace {

State named(const std::string& name) { return *parse_state(name); }

TEST(LifecycleState, TheEighteenNamesAreReadInAnyCase) {
  std::set<State> states;
  for (const char* name :
       {"NEW", "VALID", "BLOCKED_WAITING", "READY", "RESOURCE_DISCOVERY", "RESOURCES_DISCOVERED",
        "SCHEDULED", "LOCKING", "LOCKED", "RUNNING", "COMPLETED", "ERROR", "ROLLBACK",
        "FAILED_SAFE", "FAILED_UNSAFE", "COMPLETED_ACK", "FAILED_SAFE_ACK", "FAILED_UNSAFE_ACK"}) {
    ASSERT_TRUE(parse_state(name)) << name;
    EXPECT_EQ(to_string(named(name)), name);
    states.insert(named(name));
  }
  EXPECT_EQ(states.size(), state_count);
  EXPECT_EQ(parse_state("running"), State::running);
  EXPECT_EQ(parse_state("Failed_Safe_Ack"), State::failed_safe_ack);
  for (const char* name : {"", "RUN", "RUNNINGS", "DONE", "RUNNING "}) {
    EXPECT_EQ(parse_state(name), std::nullopt) << name;
  }
}

TEST(LifecycleState, ThreeOutcomesEndAnExecution) {
  std::set<std::string> outcomes;
  std::set<std::string> ended;
  for (std::size_t index = 0; index < state_count; ++index) {
    const auto state = static_cast<State>(index);
    if (is_outcome(state)) outcomes.emplace(to_string(state));
    if (!is_active(state)) ended.emplace(to_string(state));
  }
  EXPECT_EQ(outcomes, (std::set<std::string>{"COMPLETED", "FAILED_SAFE", "FAILED_UNSAFE"}));
  EXPECT_EQ(ended,
            (std::set<std::string>{"COMPLETED", "FAILED_SAFE", "FAILED_UNSAFE", "COMPLETED_ACK",
                                   "FAILED_SAFE_ACK", "FAILED_UNSAFE_ACK"}));
}

TEST(LifecycleState, TheEdgesAreTheSpecificationsAndTheBindings) {
  std::map<EdgeKind, std::set<std::string>> seen;
  for (const Edge& edge : edges) {
    seen[edge.kind].insert(std::string(to_string(edge.from)) + ">" +
                           std::string(to_string(edge.to)));
  }
  using Names = std::set<std::string>;
  EXPECT_EQ(
      seen[EdgeKind::active],
      (Names{"NEW>VALID", "NEW>FAILED_SAFE", "VALID>READY", "READY>RESOURCE_DISCOVERY",
             "RESOURCE_DISCOVERY>RESOURCES_DISCOVERED", "RESOURCES_DISCOVERED>SCHEDULED",
             "SCHEDULED>LOCKING", "LOCKING>LOCKED", "LOCKING>FAILED_SAFE", "LOCKED>RUNNING",
             "RUNNING>COMPLETED", "RUNNING>ERROR", "ERROR>FAILED_SAFE", "ERROR>FAILED_UNSAFE"}));
  EXPECT_EQ(seen[EdgeKind::reserved], (Names{"VALID>BLOCKED_WAITING", "BLOCKED_WAITING>READY"}));
  EXPECT_EQ(seen[EdgeKind::planned],
            (Names{"ERROR>ROLLBACK", "ROLLBACK>FAILED_SAFE", "ROLLBACK>FAILED_UNSAFE"}));
  EXPECT_EQ(seen[EdgeKind::settled], (Names{"RESOURCE_DISCOVERY>FAILED_SAFE", "VALID>FAILED_SAFE",
                                            "BLOCKED_WAITING>FAILED_SAFE", "READY>FAILED_SAFE",
                                            "RESOURCES_DISCOVERED>FAILED_SAFE",
                                            "SCHEDULED>FAILED_SAFE", "LOCKED>FAILED_SAFE"}));
  EXPECT_EQ(seen[EdgeKind::acknowledgement],
            (Names{"COMPLETED>COMPLETED_ACK", "FAILED_SAFE>FAILED_SAFE_ACK",
                   "FAILED_UNSAFE>FAILED_UNSAFE_ACK"}));
}

TEST(LifecycleState, OnlyItsOwnAcknowledgementLeadsOutOfAnOutcome) {
  for (std::size_t from = 0; from < state_count; ++from) {
    for (std::size_t to = 0; to < state_count; ++to) {
      const auto before = static_cast<State>(from);
      const auto after = static_cast<State>(to);
      if (is_active(before)) continue;
      EXPECT_EQ(find_edge(before, after) != nullptr, acknowledgement_of(before) == after)
          << to_string(before) << " to " << to_string(after);
    }
  }
}

TEST(LifecycleState, NothingLeadsBackToNewOrFromAStateToItself) {
  for (const Edge& edge : edges) {
    EXPECT_NE(edge.to, State::new_execution);
    EXPECT_NE(edge.from, edge.to);
  }
  EXPECT_EQ(find_edge(State::locking, State::failed_safe)->clause, "WFX-LOCK-FAIL");
}

}  // namespace
}  // namespace assay::lifecycle
