#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/words.h"
#include "harness/wire/scenario_scope.h"

namespace assay::wire {
namespace {

using By = core::Pattern::By;
using How = core::Pattern::How;

const std::vector<std::string> type_words = {"string", "integer", "number", "boolean",
                                             "array",  "object",  "null"};

std::vector<std::string> known_tags() {
  std::vector<std::string> names;
  for (const std::string_view tag :
       {core::exact_tag, core::any_tag, core::absent_tag, core::negation_tag}) {
    names.emplace_back(tag);
  }
  for (const std::string& tag : core::element_tags.names(How::unordered)) names.push_back(tag);
  for (const std::string& tag : core::operand_tags.names(By::type)) names.push_back(tag);
  for (std::string& name : names) name.insert(name.begin(), '!');
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
      return {core::ObjectPattern{read_members(node, scope)}};
    case YamlNode::Kind::list:
      return {core::ElementsPattern{How::list, read_elements(node, scope)}};
    case YamlNode::Kind::scalar:
      break;
  }
  if (node.scalar.is_string()) scope.check_placeholders(node, node.scalar.as_string());
  return {core::OperandPattern{By::literal, node.scalar}};
}

/// What an operand must be; nothing where it is that, or a variable.
std::optional<std::string_view> operand_fault(By by, const Value& operand) {
  if (is_variable(operand)) return std::nullopt;
  const std::optional<std::int64_t> integer =
      operand.is_integer() ? operand.to_int64() : std::nullopt;
  switch (by) {
    case By::length:
      if (integer && *integer >= 0) return std::nullopt;
      return "a length: an integer from 0";
    case By::at_least:
    case By::at_most:
      if (operand.is_number()) return std::nullopt;
      return "a number";
    case By::instant:
      if (operand.is_string() && operand.as_string().size() >= 20) return std::nullopt;
      return "an RFC 3339 time such as \"2026-01-01T00:00:00Z\"";
    default:
      if (operand.is_string()) return std::nullopt;
      return "text";
  }
}

core::Pattern with_operand(By by, const YamlNode& node, ScenarioScope& scope) {
  const Value operand = node.kind == YamlNode::Kind::scalar ? node.scalar : Value();
  if (const auto fault = operand_fault(by, operand)) {
    scope.problems().unexpected(node, fmt::format("{} after !{}", *fault, node.tag));
  } else if (operand.is_string()) {
    scope.check_placeholders(node, operand.as_string());
    const bool wrong_type =
        by == By::type && !is_variable(operand) &&
        std::find(type_words.begin(), type_words.end(), operand.as_string()) == type_words.end();
    if (wrong_type) scope.problems().unknown_name(node, "type", operand.as_string(), type_words);
  }
  return {core::OperandPattern{by, operand}};
}

core::Pattern tagged(const YamlNode& node, ScenarioScope& scope) {
  const std::string_view tag = node.tag;
  const auto expect_kind = [&](YamlNode::Kind expected, std::string_view what) {
    if (node.kind != expected) {
      scope.problems().unexpected(node, fmt::format("{} after !{}", what, tag));
    }
  };
  if (tag == core::exact_tag) {
    expect_kind(YamlNode::Kind::map, "a mapping");
    return {core::ObjectPattern{read_members(node, scope), true}};
  }
  if (tag == core::any_tag || tag == core::absent_tag) {
    if (!node.is_null() && !(node.is_text() && node.scalar.as_string().empty())) {
      scope.problems().unexpected(node, fmt::format("nothing after !{}", tag));
    }
    return tag == core::any_tag ? core::Pattern() : core::Pattern{core::AbsentPattern()};
  }
  if (tag == core::negation_tag) {
    return {core::ElementsPattern{How::none_of, {untagged(node, scope)}}};
  }
  if (const auto how = core::element_tags.parse(tag)) {
    if (*how == How::excludes) return {core::ElementsPattern{*how, {untagged(node, scope)}}};
    expect_kind(YamlNode::Kind::list, "a list");
    return {core::ElementsPattern{*how, read_elements(node, scope)}};
  }
  if (const auto by = core::operand_tags.parse(tag)) return with_operand(*by, node, scope);
  scope.problems().unknown_name(node, "pattern tag", "!" + node.tag, known_tags());
  return {};
}

}  // namespace

core::Pattern read_pattern(const YamlNode& node, ScenarioScope& scope) {
  return node.tag.empty() ? untagged(node, scope) : tagged(node, scope);
}

std::vector<core::Pattern> read_patterns(const YamlNode& node, ScenarioScope& scope) {
  if (node.kind != YamlNode::Kind::list || !node.tag.empty()) {
    scope.problems().unexpected(node, "a list of patterns");
  }
  return read_elements(node, scope);
}

}  // namespace assay::wire
