#include "harness/audit/testing/fuzz.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/utf8.h"
#include "harness/audit/event_parser.h"
#include "harness/audit/packed_event.h"
#include "harness/wire/json.h"

namespace assay::audit {
namespace {

void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

/// The event as it comes back from its packed form; nothing where it is refused. Whatever stands
/// behind the text is not read as part of it.
std::optional<std::string> event_of(EventParser& parser, std::string_view text, char behind) {
  const std::string padded = std::string(text) + std::string(parser_padding_bytes, behind);
  ParsedEvent parsed;
  const auto fault = parser.parse(std::string_view(padded).substr(0, text.size()), parsed);
  if (fault) {
    require(!fault->message.empty() && is_utf8(fault->message), "a refusal says why");
    require(fault->offset <= text.size(), "a fault is in the text");
    return std::nullopt;
  }
  std::string packed = "before";
  pack(parsed, 3, {1, 1, 7}, packed);
  require(head_at(packed, 6).size == packed.size() - 6, "a packed event knows its size");
  std::string event = json_of(unpack(packed, 6));
  require(event == json_of(parsed), "an event is unpacked as it was packed");
  return event;
}

}  // namespace

void fuzz_audit_line(std::string_view bytes) {
  EventParser parser;
  const auto event = event_of(parser, bytes, '}');
  require(event == event_of(parser, bytes, '\0'), "what stands behind a text does not matter");
  std::vector<std::string> duplicates;
  const auto exact =
      wire::parse_json(bytes, {.max_depth = limit_event_depth, .duplicate_keys = &duplicates});
  const auto* value = std::get_if<Value>(&exact);
  const bool is_object = value != nullptr && value->is_object();
  require(!event || is_object, "an event is an object");
  require(event || !is_object || !duplicates.empty(), "an object is an event");
  if (!event) return;
  require(event == event_of(parser, *event, ' '), "an event is read as it was written");
}

}  // namespace assay::audit
