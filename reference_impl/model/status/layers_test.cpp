#include "reference_impl/model/status/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::status {
namespace {

/// "FROM>TO" of every pair that the layer's table allows, out of all pairs of its states.
std::vector<std::string> allowed(Layer layer, Origin origin) {
  std::vector<std::string> pairs;
  for (const State from : table_of(layer).states) {
    for (const State to : table_of(layer).states) {
      const Transition* transition = find_transition(layer, from, to);
      if (transition == nullptr || transition->origin != origin) continue;
      pairs.push_back(std::string(word_of(from)).append(">").append(word_of(to)));
    }
  }
  return pairs;
}

std::vector<std::string_view> terminal_words(Layer layer) {
  std::vector<std::string_view> found;
  for (const State state : table_of(layer).terminal) found.push_back(word_of(state));
  return found;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Layers, AllowExactlyTheMovesOfSeed000) {
  EXPECT_THAT(
      allowed(Layer::execution, Origin::specification),
      ElementsAre("PENDING>RUNNING", "RUNNING>COMPLETED", "RUNNING>FAILED", "RUNNING>CANCELLED"));
  EXPECT_THAT(allowed(Layer::workflow, Origin::specification),
              ElementsAre("PENDING>RUNNING", "RUNNING>COMPLETED", "RUNNING>FAILED"));
  EXPECT_THAT(allowed(Layer::step, Origin::specification),
              ElementsAre("PENDING>RUNNING", "RUNNING>COMPLETED", "RUNNING>FAILED",
                          "RUNNING>CASE_HANDLED"));
  EXPECT_THAT(allowed(Layer::command, Origin::specification),
              ElementsAre("PENDING>ISSUED", "ISSUED>CLAIMED", "ISSUED>CANCELLED", "CLAIMED>RUNNING",
                          "CLAIMED>CANCELLED", "RUNNING>COMPLETED", "RUNNING>FAILED"));
  EXPECT_THAT(allowed(Layer::tool, Origin::specification),
              ElementsAre("PENDING>RUNNING", "RUNNING>OK", "RUNNING>ERROR", "RUNNING>BREAK",
                          "RUNNING>NOOP"));
}

TEST(Layers, AllowWhatTheBindingAdds) {
  EXPECT_THAT(allowed(Layer::execution, Origin::binding),
              ElementsAre("PENDING>COMPLETED", "PENDING>FAILED", "PENDING>CANCELLED"));
  EXPECT_THAT(allowed(Layer::step, Origin::binding),
              ElementsAre("COMPLETED>RUNNING", "FAILED>RUNNING", "CASE_HANDLED>RUNNING"));
  EXPECT_THAT(allowed(Layer::workflow, Origin::binding), IsEmpty());
  EXPECT_THAT(allowed(Layer::command, Origin::binding), IsEmpty());
  EXPECT_THAT(allowed(Layer::tool, Origin::binding), IsEmpty());
}

TEST(Layers, HaveTheTerminalStatesOfSeed000) {
  EXPECT_THAT(terminal_words(Layer::execution), ElementsAre("COMPLETED", "FAILED", "CANCELLED"));
  EXPECT_THAT(terminal_words(Layer::workflow), ElementsAre("COMPLETED", "FAILED"));
  EXPECT_THAT(terminal_words(Layer::step), ElementsAre("COMPLETED", "FAILED", "CASE_HANDLED"));
  EXPECT_THAT(terminal_words(Layer::command), ElementsAre("COMPLETED", "FAILED", "CANCELLED"));
  EXPECT_THAT(terminal_words(Layer::tool), ElementsAre("OK", "ERROR", "BREAK", "NOOP"));
  EXPECT_TRUE(is_terminal(Layer::command, State::cancelled));
  EXPECT_FALSE(is_terminal(Layer::step, State::cancelled));
  EXPECT_FALSE(is_terminal(Layer::execution, State::running));
}

TEST(Layers, NeverLeaveATerminalStateButForAStepsNextRound) {
  for (const LayerTable& table : layer_tables()) {
    for (const Transition& transition : table.transitions) {
      const bool leaves = is_terminal(table.layer, transition.from);
      EXPECT_EQ(leaves, table.layer == Layer::step && transition.origin == Origin::binding)
          << table.name << " " << transition.signal;
    }
  }
}

TEST(Layers, SayForEachRowWhoMovesItBySignalAndClause) {
  for (const LayerTable& table : layer_tables()) {
    EXPECT_EQ(&table_of(table.layer), &table);
    EXPECT_EQ(table.clause.substr(0, 10), "STM-LAYER-");
    for (const std::string_view text :
         {table.name, table.scope, table.owner, table.storage, table.must_not_decide}) {
      EXPECT_FALSE(text.empty()) << table.name;
    }
    for (const Transition& transition : table.transitions) {
      EXPECT_FALSE(transition.trigger.empty());
      EXPECT_FALSE(transition.owner.empty());
      EXPECT_FALSE(transition.signal.empty());
      EXPECT_EQ(transition.clause.substr(0, 4), "STM-");
    }
  }
}

TEST(Layers, ReadStateWordsInAnyCaseButOnlyTheirOwn) {
  EXPECT_EQ(state_named(Layer::execution, "cancelled"), State::cancelled);
  EXPECT_EQ(state_named(Layer::execution, "Running"), State::running);
  EXPECT_EQ(state_named(Layer::step, "case_handled"), State::case_handled);
  EXPECT_EQ(state_named(Layer::tool, "break"), State::break_off);
  EXPECT_EQ(state_named(Layer::execution, "CASE_HANDLED"), std::nullopt);
  EXPECT_EQ(state_named(Layer::execution, "CANCELED"), std::nullopt);
  EXPECT_EQ(state_named(Layer::step, "CANCELLED"), std::nullopt);
  EXPECT_EQ(state_named(Layer::execution, ""), std::nullopt);
  EXPECT_EQ(state_named(Layer::execution, "RUNNING "), std::nullopt);
}

}  // namespace
}  // namespace assay::status
