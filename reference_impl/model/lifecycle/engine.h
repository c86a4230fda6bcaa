#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "base/value.h"
#include "base/words.h"
#include "reference_impl/model/lifecycle/blackboard.h"
#include "reference_impl/model/lifecycle/definition.h"
#include "reference_impl/model/lifecycle/lock_table.h"
#include "reference_impl/model/lifecycle/policy.h"
#include "reference_impl/model/lifecycle/state.h"

namespace assay::lifecycle {

/// A state that an execution entered, and when.
struct HistoryEntry {
  State state;
  Instant at;
};

/// A workflow execution as it is to be seen.
struct Execution {
  std::uint64_t number = 0;  ///< 1, 2, 3 … in the order of creation
  std::string uuid;
  State state = State::new_execution;
  /// Set once, for good, when the execution ends; an acknowledgement leaves it.
  std::optional<State> outcome;
  std::optional<std::string> reason;  ///< why it failed
  /// Whether every executed step was pure; a step is executed once a worker has its job.
  bool is_pure = true;
  std::set<std::string> entities;  ///< those that ACQUIRE jobs have reported
  std::size_t jobs_total = 0;      ///< every job ever made
  std::size_t jobs_completed = 0;  ///< those PUSHED before the execution ended
  std::vector<HistoryEntry> history;
};

/// What to execute: a definition, or why there is none to execute.
struct Unresolved {
  std::string reason;
};
using Workflow = std::variant<Definition, Unresolved>;

/// What a submission asks for besides its workflow.
struct Terms {
  /// An impure failure is rolled back where every executed impure block can be undone.
  bool rollback = false;
  /// External conditions that must be met before the execution is READY.
  std::set<std::string> await = {};
};

enum class Registration : std::uint8_t { created, unchanged, conflict };
enum class PushOutcome : std::uint8_t { accepted, unknown_job, not_polled };
enum class Meeting : std::uint8_t { taken, not_waiting, unknown_condition };

/// What a lock request meets: locks, a failure, or no answer.
enum class LockService : std::uint8_t { available, failing, hanging };

/// All workflow executions of one server, with the blackboard and the locks that they share
/// (specification 002). Deterministic: time and identifiers come from the caller. Not for use by
/// several threads at once.
class Engine {
 public:
  struct Options {
    Policy policy = {};
    ConditionLanguage conditions = {};
    /// Gives a new job's identifier.
    Blackboard::IdSource next_job_id;
  };

  explicit Engine(Options options);

  /// A definition or function block of a known name must have the same content.
  Registration register_block(FunctionBlock block);
  Registration register_definition(Definition definition);
  /// The registered definition of that name, or nullptr.
  [[nodiscard]] const Definition* find_definition(const std::string& name) const;

  /// Why the workflow can't be executed, nothing where it can.
  [[nodiscard]] std::optional<std::string> fault_of(const Workflow& workflow) const;

  /// Creates an execution and takes it as far as it goes without a worker. The uuid must be new.
  const Execution& start(std::string uuid, Workflow workflow, Value parameters, Instant now,
                         Terms terms = {});

  /// Ends an execution by hand: FAILED_SAFE where all that was executed is pure, else
  /// FAILED_UNSAFE. nullptr where the uuid is unknown; an ended execution stays as it is.
  const Execution* abort(const std::string& uuid, Instant now);

  /// X to X_ACK for an outcome X. False where the execution is in no such state or unknown.
  bool acknowledge(const std::string& uuid, Instant now);

  /// These conditions are met; with the last one BLOCKED_WAITING goes to READY. Where one of them
  /// is unknown to the execution nothing changes.
  Meeting meet(const std::string& uuid, const std::vector<std::string>& conditions, Instant now);

  /// Gives a worker the oldest PENDING job, or nullptr.
  const Job* poll(std::string worker, Instant now);

  /// Takes the result of a POLLED job. After its execution ended the result has no effect.
  PushOutcome push(std::string_view job_id, JobResult result, Instant now);

  /// Fails every job that was POLLED for too long by then. Every call above that has a time does
  /// this first; a caller that only reads does it itself. Time never goes back.
  void advance_to(Instant now);

