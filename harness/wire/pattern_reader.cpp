#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/words.h"
#include "harness/wire/scenario_scope.h"
#include "harness/wire/scenario_words.h"

namespace assay::wire {
namespace {

using Kind = core::Pattern::Kind;

const std::vector<std::string> type_words = {"string", "integer", "number", "boolean",
                                             "array",  "object",  "null"};

std::optional<Kind> kind_of_tag(std::string_view tag) {
  for (const Kind kind : values_of<Kind::at_most>) {
    if (core::pattern_tags[kind] == tag) return kind;
  }
  return std::nullopt;
}

std::vector<std::string> known_tags() {
  std::vector<std::string> names;
  for (const std::string_view tag : core::pattern_tags) {
    if (!tag.empty()) names.emplace_back(tag);
  }
  names.emplace_back(none_of_tag);
  return names;
}

bool is_variable(const Value& value) {
  return value.is_string() && value.as_string().find("${") != std::string::npos;
}

std::map<std::string, core::Pattern> read_members(const YamlNode& node, ScenarioScope& scope) {
  std::map<std::string, core::Pattern> members;
  for (const auto& [key, member] : node.members) {
    scope.check_placeholders(key, key.scalar.as_string());
    members.insert_or_assign(key.scalar.as_string(), read_pattern(member, scope));
  }
  return members;
}

std::vector<core::Pattern> read_elements(const YamlNode& node, ScenarioScope& scope) {
  std::vector<core::Pattern> elements;
  for (const YamlNode& item : node.items) elements.push_back(read_pattern(item, scope));
  return elements;
}

core::Pattern untagged(const YamlNode& node, ScenarioScope& scope) {
  switch (node.kind) {
    case YamlNode::Kind::map:
      return {Kind::object, {}, read_members(node, scope), {}};
    case YamlNode::Kind::list:
      return {Kind::list, {}, {}, read_elements(node, scope)};
    case YamlNode::Kind::scalar:
      break;
  }
  if (node.scalar.is_string()) scope.check_placeholders(node, node.scalar.as_string());
  return {Kind::literal, node.scalar, {}, {}};
}

/// What an operand must be; nothing where it is that, or a variable.
std::optional<std::string_view> operand_fault(Kind kind, const Value& operand) {
  if (is_variable(operand)) return std::nullopt;
  const std::optional<std::int64_t> integer =
      operand.is_integer() ? operand.to_int64() : std::nullopt;
  switch (kind) {
    case Kind::length:
      if (integer && *integer >= 0) return std::nullopt;
      return "a length: an integer from 0";
    case Kind::at_least:
    case Kind::at_most:
      if (operand.is_number()) return std::nullopt;
      return "a number";
    case Kind::instant:
      if (operand.is_string() && operand.as_string().size() >= 20) return std::nullopt;
      return "an RFC 3339 time such as \"2026-01-01T00:00:00Z\"";
    default:
      if (operand.is_string()) return std::nullopt;
      return "text";
  }
}

core::Pattern with_operand(Kind kind, const YamlNode& node, ScenarioScope& scope) {
  const Value operand = node.kind == YamlNode::Kind::scalar ? node.scalar : Value();
  if (const auto fault = operand_fault(kind, operand)) {
    scope.problems().unexpected(node, fmt::format("{} after !{}", *fault, node.tag));
  } else if (operand.is_string()) {
    scope.check_placeholders(node, operand.as_string());
    const bool wrong_type =
        kind == Kind::type && !is_variable(operand) &&
        std::find(type_words.begin(), type_words.end(), operand.as_string()) == type_words.end();
    if (wrong_type) scope.problems().unknown_name(node, "type", operand.as_string(), type_words);
  }
  return {kind, operand, {}, {}};
}

core::Pattern tagged(Kind kind, const YamlNode& node, ScenarioScope& scope) {
  const auto expect_kind = [&](YamlNode::Kind expected, std::string_view what) {
    if (node.kind != expected) {
      scope.problems().unexpected(node, fmt::format("{} after !{}", what, node.tag));
    }
  };
  switch (kind) {
    case Kind::exact_object:
      expect_kind(YamlNode::Kind::map, "a mapping");
      return {kind, {}, read_members(node, scope), {}};
    case Kind::unordered:
    case Kind::contains:
    case Kind::one_of:
      expect_kind(YamlNode::Kind::list, "a list");
      return {kind, {}, {}, read_elements(node, scope)};
    case Kind::excludes:
    case Kind::negation:
      return {kind, {}, {}, {untagged(node, scope)}};
    case Kind::any:
    case Kind::absent:
      if (!node.is_null() && !(node.is_text() && node.scalar.as_string().empty())) {
        scope.problems().unexpected(node, fmt::format("nothing after !{}", node.tag));
      }
      return {kind, {}, {}, {}};
    default:
      return with_operand(kind, node, scope);
  }
}

}  // namespace

core::Pattern read_pattern(const YamlNode& node, ScenarioScope& scope) {
  if (node.tag.empty()) return untagged(node, scope);
  if (node.tag == none_of_tag) return {Kind::negation, {}, {}, {tagged(Kind::one_of, node, scope)}};
  if (const std::optional<Kind> kind = kind_of_tag(node.tag)) return tagged(*kind, node, scope);
  scope.problems().unknown_name(node, "pattern tag", "!" + node.tag, [] {
    std::vector<std::string> names = known_tags();
    for (std::string& name : names) name.insert(name.begin(), '!');
    return names;
  }());
  return {};
}

std::vector<core::Pattern> read_patterns(const YamlNode& node, ScenarioScope& scope) {
  if (node.kind != YamlNode::Kind::list || !node.tag.empty()) {
    scope.problems().unexpected(node, "a list of patterns");
  }
  return read_elements(node, scope);
}

}  // namespace assay::wire
