#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"
#include "base/words.h"

namespace assay::check {

/// The members of an event (specifications 000 and 001) that the rules about logs read.
enum class EventField : std::uint8_t {
  event_id,
  event_type,
  timestamp,
  execution_id,
  source,
  entity_type,
  entity_id,
  status,
  step_run_id,
  task_run_id,
  iteration_id,
  node_name,
  command_id,
  event_alias,
  seq,
  attempt,
  iteration,
  duration_ms,
};

/// The member's name in an event.
inline constexpr Words<EventField::duration_ms> event_field_names = {
    "event_id",   "event_type",  "timestamp",   "execution_id", "source",       "entity_type",
    "entity_id",  "status",      "step_run_id", "task_run_id",  "iteration_id", "node_name",
    "command_id", "event_alias", "seq",         "attempt",      "iteration",    "duration_ms"};

/// One member of an event.
struct EventMember {
  enum class Kind : std::uint8_t {
    absent,   ///< Not there, or null.
    string,   ///< `text` is what it says.
    integer,  ///< `number`, which fits; `text` is empty.
    other,    ///< Anything else; `text` is its JSON.
  };
  Kind kind = Kind::absent;
  std::int64_t number = 0;
  std::string_view text;
};

/// One event of a log as the rules read it. Views texts that its owner keeps for as long as a
/// LogAuditor that saw it lives.
struct LogEvent {
  EnumTable<EventField::duration_ms, EventMember> members;
  /// The payload of a next.evaluated; nullptr elsewhere, and where there is none.
  const Value* payload = nullptr;

  [[nodiscard]] const EventMember& operator[](EventField field) const { return members[field]; }
  [[nodiscard]] EventMember& operator[](EventField field) { return members[field]; }
  /// What a string member says; nothing for any other.
  [[nodiscard]] std::optional<std::string_view> string(EventField field) const {
    const EventMember& member = (*this)[field];
    if (member.kind != EventMember::Kind::string) return std::nullopt;
    return member.text;
  }
  /// An integral member; 3.0 is one.
  [[nodiscard]] std::optional<std::int64_t> integer(EventField field) const {
    const EventMember& member = (*this)[field];
    if (member.kind != EventMember::Kind::integer) return std::nullopt;
    return member.number;
  }
  [[nodiscard]] bool has(EventField field) const {
    return (*this)[field].kind != EventMember::Kind::absent;
  }
  /// The member as JSON for messages, cut where it is long.
  [[nodiscard]] std::string shown(EventField field) const;

  /// Leaves no member there.
  void clear() {
    for (const EventField field : event_field_names.values()) {
      members[field].kind = EventMember::Kind::absent;
    }
    payload = nullptr;
  }
};

/// The event of a body that is an object. What its members need beside the body's own texts is kept
/// in `texts`.
[[nodiscard]] LogEvent log_event_of(const Value& body, std::deque<std::string>& texts);

}  // namespace assay::check
