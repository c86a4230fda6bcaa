#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <variant>

#include "harness/wire/profile_parts.h"

namespace assay::wire {
namespace {

using core::HeadMapping;
using core::Mapping;
using core::PartsMapping;

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

std::vector<core::MappingCase> read_cases(const YamlNode& node, ProfileScope& scope) {
  std::vector<core::MappingCase> cases;
  for (const YamlNode& item : items_of(node, "a list of cases", scope.problems)) {
    MapReader map(item, "a case", scope.problems);
    core::MappingCase one;
    one.when = read_condition(map, item, scope);
    const YamlNode* gives = map.optional("gives");
    const YamlNode* read = map.optional("read");
    if (gives) one.gives = to_value(*gives);
    if (read) one.gives = shared_mapping(*read, scope);
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

std::map<std::string, Mapping> read_members(const YamlNode& node, ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of our members to where they are");
  }
  std::map<std::string, Mapping> members;
  for (const auto& [name, member] : node.members) {
    members.insert_or_assign(name.scalar.as_string(), read_mapping(member, scope));
  }
  return members;
}

void read_constant(const YamlNode& node, Mapping& mapping, ProfileScope& /*scope*/) {
  mapping = {core::ConstantMapping(), to_value(node)};
}

template <bool of_entries>
void read_items(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  core::ItemsMapping items;
  items.pointer = read_pointer(node, scope);
  items.of_entries = of_entries;
  mapping.from = std::move(items);
}

template <PartsMapping::How how>
void read_parts(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  PartsMapping parts{how, {}};
  for (const YamlNode& part : items_of(node, "a list of what is read", scope.problems)) {
    parts.parts.push_back(read_mapping(part, scope));
  }
  mapping.from = std::move(parts);
}

template <HeadMapping::Field field>
void read_head(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  mapping.from = HeadMapping{field, text_of(node, "its name", scope.problems).value_or("")};
}

struct KindWord {
  std::string_view key;
  void (*read)(const YamlNode& node, Mapping& mapping, ProfileScope& scope);
};

constexpr std::array<KindWord, 10> kind_words = {{
    {"cases",
     [](const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
       mapping.from = core::CasesMapping{read_cases(node, scope)};
     }},
    {"constant", read_constant},
    {"object",
     [](const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
       mapping.from = core::ObjectMapping{read_members(node, scope)};
     }},
    {"items", read_items<false>},
    {"entries", read_items<true>},
    {"merged", read_parts<PartsMapping::How::merged>},
    {"list", read_parts<PartsMapping::How::list>},
    {"header", read_head<HeadMapping::Field::header>},
    {"cookie", read_head<HeadMapping::Field::cookie>},
    {"link", read_head<HeadMapping::Field::link>},
}};

bool is_of_head(const Mapping& mapping) {
  return std::holds_alternative<HeadMapping>(mapping.from);
}

/// The key that says which kind of mapping it is; reports two of them.
void read_kind(MapReader& map, const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  int kinds = 0;
  for (const KindWord& word : kind_words) {
    const YamlNode* found = map.optional(word.key);
    if (!found) continue;
    ++kinds;
    word.read(*found, mapping, scope);
    if (scope.is_adapted && is_of_head(mapping)) {
      scope.problems.report(*found, fmt::format("an adapter's answer has no {}", word.key));
    }
  }
  if (kinds > 1) {
    scope.problems.report(node,
                          "one of cases, constant, object, items, entries, merged, list, header, "
                          "cookie and link says what is read");
  }
}

/// What belongs to items and entries.
void read_item_keys(MapReader& map, Mapping& mapping, ProfileScope& scope) {
  auto* items = std::get_if<core::ItemsMapping>(&mapping.from);
  core::ItemsMapping none;
  core::ItemsMapping& into = items == nullptr ? none : *items;
  const auto check_items = [&](const YamlNode& node, std::string_view key) {
    if (items != nullptr) return;
    scope.problems.report(node, fmt::format("{} belongs to items or entries", key));
  };
  if (const YamlNode* each = map.optional("each")) {
    into.each = shared_mapping(*each, scope);
    check_items(*each, "each");
  }
  if (const YamlNode* except = map.optional("except")) {
    into.except = read_conditions(*except, scope);
    check_items(*except, "except");
  }
  if (const YamlNode* joined = map.optional("joined_by")) {
    into.joined_by = read_pointer(*joined, scope);
    check_items(*joined, "joined_by");
  }
  if (const YamlNode* keyed = map.optional("keyed_by")) {
    into.keyed_by = read_pointer(*keyed, scope);
    check_items(*keyed, "keyed_by");
  }
}

void read_time_unit(const YamlNode& node, core::Conversion& conversion, ProfileScope& scope) {
  const auto word = text_of(node, "seconds or milliseconds", scope.problems);
  if (!word) return;
  if (*word == "seconds") {
    conversion.as_time = core::Conversion::TimeUnit::seconds;
  } else if (*word == "milliseconds") {
    conversion.as_time = core::Conversion::TimeUnit::milliseconds;
  } else {
    scope.problems.unknown_name(node, "unit of time", *word, {"seconds", "milliseconds"});
  }
}

core::Conversion read_conversion(MapReader& map, ProfileScope& scope) {
  core::Conversion conversion;
  if (const YamlNode* part = map.optional("part")) {
    conversion.part = read_text_pattern(*part, scope);
  }
  if (const YamlNode* unit = map.optional("as_time")) read_time_unit(*unit, conversion, scope);
  if (const YamlNode* spelling = map.optional("spelling")) {
    conversion.spelling = read_spelling(*spelling, scope);
  }
  map.flag("as_text", conversion.as_text);
  return conversion;
}

void read_of(const YamlNode& node, Mapping& mapping, ProfileScope& scope) {
  const auto name = text_of(node, "a name that was captured", scope.problems);
  if (!name) return;
  std::visit(
      [&name](auto& from) {
        if constexpr (requires { from.of; }) from.of = *name;
      },
      mapping.from);
  if (is_of_head(mapping)) {
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
  if (node.is_text()) return {core::PointerMapping{read_pointer(node, scope)}};
  Mapping mapping;
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a JSON Pointer, or a mapping that says what is read");
    return mapping;
  }
  MapReader map(node, "what is read", scope.problems);
  read_kind(map, node, mapping, scope);
  read_item_keys(map, mapping, scope);
  // What the kind of mapping has no use for is read all the same, for its faults.
  if (const YamlNode* pointer = map.optional("pointer")) {
    if (std::holds_alternative<core::ItemsMapping>(mapping.from)) {
      scope.problems.report(*pointer, "items and entries have the pointer themselves");
    }
    std::visit(
        [text = read_pointer(*pointer, scope)](auto& from) {
          if constexpr (requires { from.pointer; }) from.pointer = text;
        },
        mapping.from);
  }
  if (const YamlNode* of = map.optional("of")) read_of(*of, mapping, scope);
  if (const YamlNode* otherwise = map.optional("otherwise")) {
    mapping.otherwise = to_value(*otherwise);
  }
  core::Conversion conversion = read_conversion(map, scope);
  std::visit(
      [&conversion](auto& from) {
        if constexpr (requires { from.conversion; }) from.conversion = std::move(conversion);
      },
      mapping.from);
  map.finish();
  return mapping;
}

}  // namespace assay::wire
