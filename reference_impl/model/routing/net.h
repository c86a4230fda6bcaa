#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "reference_impl/model/routing/fan_in.h"
#include "reference_impl/model/routing/guard.h"
#include "reference_impl/model/routing/playbook.h"
#include "reference_impl/model/routing/policy.h"
#include "reference_impl/model/routing/server_event.h"
#include "reference_impl/model/routing/step_runs.h"

namespace assay::routing {

/// The execution was requested.
struct Start {};

/// What a client posted, already checked against the envelope and under its standard name.
struct WorkerEvent {
  std::string event_type;
  std::string step_run_id{};                ///< "" where it has none
  std::optional<std::int64_t> iteration{};  ///< of loop.iteration.*
  Value payload{};                          ///< an object, or null
};

/// Keys to merge into ctx at its top level; null is a value.
struct CtxPatch {
  Object patch;
};

/// The execution was cancelled. The net emits nothing for it.
struct Cancel {};

/// Nothing more is to be scheduled until Resume; what is in flight goes on.
struct Pause {
  std::optional<std::string> reason;
};
struct Resume {};

using Input = std::variant<Start, WorkerEvent, CtxPatch, Cancel, Pause, Resume>;

/// What becomes of an input.
enum class Disposition {
  accepted,
  anomaly,  ///< to be stored and listed; it moved nothing
  refused   ///< not to be stored
};

struct Reaction {
  Disposition disposition = Disposition::accepted;
  std::string code{};    ///< of a refusal: STEP_NOT_SCHEDULED or SERVER_EVENT
  std::string reason{};  ///< of a refusal or an anomaly
  std::vector<ServerEvent> events{};
};

/// How an execution ended (specification 003 section 6.2).
enum class Outcome { none, success, failed, partial, cancelled };

/// Bounds that fail an execution, with a reason, before it runs away.
struct NetLimits {
  std::size_t step_runs = 100'000;
  /// Step runs that one input may set off: loops over nothing need no worker to go round.
  std::size_t step_runs_per_input = 20'000;
  std::size_t loop_iterations = 100'000;  ///< of one loop run
  /// Of the args that one token carries, as compact JSON: larger ones have to be references.
  std::size_t args_bytes = 65'536;
};

/// The marking (specification 003 section 1.1), as GET /executions/{id}/marking shows it.
struct Marking {
  struct Token {
    std::string step;
    std::string step_run_id;
    std::string status;  ///< pending, scheduled or running
    Object args;
  };
  struct Join {
    std::string step;
    std::size_t arrived = 0;
  };
  std::vector<Token> tokens;  ///< oldest first
  std::vector<Join> fan_in;   ///< oldest first
};

/// The Petri net of one execution (specification 003): a step function over its inputs, without
/// clock, chance or I/O. The same inputs give the same step_run_ids, events and marking, so that a
/// log replayed into a fresh net rebuilds the state. Copies are independent. Each input costs time
/// in proportion to the events it sets off, whatever the number of steps before it.
class Net {
 public:
  /// `workload` overrides the playbook's key by key.
  Net(std::shared_ptr<const Playbook> playbook, std::string execution_id, const Object& workload,
      NetLimits limits = {}, NetPolicy policy = {});

  Reaction apply(const Input& input);

  [[nodiscard]] Outcome outcome() const { return outcome_; }
  [[nodiscard]] bool is_paused() const { return paused_; }
  /// Why it failed or is partial; "" otherwise.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] Marking marking() const;
  [[nodiscard]] const Object& workload() const { return workload_.as_object(); }
  [[nodiscard]] const Object& ctx() const { return ctx_.as_object(); }

 private:
  struct Arrival {
    std::size_t step = 0;
    Object args;
    bool is_final = false;
    bool joined = false;  ///< it comes from a fan-in group
  };
  /// The event that ends a step run (specification 003 section 4.1).
  struct Boundary {
    std::string event_type;
    bool failed = false;
    const Value* outcome = nullptr;  ///< what guards see as event.payload and output
    const Value* payload = nullptr;  ///< the worker's payload; none for loop.done
  };
  struct Route {
    List matched;
    List selected;
    std::vector<Arrival> arrivals;
  };

