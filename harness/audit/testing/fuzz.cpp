#include "harness/audit/testing/fuzz.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "harness/audit/block_reader.h"
#include "harness/audit/byte_source.h"
#include "harness/audit/event_parser.h"
#include "harness/audit/packed_event.h"
#include "harness/audit/postgres.h"
#include "harness/core/profile.h"
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

/// What foreign rows are read by.
const core::Mapping& row_mapping() {
  static const core::Mapping mapping = [] {
    core::ObjectMapping made;
    made.members["event_id"].from = core::PointerMapping{"/id", "", {.as_text = true}};
    made.members["event_type"].from = core::PointerMapping{"/type"};
    made.members["payload"].from = core::PointerMapping{"/data"};
    return core::Mapping{std::move(made)};
  }();
  return mapping;
}

/// What is wrong with a text must be fit to be shown.
void check_fault(const std::optional<EventFault>& fault) {
  if (fault) require(!fault->message.empty() && is_utf8(fault->message), "a refusal says why");
}

/// The events of lines, read in blocks so small that lines lie across them.
std::vector<std::string> events_of(std::string lines) {
  constexpr ReadLimits small_blocks{.block_bytes = 64, .line_bytes = 1U << 20U};
  const auto source = text_source(std::move(lines), "rows");
  BlockReader reader(*source, 0, 0, small_blocks);
  EventParser ours;
  EventParser foreign(&row_mapping());
  std::vector<std::string> events;
  Block block;
  while (reader.next(block)) {
    for (const BadText& bad : block.bad) {
      require(!bad.message.empty() && is_utf8(bad.message), "what is not an event can be shown");
    }
    for (const TextSpan& span : block.events) {
      const auto text = block.text.view().substr(span.offset, span.size);
      ParsedEvent parsed;
      check_fault(ours.parse(text, parsed));
      check_fault(foreign.parse(text, parsed));
      events.emplace_back(text);
    }
  }
  return events;
}

std::vector<std::string_view> rows_of(std::string_view bytes) {
  std::vector<std::string_view> rows;
  for (std::size_t end = 0; end != std::string_view::npos; bytes.remove_prefix(end + 1)) {
    end = bytes.find('\0');
    rows.push_back(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return rows;
}

}  // namespace

void fuzz_postgres_row(std::string_view bytes) {
  const std::vector<std::string_view> rows = rows_of(bytes);
  std::string lines;
  std::vector<Value> expected;
  for (const std::string_view row : rows) {
    append_row(row, lines);
    auto value = wire::parse_json(row);
    if (value && value->is_object()) expected.push_back(*std::move(value));
  }
  const auto count = std::count(lines.begin(), lines.end(), '\n');
  require(static_cast<std::size_t>(count) == rows.size(), "a row is one line");
  const std::vector<std::string> events = events_of(std::move(lines));
  // Row_to_json gives nothing else.
  if (expected.size() != rows.size()) return;
  require(events.size() == expected.size(), "each row is read");
  for (std::size_t at = 0; at < events.size(); ++at) {
    const auto read = wire::parse_json(events[at]);
    require(read && *read == expected[at], "a row is read as it is");
  }
}

void fuzz_audit_line(std::string_view bytes) {
  EventParser parser;
  const auto event = event_of(parser, bytes, '}');
  require(event == event_of(parser, bytes, '\0'), "what stands behind a text does not matter");
  std::vector<std::string> duplicates;
  const auto exact =
      wire::parse_json(bytes, {.max_depth = limit_event_depth, .duplicate_keys = &duplicates});
  const bool is_object = exact && exact->is_object();
  require(!event || is_object, "an event is an object");
  require(event || !is_object || !duplicates.empty(), "an object is an event");
  if (!event) return;
  require(event == event_of(parser, *event, ' '), "an event is read as it was written");
}

}  // namespace assay::audit
