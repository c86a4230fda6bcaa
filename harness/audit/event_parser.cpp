#include "harness/audit/event_parser.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/short_text.h"
#include "harness/check/text.h"
#include "harness/wire/json.h"
#include "harness/wire/mapping.h"

#ifdef ASSAY_SIMDJSON
#include <simdjson.h>
#endif

namespace assay::audit {
namespace {

using check::EventMember;

/// A slot for each field, by the name's length and ends: no two fields have the same.
using check::EventField;

constexpr std::size_t slot_count = 32;

constexpr std::size_t slot_of(std::string_view name) {
  return (name.size() + static_cast<unsigned char>(name.front()) * std::size_t{26} +
          static_cast<unsigned char>(name.back()) * std::size_t{24}) %
         slot_count;
}

constexpr std::array<EventField, slot_count> make_slots() {
  std::array<EventField, slot_count> slots = {};
  for (const EventField field : check::event_field_names.values()) {
    slots[slot_of(check::event_field_names[field])] = field;
  }
  return slots;
}

constexpr std::array<EventField, slot_count> field_slots = make_slots();

constexpr bool have_own_slots() {
  for (const EventField field : check::event_field_names.values()) {
    if (field_slots[slot_of(check::event_field_names[field])] != field) return false;
  }
  return true;
}
static_assert(have_own_slots());

std::optional<EventField> field_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  const EventField field = field_slots[slot_of(name)];
  return is_same_text(check::event_field_names[field], name) ? std::optional(field) : std::nullopt;
}

/// A name as two words, filled up with zeros.
using NameWords = std::array<std::uint64_t, 2>;
using NameBytes = std::array<unsigned char, sizeof(NameWords)>;

using FieldWords = EnumTable<EventField::duration_ms, NameWords>;

constexpr FieldWords make_field_words() {
  FieldWords words;
  for (const EventField field : check::event_field_names.values()) {
    const std::string_view name = check::event_field_names[field];
    NameBytes bytes = {};
    for (std::size_t at = 0; at < name.size(); ++at) {
      bytes.at(at) = static_cast<unsigned char>(name[at]);
    }
    words[field] = std::bit_cast<NameWords>(bytes);
  }
  return words;
}

/// By a name's size: the bits of its words that are the name's.
constexpr std::array<NameWords, sizeof(NameWords) + 1> make_name_masks() {
  std::array<NameWords, sizeof(NameWords) + 1> masks = {};
  for (std::size_t size = 0; size < masks.size(); ++size) {
    NameBytes bytes = {};
    for (std::size_t at = 0; at < size; ++at) bytes.at(at) = 0xFF;
    masks.at(size) = std::bit_cast<NameWords>(bytes);
  }
  return masks;
}

constexpr FieldWords field_words = make_field_words();
constexpr std::array<NameWords, sizeof(NameWords) + 1> name_masks = make_name_masks();

/// The same for a key behind which there is memory for a name's words: compared without a branch
/// for its length, because a log has a dozen keys an event.
std::optional<EventField> field_of_padded(std::string_view key) {
  if (key.empty() || key.size() > sizeof(NameWords)) return std::nullopt;
  const EventField field = field_slots[slot_of(key)];
  NameWords words;
  std::memcpy(&words, key.begin(), sizeof(words));
  const NameWords& mask = name_masks[key.size()];
  const NameWords& name = field_words[field];
  const bool is_same = ((((words[0] & mask[0]) ^ name[0]) | ((words[1] & mask[1]) ^ name[1])) == 0);
  return is_same && key.size() == check::event_field_names[field].size() ? std::optional(field)
                                                                         : std::nullopt;
}

/// The name that a member's key says; the key has no quotes around it.
std::string name_of(std::string_view key) {
  if (key.find('\\') == std::string_view::npos) return std::string(key);
  const auto read = wire::parse_json(fmt::format("\"{}\"", key));
  return read.value().as_string();
}

/// The first name that an object, which is known to be sound JSON, has twice itself, not further
/// in, among those that are read; empty where there is none. In one pass: a log may have any number
/// of them.
std::string member_twice(std::string_view object, bool reads_all) {
  std::set<std::string, std::less<>> seen;
  int depth = 0;
  for (std::size_t at = 0; at < object.size(); ++at) {
    const char letter = object[at];
    if (letter == '{' || letter == '[') ++depth;
    if (letter == '}' || letter == ']') --depth;
    if (letter != '"') continue;
    const std::size_t begin = ++at;
    while (at < object.size() && object[at] != '"') at += object[at] == '\\' ? 2U : 1U;
    const std::size_t next = object.find_first_not_of(" \t\r\n", at + 1);
    if (depth != 1 || next == std::string_view::npos || object[next] != ':') continue;
    std::string name = name_of(object.substr(begin, at - begin));
    if (!reads_all && !field_named(name)) continue;
    if (seen.contains(name)) return name;
    seen.insert(std::move(name));
  }
  return "";
}

std::string twice_text(std::string_view name) {
  return fmt::format("found the member {} twice, expected it once", name);
}

}  // namespace

