#include "reference_impl/model/lifecycle/engine.h"

#include <algorithm>
#include <utility>

namespace assay::lifecycle {
namespace {

template <typename Named>
Registration register_in(std::map<std::string, Named>& registry, Named named) {
  std::string name = named.name;
  const auto [entry, inserted] = registry.try_emplace(std::move(name), named);
  if (inserted) return Registration::created;
  return entry->second == named ? Registration::unchanged : Registration::conflict;
}

/// What a failure leaves behind: only pure steps leave nothing.
State failure_class(bool is_pure) { return is_pure ? State::failed_safe : State::failed_unsafe; }

}  // namespace

Engine::Engine(Options options)
    : options_(std::move(options)),
      board_(options_.next_job_id, options_.policy.stuck_after),
      locks_(options_.policy.locks.sharing) {}

Registration Engine::register_block(FunctionBlock block) {
  return register_in(blocks_, std::move(block));
}

Registration Engine::register_definition(Definition definition) {
  return register_in(definitions_, std::move(definition));
}

const Definition* Engine::find_definition(const std::string& name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : &found->second;
}

const Execution& Engine::start(std::string uuid, Workflow workflow, Value parameters, Instant now,
                               Terms terms) {
  advance_to(now);
  Record& record = records_.emplace_back();
  record.seen.number = records_.size();
  record.seen.uuid = std::move(uuid);
  record.workflow = std::move(workflow);
  record.scope = Object{{"parameters", std::move(parameters)}, {"results", Object{}}};
  record.awaited = terms.await;
  record.terms = std::move(terms);
  by_uuid_.emplace(record.seen.uuid, record.seen.number);
  enter(record, State::new_execution);
  proceed(record);
  serve_lock_requests();
  return record.seen;
}

const Execution* Engine::abort(const std::string& uuid, Instant now) {
  advance_to(now);
  Record* record = record_of(uuid);
  if (record == nullptr) return nullptr;
  if (record->seen.outcome) return &record->seen;
  if (record->seen.state == State::running) enter(*record, State::error);
  const bool is_safe =
      record->seen.is_pure && options_.policy.abort_outcome == AbortOutcome::by_purity;
  end(*record, failure_class(is_safe), Ending::abort, "aborted");
  serve_lock_requests();
  return &record->seen;
}

bool Engine::acknowledge(const std::string& uuid, Instant now) {
  advance_to(now);
  Record* record = record_of(uuid);
  if (record == nullptr) return false;
  const std::optional<State> acknowledged = acknowledgement_of(record->seen.state);
  if (!acknowledged) return false;
  enter(*record, *acknowledged);
  return true;
}

Meeting Engine::meet(const std::string& uuid, const std::vector<std::string>& conditions,
                     Instant now) {
  advance_to(now);
  Record* record = record_of(uuid);
  if (record == nullptr || record->seen.state != State::blocked_waiting) {
    return Meeting::not_waiting;
  }
  const bool all_known = std::all_of(
      conditions.begin(), conditions.end(),
      [record](const std::string& condition) { return record->awaited.contains(condition); });
  if (!all_known) return Meeting::unknown_condition;
  for (const std::string& condition : conditions) record->terms.await.erase(condition);
  proceed(*record);
  serve_lock_requests();
  return Meeting::taken;
}

void Engine::set_lock_service(LockService service, Instant now) {
  advance_to(now);
  lock_service_ = service;
  for (const std::uint64_t number : Numbers(asking_)) {
    Record& record = records_.at(number - 1);
    if (options_.policy.hanging_locks == HangingLocks::are_freed) {
      asking_.erase(number);
      locks_.request(number, record.seen.entities);
    } else {
      proceed(record);
    }
  }
  serve_lock_requests();
}

void Engine::hold_at(std::optional<State> state, Instant now) {
  advance_to(now);
  hold_ = state;
  if (state && options_.policy.moved_hold == MovedHold::keeps_them) return;
  for (const std::uint64_t number : Numbers(active_)) {
    Record& record = records_.at(number - 1);
    if (state && record.seen.state == *state) continue;
    if (std::exchange(record.is_held, false)) proceed(record);
  }
  serve_lock_requests();
}

const Job* Engine::poll(std::string worker, Instant now) {
  advance_to(now);
  const bool oldest = options_.policy.job_order == JobOrder::oldest_first;
  const Job* job = board_.poll(std::move(worker), now_,
                               oldest ? Blackboard::Pick::oldest : Blackboard::Pick::newest);
  if (job != nullptr && job->type == JobType::execute) mark_executed(*job);
  return job;
}

PushOutcome Engine::push(std::string_view job_id, JobResult result, Instant now) {
  advance_to(now);
  const Job* job = board_.find(job_id);
  if (job == nullptr) return PushOutcome::unknown_job;
  if (job->state != JobState::polled) return PushOutcome::not_polled;
  const bool is_late = records_.at(job->execution - 1).seen.outcome.has_value();
  if (is_late && options_.policy.late_result == LateResult::is_ignored) {
    return PushOutcome::accepted;
  }
  settle(*job, std::move(result), "failed");
  serve_lock_requests();
  return PushOutcome::accepted;
}

void Engine::advance_to(Instant now) {
  // What a stuck job sets off happens when its time was up, not when somebody looked.
  while (const Job* job = board_.stuck(now)) {
    now_ = std::max(now_, board_.deadline(*job));
    settle(*job, JobResult{.success = false}, "was stuck");
    serve_lock_requests();
  }
  now_ = std::max(now_, now);
  for (const std::uint64_t number : asking_) note_silence(records_.at(number - 1));
}

const Execution* Engine::find(const std::string& uuid) const {
  const auto found = by_uuid_.find(uuid);
  return found == by_uuid_.end() ? nullptr : &records_.at(found->second - 1).seen;
}

const Execution* Engine::lock_holder(const std::string& entity) const {
  const std::optional<LockTable::Owner> holder = locks_.holder(entity);
  return holder ? &records_.at(*holder - 1).seen : nullptr;
}

std::vector<const Execution*> Engine::all(std::uint64_t after, std::size_t limit) const {
  std::vector<const Execution*> listed;
  for (std::uint64_t at = after; at < records_.size() && listed.size() < limit; ++at) {
    listed.push_back(&records_.at(at).seen);
  }
  return listed;
}

std::vector<const Execution*> Engine::active(std::uint64_t after, std::size_t limit) const {
  return page(active_, after, limit);
}

std::vector<const Execution*> Engine::in_state(State state, std::uint64_t after,
                                               std::size_t limit) const {
  return page(by_state_[state], after, limit);
}

std::vector<const Job*> Engine::jobs(const std::optional<std::string>& uuid,
                                     std::optional<JobState> state, std::uint64_t after,
                                     std::size_t limit) const {
  if (!uuid) return board_.list(state, after, limit);
  std::vector<const Job*> listed;
  const auto found = by_uuid_.find(*uuid);
  if (found == by_uuid_.end()) return listed;
  const std::vector<std::uint64_t>& numbers = records_.at(found->second - 1).jobs;
  for (auto next = std::upper_bound(numbers.begin(), numbers.end(), after);
       next != numbers.end() && listed.size() < limit; ++next) {
    const Job& job = board_.at(*next);
    if (!job.withdrawn && (!state || job.state == *state)) listed.push_back(&job);
  }
  return listed;
}

Engine::Record* Engine::record_of(const std::string& uuid) {
  const auto found = by_uuid_.find(uuid);
  return found == by_uuid_.end() ? nullptr : &records_.at(found->second - 1);
}

std::vector<const Execution*> Engine::page(const Numbers& numbers, std::uint64_t after,
                                           std::size_t limit) const {
  std::vector<const Execution*> listed;
  for (auto next = numbers.upper_bound(after); next != numbers.end() && listed.size() < limit;
       ++next) {
    listed.push_back(&records_.at(*next - 1).seen);
  }
  return listed;
}

void Engine::enter(Record& record, State state) {
  Execution& seen = record.seen;
  by_state_[seen.state].erase(seen.number);
  seen.state = state;
  seen.history.push_back({state, now_});
  record.is_held = hold_ == state;
  by_state_[state].insert(seen.number);
  if (is_active(state)) {
    active_.insert(seen.number);
  } else {
    active_.erase(seen.number);
  }
}

/// Takes it as far as it goes without a worker, another execution's locks, or somebody outside.
void Engine::proceed(Record& record) {
  while (!record.is_held && advance(record)) {
  }
}

/// One move of the state machine; false where the execution waits or has ended.
bool Engine::advance(Record& record) {
  switch (record.seen.state) {
    case State::new_execution:
      if (auto reason = resolve(record)) {
        end(record, State::failed_safe, Ending::failure, std::move(reason));
        return false;
      }
      enter(record, State::valid);
      return true;
    case State::valid:
      enter(record, record.terms.await.empty() ? State::ready : State::blocked_waiting);
      return true;
    case State::blocked_waiting:
      if (!record.terms.await.empty()) return false;
      enter(record, State::ready);
      return true;
    case State::ready:
      enter(record, State::resource_discovery);
      discover(record);
      return true;
    case State::resource_discovery:
      if (record.open_acquires > 0) return false;
      enter(record, State::resources_discovered);
      return true;
    case State::resources_discovered:
      enter(record, State::scheduled);
      return true;
    case State::scheduled:
      if (!std::exchange(record.asks_for_locks, true)) {
        locks_.request(record.seen.number, record.seen.entities);
      }
      return false;
    case State::locking:
      return lock(record);
    case State::locked:
      enter(record, State::running);
      return true;
    case State::running:
      run_on(record);
      return false;
    case State::error:
      if (!record.terms.rollback || record.to_undo.empty() ||
          (!can_be_undone(record) && options_.policy.undo_missing == UndoMissing::ends_at_once)) {
        end(record, failure_class(record.seen.is_pure), Ending::failure, record.seen.reason);
        return false;
      }
      if (options_.policy.undo_order == UndoOrder::oldest_first) {
        std::reverse(record.to_undo.begin(), record.to_undo.end());
      }
      enter(record, State::rollback);
      return true;
    case State::rollback:
      if (!can_be_undone(record)) {
        end(record, State::failed_unsafe, Ending::failure, record.seen.reason);
        return false;
      }
      add_job(record, JobType::rollback, record.to_undo.back());
      return false;
    default:
      return false;
  }
}

std::optional<std::string> Engine::fault_of(const Workflow& workflow) const {
  if (const auto* unresolved = std::get_if<Unresolved>(&workflow)) return unresolved->reason;
  for (const StepDefinition& step : std::get<Definition>(workflow).steps) {
    if (blocks_.contains(step.function_block)) continue;
    return "step " + step.label + " uses the function block " + step.function_block +
           ", which is not registered";
  }
  return std::nullopt;
}

/// Fills in the definition and its blocks, or says why the execution can't run (NEW's failures).
std::optional<std::string> Engine::resolve(Record& record) {
  Workflow workflow = std::move(*std::exchange(record.workflow, std::nullopt));
  if (auto fault = fault_of(workflow)) return fault;
  record.definition = std::get<Definition>(std::move(workflow));
  for (const StepDefinition& step : record.definition.steps) {
    record.blocks.push_back(blocks_.at(step.function_block));
  }
  return std::nullopt;
}

/// Makes an ACQUIRE job for each step that has entity requirements of its own or by its block.
void Engine::discover(Record& record) {
  for (std::size_t step = 0; step < record.blocks.size(); ++step) {
    const bool requires_entities =
        !record.definition.steps[step].acquire.empty() || !record.blocks[step].acquires.empty();
    if (requires_entities) add_job(record, JobType::acquire, step);
  }
  record.open_acquires = options_.policy.discovery == Discovery::first_result
                             ? std::min<std::size_t>(record.jobs.size(), 1)
                             : record.jobs.size();
}

void Engine::serve_lock_requests() {
  while (const std::optional<LockTable::Owner> owner = locks_.next()) {
    Record& record = records_.at(*owner - 1);
    // What is asked for is kept from others until the lock service has answered.
    locks_.hold(*owner);
    if (record.seen.state != State::locking) enter(record, State::locking);
    proceed(record);
  }
}

/// What the lock service says to an execution in LOCKING; false where it ends or has no answer.
bool Engine::lock(Record& record) {
  // Without entities there is nothing to ask the lock service for.
  const bool asks = !record.seen.entities.empty();
  if (asks && lock_service_ == LockService::hanging) {
    asking_.insert(record.seen.number);
    if (options_.policy.hanging_locks == HangingLocks::are_freed) {
      locks_.release(record.seen.number);
    }
    return false;
  }
  if (asks && lock_service_ == LockService::failing) {
    end(record, State::failed_safe, Ending::failure, "the lock request failed");
    return false;
  }
  asking_.erase(record.seen.number);
  record.seen.reason.reset();
  enter(record, State::locked);
  return true;
}

/// Says why an execution stays in LOCKING, once it has waited as long as a job may
/// (WFX-LOCK-STUCK).
void Engine::note_silence(Record& record) {
  if (now_ - record.seen.history.back().at < options_.policy.stuck_after) return;
  record.seen.reason = "the lock service does not answer";
}

/// Goes on to the next step that is due, or to the end.
void Engine::run_on(Record& record) {
  for (; record.next_step < record.blocks.size(); ++record.next_step) {
    const Result<bool, std::string> due = is_due(record);
    const std::string& label = record.definition.steps[record.next_step].label;
    if (!due.has_value()) {
      fail(record, "the condition of step " + label + " can't be evaluated: " + due.error());
      return;
    }
    if (*due) {
      add_job(record, JobType::execute, record.next_step);
      return;
    }
    const bool taints = options_.policy.taint == Taint::reached_steps;
    if (taints && !record.blocks[record.next_step].pure) record.seen.is_pure = false;
  }
  end(record, State::completed, Ending::completion);
}

Result<bool, std::string> Engine::is_due(const Record& record) const {
  const std::optional<Value>& condition = record.definition.steps[record.next_step].condition;
  if (!condition) return true;
  if (condition->is_bool()) return condition->as_bool();
  if (!options_.conditions.evaluate) return unexpected(std::string("there is no guard language"));
  return options_.conditions.evaluate(*condition, record.scope);
}

void Engine::add_job(Record& record, JobType type, std::size_t step) {
  const StepDefinition& definition = record.definition.steps[step];
  const Job& job = board_.add({.type = type,
                               .execution = record.seen.number,
                               .uuid = record.seen.uuid,
                               .step = step,
                               .label = definition.label,
                               .function_block = definition.function_block});
  record.jobs.push_back(job.number);
  ++record.seen.jobs_total;
}

void Engine::mark_executed(const Job& job) {
  Record& record = records_.at(job.execution - 1);
  if (!record.blocks[job.step].pure) {
    record.seen.is_pure = false;
    record.to_undo.push_back(job.step);
  }
  record.executed_steps.push_back(job.step);
}

/// Takes a result to its execution; `failure` says what happened to a job without success.
void Engine::settle(const Job& job, JobResult result, std::string_view failure) {
  Record& record = records_.at(job.execution - 1);
  const bool hides = record.seen.outcome && options_.policy.late_result == LateResult::is_hidden;
  board_.push(job.number, hides ? std::nullopt : std::optional(result));
  if (record.seen.outcome) return;
  ++record.seen.jobs_completed;
  switch (job.type) {
    case JobType::acquire:
      acquired(record, job, std::move(result), failure);
      break;
    case JobType::execute:
      executed(record, job, std::move(result), failure);
      break;
    case JobType::rollback:
      rolled_back(record, job, result);
      break;
  }
}

void Engine::acquired(Record& record, const Job& job, JobResult result, std::string_view failure) {
  if (!result.success) {
    if (options_.policy.failed_acquire == FailedAcquire::by_error) enter(record, State::error);
    end(record, State::failed_safe, Ending::failure,
        "the ACQUIRE job of step " + job.label + " " + std::string(failure));
    return;
  }
  const std::vector<std::string>& own = record.definition.steps[job.step].acquire;
  const std::vector<std::string>& declared = record.blocks[job.step].acquires;
  const bool replaced = !result.entities.empty() &&
                        options_.policy.found_entities == FoundEntities::instead_of_declared;
  if (!replaced) {
    record.seen.entities.insert(own.begin(), own.end());
    record.seen.entities.insert(declared.begin(), declared.end());
  }
  record.seen.entities.insert(result.entities.begin(), result.entities.end());
  if (record.open_acquires == 0) return;  // under Discovery::first_result the others come late
  --record.open_acquires;
  proceed(record);
}

void Engine::executed(Record& record, const Job& job, JobResult result, std::string_view failure) {
  if (!result.success) {
    fail(record, "step " + job.label + " " + std::string(failure));
    return;
  }
  if (result.data) {
    record.scope.as_object().at("results").as_object()[job.label] = std::move(*result.data);
  }
  ++record.next_step;
  proceed(record);
}

/// Rolls back the impure steps that were executed, the newest first; one failure is enough to be
/// unsafe.
void Engine::rolled_back(Record& record, const Job& job, const JobResult& result) {
  if (!result.success) {
    end(record, State::failed_unsafe, Ending::failure,
        *record.seen.reason + "; the rollback of step " + job.label + " failed");
    return;
  }
  record.to_undo.pop_back();
  if (record.to_undo.empty()) {
    end(record, State::failed_safe, Ending::failure, record.seen.reason);
  } else {
    proceed(record);
  }
}

bool Engine::can_be_undone(const Record& record) const {
  return std::all_of(record.to_undo.begin(), record.to_undo.end(),
                     [&record](std::size_t step) { return record.blocks[step].rollback; });
}

void Engine::fail(Record& record, std::string reason) {
  enter(record, State::error);
  record.seen.reason = std::move(reason);
  proceed(record);
}

void Engine::end(Record& record, State outcome, Ending ending, std::optional<std::string> reason) {
  record.seen.outcome = outcome;
  record.seen.reason = std::move(reason);
  asking_.erase(record.seen.number);
  enter(record, outcome);
  for (const std::uint64_t number : record.jobs) {
    if (board_.at(number).state == JobState::pending) board_.withdraw(number);
  }
  if (options_.policy.locks.releases(ending, record.executed_steps.size())) {
    locks_.release(record.seen.number);
  }
}

}  // namespace assay::lifecycle
