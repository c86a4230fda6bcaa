#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/events/envelope.h"
#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/status/anomaly.h"
#include "reference_impl/model/status/commands.h"
#include "reference_impl/model/status/layers.h"
#include "reference_impl/model/status/runs.h"
#include "reference_impl/model/status/steps.h"

namespace assay::status {

/// The seven fields of the status answer, and no others (STM-API-FIELDS, STM-API-NOVARS).
struct StatusView {
  std::string_view execution_id;
  State state = State::pending;
  std::optional<std::string_view> current_step;
  std::optional<std::string_view> started_at;
  std::optional<std::string_view> ended_at;
  std::optional<std::string_view> terminal_event;
  bool completion_inferred = false;
  friend bool operator==(const StatusView&, const StatusView&) = default;
};

/// How a closed execution ended; `none` while it is open.
enum class Outcome : std::uint8_t { none, success, failed, partial, cancelled };

/// "success", "failed", "partial" or "cancelled"; empty for none.
[[nodiscard]] std::string_view word_of(Outcome outcome);

/// How the fold settles what the specification leaves open; the defaults are the reference's.
struct FoldPolicy {
  /// Whether an end closes an execution that never started; a cancel does in any case.
  bool closes_from_pending = true;
  /// Whether an end whose payload says partial is a success; else it is a failure.
  bool partial_is_success = true;
  /// Whether step.exit moves its step without a call.done or call.error of it before.
  bool exit_stands_alone = true;
};

/// The fold of one execution's event log into all five layers of specification 000 at once: a pure
/// function of the log, kept up to date event by event at a cost that doesn't grow with the log.
///
/// The execution's state follows lifecycle events alone (STM-CORE-1), in the vocabulary of
/// specification 000 and of specification 001, also mixed. The first that closes it, by seq, closes
/// it for good, from PENDING too (STM-EXEC-R1); from then on the seven status fields stay, but for
/// a started_at that a late start fills. Lower layers follow their events before and after the end.
/// What a layer's table does not allow moves nothing and is listed under anomalies.
class ExecutionFold {
 public:
  explicit ExecutionFold(std::string execution_id, FoldPolicy policy = {});

  /// Folds the next stored event in. `body` is the stored event; `seq` rises from call to call.
  void apply(const Value& body, std::int64_t seq);
  void apply(const events::Event& event, std::int64_t seq) { apply(event.body, seq); }

  /// The state was rebuilt from the stored log after the live state was dropped: a terminal state
  /// counts as inferred from then on (STM-API-INFER); an open one doesn't.
  void mark_rebuilt();

  /// Views of this fold, valid until the next apply().
  [[nodiscard]] StatusView status() const;
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool is_closed() const { return outcome_ != Outcome::none; }
  [[nodiscard]] Outcome outcome() const { return outcome_; }
  [[nodiscard]] State workflow_state() const { return workflow_state_; }
  /// In order of first appearance, as the next two.
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_.steps(); }
  [[nodiscard]] const std::vector<Command>& commands() const { return commands_.commands(); }
  [[nodiscard]] const std::vector<Tool>& tools() const { return tools_.tools(); }
  [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return anomalies_; }

  /// The commands that the cancel call cancels: ISSUED or CLAIMED, in order of first appearance.
  [[nodiscard]] std::vector<std::string> commands_to_cancel() const {
    return commands_.cancellable();
  }

 private:
  std::optional<Reason> apply_lifecycle(const events::EventView& event,
                                        events::Lifecycle lifecycle);
  std::optional<Reason> start(const events::EventView& event);
  std::optional<Reason> close(const events::EventView& event, State to, Outcome outcome);
  std::optional<Reason> apply_lower(const events::EventView& event);
  std::optional<Reason> move_workflow(State to);
  std::optional<Reason> finish_workflow(const events::EventView& event);
  std::optional<Reason> begin_step(const events::EventView& event);
  std::optional<Reason> issue_command(const events::EventView& event);
  std::optional<Reason> end_loop(const events::EventView& event);
  std::optional<Reason> exit_step(const events::EventView& event);

  std::string execution_id_;
  FoldPolicy policy_;
  State state_ = State::pending;
  State workflow_state_ = State::pending;
  Outcome outcome_ = Outcome::none;
  bool start_seen_ = false;
  bool completion_inferred_ = false;
  std::size_t current_step_ = StepLayer::no_step;
  std::string started_at_;
  std::string ended_at_;
  std::string terminal_event_;
  StepLayer steps_;
  CommandLayer commands_;
  ToolLayer tools_;
  TaskRuns task_runs_;
  Loops loops_;
  std::set<std::string, std::less<>> called_steps_;  // kept only where an exit needs a call
  std::vector<Anomaly> anomalies_;
};

}  // namespace assay::status