/// nlohmann/json behind wire::parse_json: says what is wrong and where, and takes numbers of any
/// size.
struct EventParser::Slow {
  explicit Slow(const core::Mapping* by) : reading(by) {}

  const core::Mapping* reading;
  Value body;
  std::deque<std::string> texts;

  std::optional<EventFault> parse(std::string_view text, ParsedEvent& parsed) {
    std::vector<std::string> duplicates;
    auto read =
        wire::parse_json(text, {.max_depth = limit_event_depth, .duplicate_keys = &duplicates});
    if (!read) {
      return EventFault{read.error().offset, read.error().message};
    }
    texts.clear();
    body = *std::move(read);
    if (!body.is_object()) {
      return EventFault{
          0, fmt::format("found {}, expected an event, which is an object", body.kind_name())};
    }
    if (!duplicates.empty()) {
      const std::string twice = member_twice(text, reading != nullptr);
      if (!twice.empty()) return EventFault{0, twice_text(twice)};
    }
    parsed.clear();
    if (reading != nullptr) body = wire::apply_mapping(*reading, body);
    parsed.event = check::log_event_of(body, texts);
    if (parsed.event.payload != nullptr) {
      parsed.payload = texts.emplace_back(wire::to_json(*parsed.event.payload));
      parsed.event.payload = nullptr;
    }
    return std::nullopt;
  }
};

#ifdef ASSAY_SIMDJSON

struct EventParser::Fast {
  simdjson::dom::parser parser{simdjson::SIMDJSON_MAXSIZE_BYTES};
  std::deque<std::string> texts;

  /// Whether it could be read; what could not, the slow parser tells of.
  bool parse(std::string_view text, ParsedEvent& parsed, std::optional<EventFault>& fault) {
    simdjson::dom::object object;
    if (parser.parse(text.data(), text.size(), false).get(object) != simdjson::SUCCESS) {
      return false;
    }
    if (!texts.empty()) texts.clear();
    parsed.clear();
    std::uint32_t seen = 0;
    simdjson::dom::element payload;
    bool has_payload = false;
    for (const simdjson::dom::key_value_pair member : object) {
      if (member.key == "payload") {
        payload = member.value;
        has_payload = true;
        continue;
      }
      // simdjson keeps a padding behind all of its texts.
      const auto field = field_of_padded(member.key);
      if (!field) continue;
      const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(*field);
      if ((seen & bit) != 0) {
        fault = EventFault{0, twice_text(member.key)};
        return true;
      }
      seen |= bit;
      if (!read(member.value, parsed.event[*field])) return false;
    }
    if (has_payload && payload.type() != simdjson::dom::element_type::NULL_VALUE &&
        parsed.event.string(EventField::event_type) == "next.evaluated") {
      parsed.payload = texts.emplace_back(simdjson::minify(payload));
    }
    return true;
  }

  /// The slow parser's words for what is neither a string nor a whole number.
  bool read(const simdjson::dom::element& value, EventMember& member) {
    using Type = simdjson::dom::element_type;
    switch (value.type()) {
      case Type::STRING:
        member = {EventMember::Kind::string, 0, value.get_string().value_unsafe()};
        return true;
      case Type::INT64:
        member = {EventMember::Kind::integer, value.get_int64().value_unsafe(), {}};
        return true;
      case Type::NULL_VALUE:
        return true;
      default:
        return false;
    }
  }
};

EventParser::EventParser(const core::Mapping* reading)
    : fast_(std::make_unique<Fast>()), slow_(std::make_unique<Slow>(reading)) {
  static_assert(parser_padding_bytes >= simdjson::SIMDJSON_PADDING);
  if (fast_->parser.allocate(std::size_t{1} << 16U, limit_event_depth) != simdjson::SUCCESS) {
    throw std::bad_alloc();
  }
}

std::optional<EventFault> EventParser::parse(std::string_view text, ParsedEvent& parsed) {
  std::optional<EventFault> fault;
  if (slow_->reading == nullptr && fast_->parse(text, parsed, fault)) return fault;
  return slow_->parse(text, parsed);
}

#else

struct EventParser::Fast {};

EventParser::EventParser(const core::Mapping* reading) : slow_(std::make_unique<Slow>(reading)) {}

std::optional<EventFault> EventParser::parse(std::string_view text, ParsedEvent& parsed) {
  return slow_->parse(text, parsed);
}

#endif

EventParser::~EventParser() = default;

}  // namespace assay::audit
