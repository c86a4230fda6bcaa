#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "base/words.h"
#include "harness/core/http.h"

namespace assay::core {

/// The operations that scenarios and properties speak of. A profile says how each goes over HTTP.
/// The name of an operation is also the capability that a target declares to have it.
///
///   executions.start   executions.status  executions.detail   executions.list executions.variables
///   executions.marking executions.cancel  executions.ctx      executions.pause  executions.resume
///   events.post        events.post_batch  events.list         events.published  control.evict
///   control.clock      control.lock_service                    control.lifecycle_hold
///   blocks.register    definitions.register                    workflow.start    workflow.get
///   workflow.list      workflow.active    workflow.by_state   workflow.abort    workflow.ack
///   workflow.conditions                    jobs.list           jobs.poll         jobs.push
///   runs.create        runs.get           runs.list           runs.transition   runs.retry
///   runs.next_action   runs.audit         server.health
[[nodiscard]] const std::vector<std::string_view>& operation_names();

/// Capabilities that are no operation: executions.pending (an execution exists before its start),
/// executions.replay, executions.driven, binding.reference (the target speaks CONTRACT.md to the
/// letter), fan_in.wait_all (executor.spec.fan_in is followed), legacy.reject (legacy event names
/// are refused instead of normalised), playbook.entry_step, playbook.final_step, playbook.loops
/// (what a playbook may say where the specification allows it), workflow.guards (a step's condition
/// may be a guard, not only true or false), workflow.rollback (a submission may ask for the
/// rollback of an impure failure), workflow.await (a submission may name conditions to wait for),
/// lock_service.hang (the lock service can be made to give no answer), events.ids (an event's id is
/// what the client says).
[[nodiscard]] const std::vector<std::string_view>& semantic_capabilities();

[[nodiscard]] bool is_known_capability(std::string_view name);

/// How a target answered an operation, once its profile has been asked.
enum class Acceptance {
  accepted,
  duplicate,   ///< The same thing again; nothing changed.
  refused,     ///< Understood and declined: a conflict or an invalid field.
  unknown,     ///< No such thing.
  unexpected,  ///< A status that the profile does not name, or a body that is no JSON where one is
               ///< due.
  no_answer,  ///< The transport failed, what has to be asked first was not taken, or the body is in
              ///< a coding that nobody asked for.
};

/// Whether the target did what was asked, or had done it before.
[[nodiscard]] constexpr bool is_taken(Acceptance acceptance) {
  return acceptance == Acceptance::accepted || acceptance == Acceptance::duplicate;
}

inline constexpr Words<Acceptance::no_answer> acceptance_words = {
    "accepted", "duplicate", "refused", "unknown", "unexpected", "no_answer"};
/// What scenarios, profiles and adapters may say; the others are what a harness makes of an answer.
[[nodiscard]] std::optional<Acceptance> said_acceptance(std::string_view word);
[[nodiscard]] std::vector<std::string> said_acceptances();

/// An operation with its parameters, before a profile turned it into a request.
struct Operation {
  std::string name;
  /// The names that the profile's template may use in ${…}; absent ones are left out of the
  /// request.
  Object parameters;
};

/// What came back, read through the profile.
struct Answer {
  Acceptance acceptance = Acceptance::no_answer;
  /// The HTTP status, 0 where there was no answer.
  int status = 0;
  /// The body with the profile's names and spellings; null where there was none.
  Value mapped;
  /// The body as it came, null where it was no JSON.
  Value body;
  /// Why the answer could not be read, empty where it could.
  std::string trouble;
  /// The trouble is that the body can be read in two ways: a key twice, or a byte order mark.
  bool is_ambiguous = false;
  std::optional<TransportError> transport;
};

}  // namespace assay::core
