#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace assay::events {

/// One place where a log breaks an order rule of specification 001.
struct LogViolation {
  std::string_view clause;
  std::size_t index = 0;  ///< of the event in the log, from 0
  std::string message;
};

/// Judges one execution's log, oldest event first, by what may follow what in a run (specification
/// 001 sections 2, 3 and 5). Invariants over the log alone: they share no code with the fold.
///
/// - EVT-ENV-ID, EVT-ENV-SEQ: event_id is unique, seq rises.
/// - EVT-EMIT-SERVER, EVT-EMIT-WORKER: source agrees with the plane that emits the type.
/// - EVT-STEP-SCHED: a step run is scheduled once. EVT-EMIT-NOSTART: what a step run does comes
///   after its step.scheduled. EVT-TAX-STEP: it starts once and has one outcome, its last.
/// - EVT-TASK-FINAL: a task run has one outcome, and nothing of it follows. EVT-TASK-RETRY: it
///   starts once; one attempt at a time. EVT-COR-ATTEMPT: attempts are numbered 1, 2, 3 … An
///   attempt may be told by its outcome alone, because specification 001 asks for attempt events
///   only where retries occur.
/// - EVT-LOOP-ORDER: an iteration is scheduled, started, then done or failed, each once, between
///   loop.started and loop.done, and loop.done waits for all.
///
/// Runs are told apart by step_run_id and task_run_id; an event without one is judged by no rule
/// about runs. A loop without a step_run_id is told by its entity_id.
[[nodiscard]] std::vector<LogViolation> check_log(std::span<const Value> log);

}  // namespace assay::events
