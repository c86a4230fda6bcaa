#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "reference_impl/model/routing/guard.h"
#include "reference_impl/model/routing/template.h"

namespace assay::routing {

/// next.spec.mode (specification 003 section 4.3).
enum class RouterMode { exclusive, inclusive };

/// One of next.arcs (specification 003 section 4.1).
struct Arc {
  std::size_t target = 0;     ///< the index of its step
  std::optional<Guard> when;  ///< none: always true (section 4.2)
  std::optional<Template> args;
};

/// One of spec.policy.admit.rules with a `when`.
struct AdmitRule {
  Guard when;
  bool allow = false;
};

/// spec.policy.admit (specification 003 section 3.1). Where no rule holds, `otherwise` decides;
/// without one a list of rules denies.
struct Admission {
  std::vector<AdmitRule> rules;
  std::optional<bool> otherwise;
  std::size_t otherwise_index = 0;  ///< the place of the else among the rules as written
};

enum class LoopMode { sequential, parallel };

struct Loop {
  Template in;
  std::string iterator;
  LoopMode mode = LoopMode::sequential;
  std::optional<std::size_t> max_in_flight;  ///< none: no bound; a sequential loop has one anyway

  /// How many iterations may be in flight at once.
  [[nodiscard]] std::size_t in_flight_at_most() const;
};

struct Step {
  std::string name;
  std::optional<Admission> admission;  ///< none: always admitted
  std::optional<Loop> loop;
  RouterMode mode = RouterMode::exclusive;
  std::vector<Arc> arcs;
};

/// executor.spec.status_policy (specification 003 section 6.2, CONTRACT "Executions").
enum class StatusPolicy { fail_on_any_error, fail_fast, allow_partial };
enum class FanInPolicy { none, wait_all };
enum class DeniedToken { pending, discard };
enum class FinalFailure { fail, partial };

struct ExecutorSpec {
  std::optional<std::size_t> entry_step;
  std::optional<std::size_t> final_step;
  bool no_next_is_error = false;
  StatusPolicy status_policy = StatusPolicy::fail_on_any_error;
  FanInPolicy fan_in = FanInPolicy::none;
  DeniedToken denied_token = DeniedToken::pending;
  bool gates_hold = true;
  FinalFailure final_failure = FinalFailure::fail;
};

/// A playbook that was read: steps by index, names resolved, guards parsed.
struct Playbook {
  std::optional<std::string> name;  ///< metadata.name, where events can carry it
  Object workload;
  std::vector<Step> steps;
  ExecutorSpec executor;
  /// For each step the steps whose arcs lead to it, one entry an arc.
  std::vector<std::vector<std::size_t>> upstream;
};

/// Why a document is no playbook, and where (a JSON Pointer).
struct PlaybookError {
  std::string pointer;
  std::string message;
};

/// What a playbook may leave out.
struct PlaybookRules {
  /// Literal args of more bytes, as compact JSON, are an error.
  std::size_t args_bytes = 65'536;
  /// The settings of a playbook that says nothing of them; the two steps are not used.
  ExecutorSpec defaults = {};
  /// Whether one without metadata or workload is an error (interpretation root_sections).
  bool needs_root_sections = false;
};

/// Reads a playbook (specification 003; CONTRACT "Playbook"). Keys that the specification doesn't
/// name are passed over.
[[nodiscard]] Result<Playbook, PlaybookError> read_playbook(const Value& document,
                                                            const PlaybookRules& rules = {});

}  // namespace assay::routing
