#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "harness/wire/profile_parts.h"

namespace assay::wire {
namespace {

using core::Mapping;
using MappingKind = Mapping::Kind;

/// The target's event names and ours. Where several of ours have one name there, the one that the
/// vocabulary maps to itself is meant, else the first.
std::map<std::string, std::string> event_spelling(const core::Profile& profile) {
  std::map<std::string, std::string> spelling;
  for (const auto& [ours, theirs] : profile.event_names) {
    if (ours == theirs) spelling.insert_or_assign(theirs, ours);
    if (!theirs.empty()) spelling.try_emplace(theirs, ours);
  }
  return spelling;
}

std::map<std::string, std::string> read_spelling(const YamlNode& node, ProfileScope& scope) {
  std::map<std::string, std::string> spelling;
  if (node.is_text() && node.scalar.as_string() == "events") return event_spelling(scope.profile);
  if (node.is_text() && node.scalar.as_string() == "states") {
    return {scope.profile.state_names.begin(), scope.profile.state_names.end()};
  }
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "events, states, or a mapping of the target's words to ours");
  }
  for (const auto& [theirs, ours] : node.members) {
    const auto word = text_of(ours, "our word", scope.problems);
    if (word) spelling.insert_or_assign(theirs.scalar.as_string(), *word);
  }
  return spelling;
}

std::shared_ptr<const Mapping> shared_mapping(const YamlNode& node, ProfileScope& scope) {
  return std::make_shared<const Mapping>(read_mapping(node, scope));
}

std::vector<Mapping::Case> read_cases(const YamlNode& node, ProfileScope& scope) {
  std::vector<Mapping::Case> cases;
  for (const YamlNode& item : items_of(node, "a list of cases", scope.problems)) {
    MapReader map(item, "a case", scope.problems);
    Mapping::Case one;
    one.when = read_condition(map, item, scope);
    const YamlNode* gives = map.optional("gives");
    const YamlNode* read = map.optional("read");
    if (gives) one.gives = to_value(*gives);
    if (read) one.read = shared_mapping(*read, scope);
    if (gives && gives->kind == YamlNode::Kind::map) {
      scope.problems.report(*gives, "gives is a value as it stands; write read: to read one");
    }
    if ((gives == nullptr) == (read == nullptr)) {
      scope.problems.report(item, "a case has either \"gives\", a value, or \"read\"");
    }
    map.finish();
    cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<core::Condition> read_conditions(const YamlNode& node, ProfileScope& scope) {
  std::vector<core::Condition> conditions;
  for (const YamlNode& item : items_of(node, "a list of conditions", scope.problems)) {
    MapReader map(item, "a condition", scope.problems);
    conditions.push_back(read_condition(map, item, scope));
    map.finish();
  }
  return conditions;
}

void read_members(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of our members to where they are");
  }
  for (const auto& [name, member] : node.members) {
    mapping.members.insert_or_assign(name.scalar.as_string(), read_mapping(member, scope));
  }
}

void read_parts(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  for (const YamlNode& part : items_of(node, "a list of what is read", scope.problems)) {
    mapping.parts.push_back(read_mapping(part, scope));
  }
}

struct KindWord {
  std::string_view key;
  MappingKind kind;
};

constexpr std::array<KindWord, 10> kind_words = {{{"cases", MappingKind::cases},
                                                  {"constant", MappingKind::constant},
                                                  {"object", MappingKind::object},
                                                  {"items", MappingKind::items},
                                                  {"entries", MappingKind::items},
                                                  {"merged", MappingKind::merged},
                                                  {"list", MappingKind::list},
                                                  {"header", MappingKind::header},
                                                  {"cookie", MappingKind::cookie},
                                                  {"link", MappingKind::link}}};

void read_kind_word(const KindWord& word, const YamlNode& node, Mapping& mapping,
                    ProfileScope& scope) {
  mapping.kind = word.kind;
  switch (word.kind) {
    case MappingKind::cases:
      mapping.cases = read_cases(node, scope);
      break;
    case MappingKind::constant:
      mapping.otherwise = to_value(node);
      break;
    case MappingKind::object:
      read_members(node, mapping, scope);
      break;
    case MappingKind::items:
      mapping.pointer = read_pointer(node, scope);
      mapping.of_entries = word.key == "entries";
      break;
    case MappingKind::merged:
    case MappingKind::list:
      read_parts(node, mapping, scope);
      break;
    case MappingKind::header:
    case MappingKind::cookie:
    case MappingKind::link:
      mapping.name = text_of(node, "its name", scope.problems).value_or("");
      if (scope.is_adapted) {
        scope.problems.report(node, fmt::format("an adapter's answer has no {}", word.key));
      }
      break;
    case MappingKind::pointer:
      break;
  }
}

/// The key that says which kind of mapping it is; reports two of them.
void read_kind(MapReader& map, const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  int kinds = 0;
  for (const KindWord& word : kind_words) {
    const YamlNode* found = map.optional(word.key);
    if (!found) continue;
    ++kinds;
    read_kind_word(word, *found, mapping, scope);
  }
  if (kinds > 1) {
    scope.problems.report(node,
                          "one of cases, constant, object, items, entries, merged, list, header, "
                          "cookie and link says what is read");
  }
}

/// What belongs to items and entries.
void read_item_keys(MapReader& map, Mapping& mapping, ProfileScope& scope) {
  const auto check_items = [&](const YamlNode& node, std::string_view key) {
    if (mapping.kind == MappingKind::items) return;
    scope.problems.report(node, fmt::format("{} belongs to items or entries", key));
  };
  if (const YamlNode* each = map.optional("each")) {
    mapping.each = shared_mapping(*each, scope);
    check_items(*each, "each");
  }
  if (const YamlNode* except = map.optional("except")) {
    mapping.except = read_conditions(*except, scope);
    check_items(*except, "except");
  }
  if (const YamlNode* joined = map.optional("joined_by")) {
    mapping.joined_by = read_pointer(*joined, scope);
    check_items(*joined, "joined_by");
  }
  if (const YamlNode* keyed = map.optional("keyed_by")) {
    mapping.keyed_by = read_pointer(*keyed, scope);
    check_items(*keyed, "keyed_by");
  }
}

void read_time_unit(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  const auto word = text_of(node, "seconds or milliseconds", scope.problems);
  if (!word) return;
  if (*word == "seconds") {
    mapping.as_time = Mapping::TimeUnit::seconds;
  } else if (*word == "milliseconds") {
    mapping.as_time = Mapping::TimeUnit::milliseconds;
  } else {
    scope.problems.unknown_name(node, "unit of time", *word, {"seconds", "milliseconds"});
  }
}

void read_of(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  const auto name = text_of(node, "a name that was captured", scope.problems);
  if (!name) return;
  mapping.of = *name;
  if (mapping.kind == MappingKind::header || mapping.kind == MappingKind::cookie ||
      mapping.kind == MappingKind::link) {
    scope.problems.report(node, "a header, cookie or link is captured where it is answered");
  }
  if (std::find(scope.captured.begin(), scope.captured.end(), *name) == scope.captured.end()) {
    scope.problems.unknown_name(node, "capture", *name, scope.captured);
  }
}

}  // namespace