  // Inputs: net.cpp.
  void start();
  void take(const WorkerEvent& event);
  void take_started(const WorkerEvent& event);
  void take_outcome(const WorkerEvent& event);
  void take_iteration(const WorkerEvent& event);
  void take_iteration_end(StepRun& run, const WorkerEvent& event);
  void pause(const Pause& pause);
  void resume();
  bool merge_ctx(const Object& patch);
  bool merge_ctx_of(const Value& payload);
  void refuse(std::string code, std::string reason);
  void note_anomaly(std::string reason);

  // Tokens and scheduling: net_tokens.cpp.
  void settle();
  /// Places the next arrival, or lets a step whose arrivals are complete arrive; false where there
  /// is neither.
  bool settle_next();
  void settle_in_pause();
  void note_closed_gates();
  void place(Arrival arrival);
  void admit(std::size_t run_index);
  void readmit_pending();
  void admit_pending_again();
  void schedule(std::size_t run_index);
  void begin_loop(std::size_t run_index);
  void schedule_iterations(std::size_t run_index);
  void end_loop(std::size_t run_index);
  void set_state(StepRun& run, RunState state);
  [[nodiscard]] bool is_live(const StepRun& run) const;

  // Routing and completion: net_routing.cpp.
  void end_run(std::size_t run_index, const Boundary& boundary);
  void route(const StepRun& run, const Boundary& boundary);
  [[nodiscard]] Result<Route, EvaluationError> evaluate_next(const StepRun& run,
                                                             const Boundary& boundary) const;
  void end_branch(const StepRun& run, bool failed);
  void record_failure(const StepRun& run, const Boundary& boundary);
  void record_result(const Boundary& boundary);
  void start_draining();
  void withdraw_pending();
  [[nodiscard]] bool is_quiescent() const;
  [[nodiscard]] bool is_final_step_due() const;
  [[nodiscard]] bool complete_if_quiescent();
  [[nodiscard]] Object final_args() const;
  [[nodiscard]] bool is_too_large(const Value& args) const;
  [[nodiscard]] Outcome outcome_by_policy() const;
  void fail_at_once(std::string reason);
  void finish(Outcome outcome, std::string reason);

  [[nodiscard]] const Step& step_of(const StepRun& run) const { return playbook_->steps[run.step]; }
  [[nodiscard]] Scope variables() const;
  void emit(ServerEvent event) { reaction_.events.push_back(std::move(event)); }
  void emit_playbook(std::string event_type, std::string status, Object payload = {});
  void emit_workflow(std::string event_type, std::string status, Object payload = {});
  void emit_for_run(const StepRun& run, std::string event_type, std::string entity_type,
                    std::string status, Object payload,
                    std::optional<std::int64_t> iteration = std::nullopt);

  std::shared_ptr<const Playbook> playbook_;
  std::string execution_id_;
  NetLimits limits_;
  NetPolicy policy_;
  Value workload_;
  Value ctx_ = Object{};

  StepRuns runs_;
  FanIn fan_in_;
  std::deque<Arrival> arrivals_;  ///< tokens on their way to their steps
  Outcome outcome_ = Outcome::none;
  std::string reason_;
  bool started_ = false;
  bool draining_ = false;  ///< fail_fast: nothing more is scheduled
  bool paused_ = false;
  bool readmission_is_due_ = false;  ///< ctx has changed during a pause
  bool gates_are_closed_ = false;    ///< every token waits for admission
  std::vector<std::size_t> admitted_in_pause_;
  std::size_t runs_before_input_ = 0;

  std::size_t steps_done_ = 0;
  std::size_t steps_failed_ = 0;
  std::set<std::size_t> kinds_done_;  ///< steps, each once, under SummaryCounts::steps
  std::set<std::size_t> kinds_failed_;
  std::size_t branches_ = 0;         ///< that have ended
  std::string first_failed_branch_;  ///< "" while none failed
  bool flow_ran_final_step_ = false;
  bool final_step_ran_ = false;
  bool final_failed_ = false;
  List failures_;
  List result_refs_;

  Reaction reaction_;  ///< to the input at hand
};

}  // namespace assay::routing
