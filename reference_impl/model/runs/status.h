#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/words.h"

namespace assay::runs {

/// The eight statuses of a run (specification 004, Allowed Statuses).
enum class Status : std::uint8_t {
  created,
  running,
  waiting,
  success,
  failed,
  denied,
  timeout,
  canceled
};

inline constexpr auto all_statuses = values_of<Status::canceled>;

/// The specification's word for a status, in lower case.
[[nodiscard]] std::string_view to_string(Status status);

/// The status that exactly this word names, or nothing.
[[nodiscard]] std::optional<Status> parse_status(std::string_view word);

/// success, failed, denied, timeout and canceled (specification 004, Terminal Statuses).
[[nodiscard]] bool is_terminal(Status status);

/// failed, denied and timeout: the statuses that need a diagnostic and may be retried.
[[nodiscard]] bool is_failure(Status status);

/// One line of specification 004's Valid Transitions, with the clause that states it.
struct Transition {
  Status from;
  Status to;
  std::string_view clause;
};

/// The nine valid transitions; no other is allowed.
inline constexpr std::array<Transition, 9> transitions = {{
    {Status::created, Status::running, "RUN-T1"},
    {Status::running, Status::waiting, "RUN-T2"},
    {Status::waiting, Status::running, "RUN-T3"},
    {Status::running, Status::success, "RUN-T4"},
    {Status::running, Status::failed, "RUN-T5"},
    {Status::running, Status::denied, "RUN-T6"},
    {Status::running, Status::timeout, "RUN-T7"},
    {Status::running, Status::canceled, "RUN-T8"},
    {Status::waiting, Status::canceled, "RUN-T9"},
}};

/// Whether the table has this transition.
[[nodiscard]] bool is_defined(Status from, Status to);

/// The 55 other ordered pairs, by the mistake that allowing them would be.
enum class ForbiddenFamily : std::uint8_t {
  self_transition,       ///< any status to itself (8 pairs)
  retry_in_place,        ///< failed, denied or timeout to running: the Retry Rule's three pairs
  leaving_terminal,      ///< a terminal status to any other (the 32 pairs besides those three)
  skipping_start,        ///< created to anything but running (6 pairs)
  ending_while_waiting,  ///< waiting to success, failed, denied or timeout (4 pairs)
  returning_to_created,  ///< running or waiting to created (2 pairs)
};

/// The family of a pair that the table does not have; nothing for a valid transition.
[[nodiscard]] std::optional<ForbiddenFamily> forbidden_family(Status from, Status to);

}  // namespace assay::runs