  /// While failing, each lock request fails; while hanging, who asks stays in LOCKING and goes on,
  /// or fails, with the next answer.
  void set_lock_service(LockService service, Instant now);

  /// From now on executions stop when they enter that state; nothing lets go of all that stopped.
  void hold_at(std::optional<State> state, Instant now);

  [[nodiscard]] const Execution* find(const std::string& uuid) const;
  [[nodiscard]] const Job* find_job(std::string_view job_id) const { return board_.find(job_id); }
  /// Who holds a lock on the entity: an execution, or nullptr.
  [[nodiscard]] const Execution* lock_holder(const std::string& entity) const;

  /// Up to `limit` executions with numbers above `after`, in the order of creation: all of them,
  /// those that have not ended, or those in one state.
  [[nodiscard]] std::vector<const Execution*> all(std::uint64_t after, std::size_t limit) const;
  [[nodiscard]] std::vector<const Execution*> active(std::uint64_t after, std::size_t limit) const;
  [[nodiscard]] std::vector<const Execution*> in_state(State state, std::uint64_t after,
                                                       std::size_t limit) const;
  /// Up to `limit` jobs with numbers above `after`, of all executions or of one, in any or one
  /// state.
  [[nodiscard]] std::vector<const Job*> jobs(const std::optional<std::string>& uuid,
                                             std::optional<JobState> state, std::uint64_t after,
                                             std::size_t limit) const;

 private:
  /// An execution with what only the engine needs to carry it on.
  struct Record {
    Execution seen;
    std::optional<Workflow> workflow;  // until NEW is left
    Definition definition;
    std::vector<FunctionBlock> blocks;  // of each step, as registered at the start
    Value scope;                        // {parameters, results}: what conditions see
    std::size_t next_step = 0;
    std::vector<std::size_t> executed_steps;
    std::vector<std::size_t> to_undo =
        {};  // impure steps that were executed; the last is undone first
    std::vector<std::uint64_t> jobs;
    std::size_t open_acquires = 0;
    Terms terms;                    // the conditions that are met are taken out of those awaited
    std::set<std::string> awaited;  // all conditions that the submission named
    bool is_held = false;           // it entered the state that executions are held at
    bool asks_for_locks = false;    // its request is with the lock service
  };
  using Numbers = std::set<std::uint64_t>;

  Record* record_of(const std::string& uuid);
  [[nodiscard]] std::vector<const Execution*> page(const Numbers& numbers, std::uint64_t after,
                                                   std::size_t limit) const;

  void enter(Record& record, State state);
  void proceed(Record& record);
  bool advance(Record& record);
  std::optional<std::string> resolve(Record& record);
  void discover(Record& record);
  void serve_lock_requests();
  bool lock(Record& record);
  void note_silence(Record& record);
  void run_on(Record& record);
  [[nodiscard]] Result<bool, std::string> is_due(const Record& record) const;
  void add_job(Record& record, JobType type, std::size_t step);
  void mark_executed(const Job& job);
  void settle(const Job& job, JobResult result, std::string_view failure);
  void acquired(Record& record, const Job& job, JobResult result, std::string_view failure);
  void executed(Record& record, const Job& job, JobResult result, std::string_view failure);
  void rolled_back(Record& record, const Job& job, const JobResult& result);
  void fail(Record& record, std::string reason);
  [[nodiscard]] bool can_be_undone(const Record& record) const;
  void end(Record& record, State outcome, Ending ending, std::optional<std::string> reason = {});

  Options options_;
  Blackboard board_;
  LockTable locks_;
  LockService lock_service_ = LockService::available;
  Numbers asking_;  // executions in LOCKING that have had no answer
  std::optional<State> hold_;
  Instant now_ = {};
  std::map<std::string, FunctionBlock> blocks_;
  std::map<std::string, Definition> definitions_;
  std::deque<Record> records_;
  std::unordered_map<std::string, std::uint64_t> by_uuid_;
  EnumTable<State::failed_unsafe_ack, Numbers> by_state_;
  Numbers active_;
};

}  // namespace assay::lifecycle
