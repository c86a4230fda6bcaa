#include "harness/audit/packed_event.h"

#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/value.h"
#include "harness/wire/json.h"

namespace assay::audit {
namespace {

using check::EventField;
using check::EventMember;

static_assert(std::is_trivially_copyable_v<PackedHead>);

/// Stands for the payload among the members.
constexpr std::uint8_t payload_field = check::event_field_count;

template <typename T>
void append(const T& value, std::string& into) {
  into.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
T take(std::string_view& packed) {
  T value;
  std::memcpy(&value, packed.data(), sizeof(value));
  packed.remove_prefix(sizeof(value));
  return value;
}

void append_text(std::uint8_t field, EventMember::Kind kind, std::string_view text,
                 std::string& into) {
  into += static_cast<char>(field);
  into += static_cast<char>(kind);
  append(static_cast<std::uint32_t>(text.size()), into);
  into.append(text);
}

bool closes(const check::LogEvent& event) {
  const auto type = event.string(EventField::event_type);
  if (!type) return false;
  if (*type == "playbook.finished") {
    const auto status = event.string(EventField::status);
    return status == "success" || status == "error";
  }
  return *type == "playbook.completed" || *type == "playbook.failed" ||
         *type == "execution.cancelled";
}

Value value_of(const EventMember& member) {
  if (member.kind == EventMember::Kind::string) return member.text;
  if (member.kind == EventMember::Kind::integer) return member.number;
  auto read = wire::parse_json(member.text);
  return std::holds_alternative<Value>(read) ? std::get<Value>(std::move(read)) : Value();
}

}  // namespace

void pack(const ParsedEvent& parsed, std::uint64_t ordinal, const LogPlace& place,
          std::string& into) {
  const std::size_t begin = into.size();
  PackedHead head;
  std::memset(static_cast<void*>(&head), 0, sizeof(head));
  head.ordinal = ordinal;
  head.place = place;
  const auto seq = parsed.event.integer(EventField::seq);
  head.has_seq = seq.has_value();
  head.seq = seq.value_or(0);
  head.closes = closes(parsed.event);
  append(head, into);
  for (std::size_t field = 0; field < check::event_field_count; ++field) {
    const EventMember& member = parsed.event.members[field];
    if (member.kind == EventMember::Kind::absent) continue;
    if (member.kind != EventMember::Kind::integer) {
      constexpr std::size_t text_at = 2 + sizeof(std::uint32_t);
      if (field == static_cast<std::size_t>(EventField::execution_id) &&
          member.kind == EventMember::Kind::string) {
        head.execution_at = static_cast<std::uint32_t>(into.size() - begin + text_at);
        head.execution_size = static_cast<std::uint32_t>(member.text.size());
      }
      append_text(static_cast<std::uint8_t>(field), member.kind, member.text, into);
      continue;
    }
    into += static_cast<char>(field);
    into += static_cast<char>(member.kind);
    append(member.number, into);
  }
  if (!parsed.payload.empty()) {
    append_text(payload_field, EventMember::Kind::other, parsed.payload, into);
  }
  head.size = static_cast<std::uint32_t>(into.size() - begin);
  std::memcpy(into.data() + begin, &head, sizeof(head));
}

PackedHead head_at(std::string_view packed, std::size_t at) {
  packed.remove_prefix(at);
  return take<PackedHead>(packed);
}

std::optional<std::string_view> execution_at(std::string_view packed, std::size_t at) {
  const PackedHead head = head_at(packed, at);
  if (head.execution_at == 0) return std::nullopt;
  return packed.substr(at + head.execution_at, head.execution_size);
}

ParsedEvent unpack(std::string_view packed, std::size_t at) {
  const PackedHead head = head_at(packed, at);
  std::string_view rest = packed.substr(at + sizeof(head), head.size - sizeof(head));
  ParsedEvent parsed;
  while (!rest.empty()) {
    const auto field = take<std::uint8_t>(rest);
    const auto kind = static_cast<EventMember::Kind>(take<std::uint8_t>(rest));
    if (kind == EventMember::Kind::integer) {
      parsed.event.members.at(field) = {kind, take<std::int64_t>(rest), {}};
      continue;
    }
    const auto size = take<std::uint32_t>(rest);
    const std::string_view text = rest.substr(0, size);
    rest.remove_prefix(size);
    if (field == payload_field) {
      parsed.payload = text;
    } else {
      parsed.event.members.at(field) = {kind, 0, text};
    }
  }
  return parsed;
}

std::string json_of(const ParsedEvent& parsed) {
  Object body;
  for (std::size_t field = 0; field < check::event_field_count; ++field) {
    const EventMember& member = parsed.event.members[field];
    if (member.kind == EventMember::Kind::absent) continue;
    body.emplace(check::event_field_names[field], value_of(member));
  }
  if (!parsed.payload.empty()) {
    body.emplace("payload", value_of({EventMember::Kind::other, 0, parsed.payload}));
  }
  return wire::to_json(body);
}

}  // namespace assay::audit
