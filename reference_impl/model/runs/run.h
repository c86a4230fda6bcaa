#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/value.h"
#include "reference_impl/model/runs/diagnostic.h"
#include "reference_impl/model/runs/status.h"

namespace assay::runs {

/// What an audit event says of the attempt that it records.
enum class AuditOutcome : std::uint8_t { success, deny };

/// One audit event (specification 004, Audit Requirement). On deny `after` is `before`.
struct AuditEvent {
  std::string event_id;
  std::uint64_t sequence = 0;  ///< 1, 2, 3 … per run
  AuditOutcome outcome = AuditOutcome::success;
  Status before = Status::created;
  Status after = Status::created;
  Status attempted = Status::created;
  std::optional<std::string> error_code;
  Instant at;
};

/// A run and its audit trail (specification 004).
struct Run {
  std::string run_id;
  std::optional<std::string> run_kind;
  Status status = Status::created;
  /// Those that came with the newest transition, in its request or else in its diagnostic.
  std::optional<std::string> error_code;
  std::optional<bool> retryable;
  std::optional<Value> diagnostic;
  std::optional<std::string> parent_run_id;
  std::string root_run_id;
  Instant created_at;
  std::optional<Instant> started_at;  ///< first entry into running
  std::optional<Instant> ended_at;    ///< entry into a terminal status
  std::vector<AuditEvent> audit;
};

/// What an attempt at an undefined transition does to the run, once it is refused and audited.
enum class InvalidAttempt : std::uint8_t { keeps_run, fails_run };

/// What becomes of error_code and retryable at a transition that gives none: null, or they stay as
/// they are. The specification asks for them in failed, denied and timeout only.
enum class KeptCodes : std::uint8_t { of_newest_transition, until_replaced };

/// How transitions are judged. The Invalid State Rule asks to fail also a run whose terminal status
/// "MUST NOT transition again": that gap is settled by `on_terminal`.
struct Policy {
  /// The transition table.
  std::function<bool(Status from, Status to)> allows = is_defined;
  InvalidAttempt on_open = InvalidAttempt::fails_run;
  InvalidAttempt on_terminal = InvalidAttempt::keeps_run;
  KeptCodes codes = KeptCodes::of_newest_transition;
  /// Whether an undefined transition that lacks its diagnostic is refused for that, and nothing
  /// else happens (interpretation table_or_diagnostic).
  bool diagnostic_comes_first = false;
  /// The statuses of runs that may be retried.
  bool (*may_be_retried)(Status status) = is_failure;
  /// Whether denied runs whose retryable is true are retried like failed ones.
  bool retries_denied = false;
  /// Whether a diagnostic's severity may be any word.
  bool takes_any_severity = false;
};

/// A source of fresh identifiers.
using IdSource = std::function<std::string()>;

/// A new run in created, its own root; creation is no transition and writes no audit event.
[[nodiscard]] Run create(std::string run_id, std::optional<std::string> run_kind, Instant now);

/// What a client asks for. error_code and retryable go before those of the diagnostic.
struct TransitionRequest {
  Status to = Status::created;
  std::optional<std::string> error_code = {};
  std::optional<bool> retryable = {};
  std::optional<Value> diagnostic = {};
};

enum class TransitionOutcome : std::uint8_t {
  accepted,
  refused,               ///< undefined: audited, and a run that was not terminal is now failed
  diagnostic_incomplete  ///< nothing changed
};

struct TransitionResult {
  TransitionOutcome outcome = TransitionOutcome::accepted;
  /// What is wrong with the diagnostic; its pointer is relative to the diagnostic.
  std::optional<DiagnosticProblem> problem = {};
};

/// Attempts a transition (specification 004, Valid Transitions and Invalid State Rule). The table
/// is asked before the diagnostic; a diagnostic is required for failed, denied and timeout, and one
/// that is given must be complete whatever the target.
TransitionResult transition(Run& run, const TransitionRequest& request, Instant now,
                            const IdSource& next_event_id, const Policy& policy = {});

/// A retry of a failed, denied or timed out run: a new run in created that names its parent and
/// keeps the root (specification 004, Retry Rule). Nothing where the run's status can't be retried.
[[nodiscard]] std::optional<Run> retry(const Run& original, std::string new_run_id, Instant now,
                                       const Policy& policy = {});

/// What an orchestrator does next with a run.
enum class Action : std::uint8_t { wait, stop, retry, escalate };

[[nodiscard]] std::string_view to_string(Action action);
[[nodiscard]] std::string_view to_string(AuditOutcome outcome);

/// The next action, from the run's status, error_code and retryable flag alone (specification 004,
/// Orchestrator Rule). No error code known to the specification changes it.
[[nodiscard]] Action next_action(const Run& run, const Policy& policy = {});

}  // namespace assay::runs
