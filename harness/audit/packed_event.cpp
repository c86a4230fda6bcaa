#include "harness/audit/packed_event.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/short_text.h"
#include "base/value.h"
#include "base/words.h"
#include "harness/wire/json.h"

namespace assay::audit {
namespace {

using check::EventField;
using check::EventMember;

static_assert(std::is_trivially_copyable_v<PackedHead>);

/// Stands for the payload among the members.
constexpr std::uint8_t payload_field = count_of<EventField::duration_ms>;

/// A member begins with a byte that has the field in its lower bits and the kind above them.
constexpr std::uint8_t field_bits = 5;
constexpr std::uint8_t field_mask = (1U << field_bits) - 1;
static_assert(payload_field <= field_mask);

/// Behind it is how long the text is: in one byte, or behind this one in four.
constexpr std::uint8_t long_text = 255;

constexpr std::size_t text_head_bytes(std::size_t size) {
  return size < long_text ? 2 : 2 + sizeof(std::uint32_t);
}

std::size_t packed_size(const EventMember& member) {
  if (member.kind == EventMember::Kind::absent) return 0;
  if (member.kind == EventMember::Kind::integer) return 1 + sizeof(member.number);
  return text_head_bytes(member.text.size()) + member.text.size();
}

std::size_t packed_size(const ParsedEvent& parsed) {
  std::size_t size = sizeof(PackedHead);
  for (const EventMember& member : parsed.event.members) size += packed_size(member);
  const std::size_t payload = parsed.payload.size();
  return payload == 0 ? size : size + text_head_bytes(payload) + payload;
}

/// Writes members into memory that has room for them.
class Writer {
 public:
  explicit Writer(char* at) : at_(at) {}

  void write(std::uint8_t field, const EventMember& member) {
    put(static_cast<std::uint8_t>(field | static_cast<unsigned>(member.kind) << field_bits));
    if (member.kind == EventMember::Kind::integer) return put(member.number);
    if (member.text.size() < long_text) {
      put(static_cast<std::uint8_t>(member.text.size()));
    } else {
      put(long_text);
      put(static_cast<std::uint32_t>(member.text.size()));
    }
    at_ = copy_text(member.text, at_);
  }
  [[nodiscard]] const char* at() const { return at_; }

 private:
  template <typename T>
  void put(const T& value) {
    std::memcpy(at_, &value, sizeof(value));
    at_ += sizeof(value);
  }

  char* at_;
};

template <typename T>
T take(std::string_view& packed) {
  T value;
  std::memcpy(&value, packed.begin(), sizeof(value));
  packed.remove_prefix(sizeof(value));
  return value;
}

std::string_view take_text(std::string_view& packed) {
  std::size_t size = take<std::uint8_t>(packed);
  if (size == long_text) size = take<std::uint32_t>(packed);
  const std::string_view text = packed.substr(0, size);
  packed.remove_prefix(size);
  return text;
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
  return read ? *std::move(read) : Value();
}

}  // namespace

PackedHead pack(const ParsedEvent& parsed, std::uint64_t ordinal, const LogPlace& place,
                std::string& into) {
  PackedHead head;
  std::memset(static_cast<void*>(&head), 0, sizeof(head));
  head.ordinal = ordinal;
  head.place = place;
  const auto seq = parsed.event.integer(EventField::seq);
  head.has_seq = seq.has_value();
  head.seq = seq.value_or(0);
  head.closes = closes(parsed.event);
  const std::size_t begin = into.size();
  into.resize(begin + packed_size(parsed));
  Writer writer(into.data() + begin + sizeof(head));
  for (const EventField field : check::event_field_names.values()) {
    const EventMember& member = parsed.event[field];
    if (member.kind == EventMember::Kind::absent) continue;
    if (field == EventField::execution_id && member.kind == EventMember::Kind::string) {
      const auto written = static_cast<std::size_t>(writer.at() - (into.data() + begin));
      head.execution_at = static_cast<std::uint32_t>(written + text_head_bytes(member.text.size()));
      head.execution_size = static_cast<std::uint32_t>(member.text.size());
    }
    writer.write(static_cast<std::uint8_t>(field), member);
  }
  if (!parsed.payload.empty()) {
    writer.write(payload_field, {EventMember::Kind::other, 0, parsed.payload});
  }
  head.size = static_cast<std::uint32_t>(into.size() - begin);
  std::memcpy(into.data() + begin, &head, sizeof(head));
  return head;
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
  ParsedEvent parsed;
  unpack(packed, at, parsed);
  return parsed;
}

void unpack(std::string_view packed, std::size_t at, ParsedEvent& into) {
  const PackedHead head = head_at(packed, at);
  std::string_view rest = packed.substr(at + sizeof(head), head.size - sizeof(head));
  into.clear();
  while (!rest.empty()) {
    const auto tag = take<std::uint8_t>(rest);
    const std::size_t field = tag & field_mask;
    const auto kind = static_cast<EventMember::Kind>(tag >> field_bits);
    if (kind == EventMember::Kind::integer) {
      into.event[static_cast<EventField>(field)] = {kind, take<std::int64_t>(rest), {}};
    } else if (field == payload_field) {
      into.payload = take_text(rest);
    } else {
      into.event[static_cast<EventField>(field)] = {kind, 0, take_text(rest)};
    }
  }
}

std::string json_of(const ParsedEvent& parsed) {
  Object body;
  for (const EventField field : check::event_field_names.values()) {
    const EventMember& member = parsed.event[field];
    if (member.kind == EventMember::Kind::absent) continue;
    body.emplace(check::event_field_names[field], value_of(member));
  }
  if (!parsed.payload.empty()) {
    body.emplace("payload", value_of({EventMember::Kind::other, 0, parsed.payload}));
  }
  return wire::to_json(body);
}

}  // namespace assay::audit