std::string read_pointer(const YamlNode& node, ProfileScope& scope) {
  const auto pointer = text_of(node, "a JSON Pointer", scope.problems);
  if (!pointer || !check_pointer(node, *pointer, scope.problems)) return {};
  return *pointer;
}

Mapping read_mapping(const YamlNode& node, ProfileScope& scope) {
  Mapping mapping;
  if (node.is_text()) {
    mapping.pointer = read_pointer(node, scope);
    return mapping;
  }
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a JSON Pointer, or a mapping that says what is read");
    return mapping;
  }
  MapReader map(node, "what is read", scope.problems);
  read_kind(map, node, mapping, scope);
  read_item_keys(map, mapping, scope);
  if (const YamlNode* pointer = map.optional("pointer")) {
    if (mapping.kind == MappingKind::items) {
      scope.problems.report(*pointer, "items and entries have the pointer themselves");
    }
    mapping.pointer = read_pointer(*pointer, scope);
  }
  if (const YamlNode* of = map.optional("of")) read_of(*of, mapping, scope);
  if (const YamlNode* otherwise = map.optional("otherwise")) {
    mapping.otherwise = to_value(*otherwise);
  }
  if (const YamlNode* part = map.optional("part")) mapping.part = read_text_pattern(*part, scope);
  if (const YamlNode* unit = map.optional("as_time")) read_time_unit(*unit, mapping, scope);
  if (const YamlNode* spelling = map.optional("spelling")) {
    mapping.spelling = read_spelling(*spelling, scope);
  }
  map.flag("as_text", mapping.as_text);
  map.finish();
  return mapping;
}

}  // namespace assay::wire
