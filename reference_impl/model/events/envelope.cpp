#include "reference_impl/model/events/envelope.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/events/legacy.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/events/timestamp.h"
#include "reference_impl/model/events/words.h"

namespace assay::events {

namespace {

constexpr std::size_t id_size_max = 256;

template <std::size_t Count>
bool is_one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_id(const Value& value) { return value.is_string() && is_valid_id(value.as_string()); }

bool is_source(const Value& value) {
  constexpr std::array<std::string_view, 2> words = {"server", "worker"};
  return value.is_string() && is_one_of(value.as_string(), words);
}

bool is_entity_type(const Value& value) {
  constexpr std::array<std::string_view, 8> words = {"playbook", "workflow", "step",   "task",
                                                     "loop",     "next",     "policy", "result"};
  return value.is_string() && is_one_of(value.as_string(), words);
}

/// Specification 001's words as written (EVT-COR-STATUS). Workers send specification 000's step and
/// command words too, in mixed case (STM-CASE-1).
bool is_status(const Value& value) {
  constexpr std::array<std::string_view, 5> event_words = {"in_progress", "success", "error",
                                                           "skipped", "paused"};
  constexpr std::array<std::string_view, 8> step_and_command_words = {
      "PENDING",      "RUNNING", "COMPLETED", "FAILED",
      "CASE_HANDLED", "ISSUED",  "CLAIMED",   "CANCELLED"};
  return value.is_string() && (is_one_of(value.as_string(), event_words) ||
                               is_one_of(upper_case(value.as_string()), step_and_command_words));
}

bool is_integer_from(const Value& value, std::int64_t minimum) {
  if (value.large_unsigned()) return true;
  const auto integer = value.to_int64();
  return integer && *integer >= minimum;
}

bool is_integer_from_0(const Value& value) { return is_integer_from(value, 0); }
bool is_integer_from_1(const Value& value) { return is_integer_from(value, 1); }
bool is_string(const Value& value) { return value.is_string(); }
bool is_object(const Value& value) { return value.is_object(); }

struct FieldRule {
  std::string_view name;
  bool (*holds)(const Value&);
  std::string_view wanted;
};

constexpr std::string_view an_id = "a string of 1 to 256 bytes without control characters";
constexpr std::string_view from_0 = "an integer from 0";

/// The optional fields of specification 001 section 2, with node_name and command_id of 000.
constexpr FieldRule optional_fields[] = {
    {"source", is_source, "server or worker"},
    {"entity_type", is_entity_type, "playbook, workflow, step, task, loop, next, policy or result"},
    {"entity_id", is_id, an_id},
    {"parent_id", is_id, an_id},
    {"event_alias", is_string, "a string"},
    {"workflow_run_id", is_id, an_id},
    {"step_run_id", is_id, an_id},
    {"task_run_id", is_id, an_id},
    {"command_id", is_id, an_id},
    {"node_name", is_id, an_id},
    {"iteration", is_integer_from_0, from_0},
    {"iteration_id", is_id, an_id},
    {"attempt", is_integer_from_1, "an integer from 1"},
    {"status", is_status,
     "in_progress, success, error, skipped or paused, or a step's or command's state"},
    {"duration_ms", is_integer_from_0, from_0},
    {"payload", is_object, "an object"},
};

EventError invalid(std::string_view field, std::string message) {
  std::string pointer = field.empty() ? std::string() : std::string("/").append(field);
  return {EventError::Kind::invalid, std::move(pointer), "INVALID_FIELD", std::move(message)};
}

EventError wrong(std::string_view field, std::string_view wanted, const Value& value) {
  std::string message(field);
  message.append(" must be ").append(wanted);
  message.append("; this is ").append(value.is_string() ? "another string" : value.kind_name());
  return invalid(field, std::move(message));
}

std::optional<EventError> check_required(const Value& body, const ReadOptions& options) {
  for (const std::string_view field : {"event_id", "event_type", "timestamp"}) {
    const Value* value = body.find(field);
    if (value == nullptr || value->is_null()) {
      return EventError{EventError::Kind::invalid, std::string("/").append(field), "MISSING_FIELD",
                        std::string(field).append(" is required")};
    }
  }
  const Value& id = *body.find("event_id");
  if (!is_id(id)) return wrong("event_id", an_id, id);
  const Value& type = *body.find("event_type");
  if (!type.is_string() || !is_event_name(type.as_string())) {
    return wrong("event_type", "two or three segments of a-z, 0-9 and _, parted by dots", type);
  }
  const Value& timestamp = *body.find("timestamp");
  if (!timestamp.is_string() || !parse_timestamp(timestamp.as_string())) {
    return wrong("timestamp", "an RFC 3339 date-time with a zone", timestamp);
  }
  const Value* execution = body.find("execution_id");
  if (execution != nullptr && !execution->is_null() &&
      !(execution->is_string() && execution->as_string() == options.execution_id)) {
    return invalid("execution_id", "execution_id must be the execution that is posted to");
  }
  return std::nullopt;
}

std::optional<EventError> check_optional(const Value& body) {
  for (const FieldRule& rule : optional_fields) {
    const Value* value = body.find(rule.name);
    if (value != nullptr && !value->is_null() && !rule.holds(*value)) {
      return wrong(rule.name, rule.wanted, *value);
    }
  }
  return std::nullopt;
}

/// A legacy event may carry the alias of either of its names.
std::optional<EventError> check_alias(const EventView& event,
                                      const std::optional<std::string>& standard_name) {
  if (!event.has("event_alias")) return std::nullopt;
  const std::string_view alias = event.text("event_alias");
  if (alias == alias_of(event.type())) return std::nullopt;
  if (standard_name && alias == alias_of(*standard_name)) return std::nullopt;
  return invalid("event_alias", "event_alias must be " + alias_of(event.type()));
}

std::optional<EventError> check_cap(const EventView& event, std::string_view pointer,
                                    std::size_t cap_bytes) {
  const Value* part = event.payload(pointer);
  if (part == nullptr || compact_json_size(*part, cap_bytes) <= cap_bytes) return std::nullopt;
  return EventError{EventError::Kind::too_large, std::string("/payload").append(pointer),
                    "EXTERNALISE_RESULT",
                    "more than " + std::to_string(cap_bytes) +
                        " bytes: store it outside the log and send a payload.result_ref"};
}

std::optional<EventError> check_caps(const EventView& event, const ReadOptions& options) {
  for (const std::string_view pointer : {"/inputs", "/outcome"}) {
    if (auto error = check_cap(event, pointer, options.inputs_or_outcome_cap_bytes)) return error;
  }
  return check_cap(event, "", options.payload_cap_bytes);
}

Value normalized(const Value& body, const ReadOptions& options) {
  Object members = body.as_object();
  members.erase("seq");
  for (const FieldRule& rule : optional_fields) {
    const auto member = members.find(rule.name);
    if (member != members.end() && member->second.is_null()) members.erase(member);
  }
  members["execution_id"] = options.execution_id;
  Value& timestamp = members["timestamp"];
  timestamp = normalized_timestamp(timestamp.as_string()).value();
  return members;
}

bool same_instant(const Value& left, const Value& right) {
  if (!left.is_string() || !right.is_string()) return left == right;
  const auto left_instant = parse_timestamp(left.as_string());
  return left_instant ? left_instant == parse_timestamp(right.as_string()) : left == right;
}

/// C0, DEL and C1.
bool is_control_character(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

Result<Event, EventError> read_event(const Value& body, const ReadOptions& options) {
  if (!body.is_object()) return unexpected(invalid("", "an event must be an object"));
  if (auto error = check_required(body, options)) return unexpected(*std::move(error));
  const EventView event(body);
  const auto standard_name = standard_name_of_legacy(event);
  if (standard_name && options.reject_legacy) {
    return unexpected(EventError{EventError::Kind::legacy, "/event_type", "LEGACY_EVENT",
                                 "a legacy event type: send " + *standard_name});
  }
  if (!options.takes_unknown_types && !standard_name && event.kind() == EventKind::other) {
    return unexpected(invalid("event_type", "the taxonomy has no such event type"));
  }
  if (auto error = check_optional(body)) return unexpected(*std::move(error));
  if (auto error = check_alias(event, standard_name)) return unexpected(*std::move(error));
  if (auto error = check_caps(event, options)) return unexpected(*std::move(error));
  Event read{normalized(body, options)};
  if (standard_name) normalize_legacy(read.body, *standard_name);
  return read;
}

bool same_content(const Value& left, const Value& right) {
  if (!left.is_object() || !right.is_object()) return left == right;
  const auto skip_seq = [](Object::const_iterator member, const Object& members) {
    return member != members.end() && member->first == "seq" ? std::next(member) : member;
  };
  const Object& left_members = left.as_object();
  const Object& right_members = right.as_object();
  auto one = skip_seq(left_members.begin(), left_members);
  auto other = skip_seq(right_members.begin(), right_members);
  while (one != left_members.end() && other != right_members.end()) {
    if (one->first != other->first) return false;
    const bool same = one->first == "timestamp" ? same_instant(one->second, other->second)
                                                : one->second == other->second;
    if (!same) return false;
    one = skip_seq(std::next(one), left_members);
    other = skip_seq(std::next(other), right_members);
  }
  return one == left_members.end() && other == right_members.end();
}

bool is_valid_id(std::string_view id) {
  if (id.empty() || id.size() > id_size_max) return false;
  std::size_t at = 0;
  while (at < id.size()) {
    const std::optional<CodePoint> point = code_point_at(id, at);
    if (!point || is_control_character(point->value)) return false;
    at += point->length;
  }
  return true;
}

}  // namespace assay::events
