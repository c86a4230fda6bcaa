#include "harness/check/log_event.h"

#include <string>

#include "harness/check/text.h"

namespace assay::check {
namespace {

EventMember member_of(const Value& value, std::deque<std::string>& texts) {
  using Kind = EventMember::Kind;
  if (value.is_null()) return {};
  if (value.is_string()) return {Kind::string, 0, value.as_string()};
  const auto number = value.is_number() ? value.to_int64() : std::nullopt;
  if (number) return {Kind::integer, *number, {}};
  // Whole, because rules compare it and a shown log repeats it; only a message cuts it.
  return {Kind::other, 0, texts.emplace_back(value_text(value, std::string::npos))};
}

}  // namespace

std::string LogEvent::shown(EventField field) const {
  const EventMember& member = (*this)[field];
  switch (member.kind) {
    case EventMember::Kind::absent:
      return value_text(nullptr);
    case EventMember::Kind::string:
      return value_text(Value(member.text));
    case EventMember::Kind::integer:
      return value_text(Value(member.number));
    case EventMember::Kind::other:
      break;
  }
  return cut_text(std::string(member.text), message_bytes);
}

LogEvent log_event_of(const Value& body, std::deque<std::string>& texts) {
  LogEvent event;
  for (const EventField field : event_field_names.values()) {
    const Value* value = body.find(event_field_names[field]);
    if (value != nullptr) event[field] = member_of(*value, texts);
  }
  if (event.string(EventField::event_type) == "next.evaluated") {
    event.payload = body.find("payload");
  }
  return event;
}

}  // namespace assay::check
