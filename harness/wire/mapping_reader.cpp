#include <fmt/format.h>

#include <memory>
#include <utility>

#include "harness/wire/profile_parts.h"

namespace assay::wire {
namespace {

std::string read_pointer(const YamlNode& node, ProfileScope& scope) {
  const auto pointer = text_of(node, "a JSON Pointer", scope.problems);
  if (!pointer || !check_pointer(node, *pointer, scope.problems)) return {};
  return *pointer;
}

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

/// Cases with a result, or the bare conditions of `except`.
std::vector<core::Mapping::Case> read_cases(const YamlNode& node, bool give, ProfileScope& scope) {
  std::vector<core::Mapping::Case> cases;
  for (const YamlNode& item : items_of(node, "a list of cases", scope.problems)) {
    MapReader map(item, "a case", scope.problems);
    core::Mapping::Case one;
    if (const YamlNode* at = map.required("at")) one.pointer = read_pointer(*at, scope);
    if (const YamlNode* is = map.required("is")) one.equals = to_value(*is);
    const YamlNode* gives = give ? map.required("gives") : nullptr;
    if (gives) one.gives = to_value(*gives);
    map.finish();
    cases.push_back(std::move(one));
  }
  return cases;
}

/// The key that says which kind of mapping it is; reports two of them.
core::Mapping::Kind read_kind(MapReader& map, const YamlNode& node, core::Mapping& mapping,
                              ProfileScope& scope) {
  using Kind = core::Mapping::Kind;
  Kind kind = Kind::pointer;
  int kinds = 0;
  if (const YamlNode* cases = map.optional("cases")) {
    mapping.cases = read_cases(*cases, true, scope);
    kind = Kind::cases;
    ++kinds;
  }
  if (const YamlNode* constant = map.optional("constant")) {
    mapping.otherwise = to_value(*constant);
    kind = Kind::constant;
    ++kinds;
  }
  if (const YamlNode* object = map.optional("object")) {
    if (object->kind != YamlNode::Kind::map) {
      scope.problems.unexpected(*object, "a mapping of our members to where they are");
    }
    for (const auto& [name, member] : object->members) {
      mapping.members.insert_or_assign(name.scalar.as_string(), read_mapping(member, scope));
    }
    kind = Kind::object;
    ++kinds;
  }
  if (const YamlNode* items = map.optional("items")) {
    mapping.pointer = read_pointer(*items, scope);
    kind = Kind::items;
    ++kinds;
  }
  if (const YamlNode* merged = map.optional("merged")) {
    for (const YamlNode& part : items_of(*merged, "a list of what is read", scope.problems)) {
      mapping.parts.push_back(read_mapping(part, scope));
    }
    kind = Kind::merged;
    ++kinds;
  }
  if (const YamlNode* each = map.optional("each")) {
    mapping.each = std::make_shared<core::Mapping>(read_mapping(*each, scope));
    if (kind != Kind::items) scope.problems.report(*each, "each belongs to items");
  }
  if (const YamlNode* except = map.optional("except")) {
    mapping.except = read_cases(*except, false, scope);
    if (kind != Kind::items) scope.problems.report(*except, "except belongs to items");
  }
  if (kinds > 1) {
    scope.problems.report(node,
                          "one of cases, constant, object, items and merged says what is read");
  }
  return kind;
}

}  // namespace

core::Mapping read_mapping(const YamlNode& node, ProfileScope& scope) {
  core::Mapping mapping;
  if (node.is_text()) {
    mapping.pointer = read_pointer(node, scope);
    return mapping;
  }
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a JSON Pointer, or a mapping that says what is read");
    return mapping;
  }
  MapReader map(node, "what is read", scope.problems);
  mapping.kind = read_kind(map, node, mapping, scope);
  if (const YamlNode* pointer = map.optional("pointer")) {
    if (mapping.kind == core::Mapping::Kind::items) {
      scope.problems.report(*pointer, "items has the pointer of the array");
    }
    mapping.pointer = read_pointer(*pointer, scope);
  }
  if (const YamlNode* otherwise = map.optional("otherwise")) {
    mapping.otherwise = to_value(*otherwise);
  }
  if (const YamlNode* spelling = map.optional("spelling")) {
    mapping.spelling = read_spelling(*spelling, scope);
  }
  map.flag("as_text", mapping.as_text);
  map.finish();
  return mapping;
}

}  // namespace assay::wire
