#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/core/operation.h"
#include "harness/core/pattern.h"
#include "harness/core/scenario.h"
#include "properties/draft.h"
#include "properties/projection.h"

namespace assay::properties {

/// A kind of command, and how often its family wants it.
struct Kind {
  std::string_view name;
  std::uint32_t weight = 1;
};

/// What a generated case knows of the sound server while it is made: what its families' commands
/// are chosen by ("the first step run that is scheduled").
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  /// The mapped answer to a read at this moment, all pages of a listing as {items: […]}; null
  /// where it was not accepted. `on` names the execution, run or workflow execution.
  [[nodiscard]] virtual const Value& read(std::string_view operation, std::string_view on = "main",
                                          const Object& parameters = {}) const = 0;

  /// The steps taken so far, those of the opening included.
  [[nodiscard]] virtual const std::vector<core::Step>& steps() const = 0;

  /// The playbook of the case, null where it has none.
  [[nodiscard]] virtual const Value& playbook() const = 0;
};

/// What was just done, for the choice of what to look at.
struct TakenStep {
  const core::Step& step;
  /// The event type or operation: "batch.completed", "executions.cancel".
  std::string made;
  /// What Family::state said before.
  std::string before;
  /// What the sound server made of it.
  core::Acceptance acceptance = core::Acceptance::accepted;
  /// The sound server as it is now.
  const View& view;
};

/// One comparison: a read, which of its members are held against the sound server's, and the
/// clauses that say so.
struct Observation {
  std::string operation;
  /// Members of the mapped answer that are compared (of each item of a listing), by their paths
  /// through objects and lists ("tokens.step"); empty: all.
  std::vector<std::string> members;
  std::vector<std::string> clauses;
  Object parameters = {};
  std::string on = "main";
  /// Compared only where these members are as they should be: what follows from a wrong one is no
  /// fault of its own.
  std::vector<std::string> given = {};
  /// Of a listing: the items are among others (a server is shared).
  bool among_others = false;
  /// Of a listing: only the last item, among whatever else is there.
  bool newest = false;
  /// Instead of all that the sound server shows: what must hold at least ("one of these words").
  std::optional<core::Pattern> rule = std::nullopt;
  /// Objects that members name have no other members than the sound server's.
  bool exactly = false;
  /// Lists are compared in any order.
  bool in_any_order = false;
  /// Of the lists that members lead through: only the item at this place, wherever it stands.
  std::optional<std::size_t> only_item = {};
  /// Of the lists that members lead through: only items like this.
  std::optional<ItemChoice> choice = {};
  /// Instead of members, of events.list: the log clause that the whole log keeps.
  std::string keeps = {};
  /// Instead of members, of events.list: which of two events comes first; both must be there.
  std::vector<std::pair<core::Pattern, core::Pattern>> before = {};
  /// Only the reference binding says so much: other targets are not held to it.
  bool of_the_binding = false;
};

/// What a case is made of before its moves.
struct Opening {
  std::optional<Value> playbook;
  std::vector<core::Step> steps;
};

/// One property: how its cases are made, and what is compared after each of their steps. What is
/// right is never said here: the recorder asks the sound reference.
struct Family {
  std::string id;
  std::string title;
  /// All that its checks may accuse of.
  std::vector<std::string> clauses;
  std::vector<Kind> kinds;
  Opening (*open)(const Draft& draft) = nullptr;
  /// The step that a move stands for; nothing where it stands for none in this state.
  std::optional<core::Step> (*step)(std::string_view kind, const Move& move,
                                    const View& view) = nullptr;
  /// The clauses that a step's own answer proves (accepted, duplicate, refused, unknown; of a raw
  /// request what expected_problem says); empty: the answer is not judged, and the step is left out
  /// where the sound server declines it.
  std::vector<std::string> (*answer)(const TakenStep& taken) = nullptr;
  /// Where any answer will do, taken or not: what comes of the step is looked at instead.
  bool (*takes_any_answer)(const TakenStep& taken) = nullptr;
  /// Members of that answer that are judged with it.
  std::vector<std::string> (*answer_members)(const TakenStep& taken) = nullptr;
  /// What is looked at after a step.
  std::vector<Observation> (*observe)(const TakenStep& taken) = nullptr;
  /// Instead of `step`: all moves at once, as branches of concurrent clients, which the runner
  /// judges for linearizability under the family's clauses. Which answers come depends on who comes
  /// first, so nothing of it is asked of the reference.
  std::vector<core::Step> (*clients)(const std::vector<Move>& moves,
                                     const std::vector<Kind>& kinds) = nullptr;
  /// What is looked at once all is done.
  std::vector<Observation> (*observe_end)(const View& view) = nullptr;
  /// The state of the model in a word, for causes: "RUNNING".
  std::string (*state)(const View& view) = nullptr;
  /// Kinds of construction, for drafts that build something first, and how many at most.
  std::vector<Kind> parts = {};
  std::size_t most_parts = 0;
  /// Capabilities beyond those that the steps imply.
  std::vector<std::string> needs = {};
};

/// All families, in the order of the specifications.
[[nodiscard]] std::span<const Family> families();

}  // namespace assay::properties
