#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace assay::events {

/// Every event type that the specifications name; `other` is any well-formed name beside them.
enum class EventKind : std::uint8_t {
  other,
  // specification 001 section 3
  playbook_execution_requested,
  playbook_request_evaluated,
  playbook_started,
  playbook_paused,
  playbook_finished,
  playbook_processed,
  workflow_started,
  workflow_finished,
  step_scheduled,
  step_started,
  step_done,
  step_failed,
  task_started,
  task_attempt_started,
  task_attempt_done,
  task_attempt_failed,
  task_done,
  task_failed,
  loop_started,
  loop_iteration_scheduled,
  loop_iteration_started,
  loop_iteration_done,
  loop_iteration_failed,
  loop_done,
  policy_admit_evaluated,
  policy_task_evaluated,
  next_evaluated,
  result_stored,
  result_manifest_updated,
  // specification 000
  playbook_initialized,
  playbook_completed,
  playbook_failed,
  execution_cancelled,
  workflow_initialized,
  workflow_completed,
  workflow_failed,
  step_enter,
  step_exit,
  command_issued,
  command_claimed,
  command_started,
  command_completed,
  command_failed,
  command_cancelled,
  call_done,
  call_error,
  batch_completed,
};

/// Who emits an event (specification 001 sections 3 and 5): control plane, data plane, or either.
enum class Plane : std::uint8_t { server, worker, both };

/// Whose names: the status matrix of 000, v10 of 001, or (execution.cancelled) both.
enum class Vocabulary : std::uint8_t { status_matrix, v10, both };

/// One row of the taxonomy.
struct EventType {
  EventKind kind;
  std::string_view name;
  std::string_view alias;        ///< PascalCase display name (specification 001 section 1.2)
  std::string_view entity_type;  ///< one of specification 001's eight; empty where none fits
  Plane plane;
  Vocabulary vocabulary;
  std::string_view clause;
};

/// Specification 001's types in the order of its section 3, then specification 000's.
[[nodiscard]] std::span<const EventType> taxonomy();

/// The row of that name, or nullptr for a name outside the taxonomy.
[[nodiscard]] const EventType* find_event_type(std::string_view name);

/// The row's kind, or `other`.
[[nodiscard]] EventKind kind_of(std::string_view name);

/// True for two or three dot-separated segments of a-z, 0-9 and _, each begun by a letter
/// (EVT-NAME-LOWER, EVT-NAME-DOTS, EVT-NAME-SHAPE).
[[nodiscard]] bool is_event_name(std::string_view name);

/// The PascalCase alias of a well-formed name: task.attempt.failed gives TaskAttemptFailed, and an
/// underscore parts words as a dot does (EVT-ALIAS-1).
[[nodiscard]] std::string alias_of(std::string_view name);

/// What an event says about the whole execution. `undecided` is a playbook.finished whose status is
/// neither success nor error: it closes nothing.
enum class Lifecycle : std::uint8_t { none, start, success, failure, cancel, undecided };

/// The lifecycle meaning of an event, in either vocabulary; `status` is the event's, or empty.
[[nodiscard]] Lifecycle lifecycle_of(EventKind kind, std::string_view status);

/// "status-matrix" or "v10" as a vocabulary, or nothing for another word.
[[nodiscard]] std::optional<Vocabulary> vocabulary_named(std::string_view word);

/// The word of a vocabulary that an execution may have (not `both`).
[[nodiscard]] std::string_view vocabulary_word(Vocabulary vocabulary);

}  // namespace assay::events
