#include <stdexcept>
#include <utility>

#include "harness/wire/scenario_nodes.h"
#include "harness/wire/scenario_words.h"

namespace assay::wire {
namespace {

using Kind = core::Pattern::Kind;

YamlNode members_node(const core::Pattern& pattern) {
  MapNode map;
  for (const auto& [name, member] : pattern.members) map.add(name, pattern_node(member));
  return map.take();
}

/// A literal that is no scalar is written as the patterns that match it and nothing else.
YamlNode exact_node(const Value& value) {
  if (value.is_list()) {
    std::vector<YamlNode> items;
    for (const Value& item : value.as_list()) items.push_back(exact_node(item));
    return list_node(std::move(items));
  }
  if (value.is_object()) {
    MapNode map;
    for (const auto& [name, member] : value.as_object()) map.add(name, exact_node(member));
    YamlNode node = map.take();
    node.tag = core::pattern_tags[Kind::exact_object];
    return node;
  }
  return scalar_node(value);
}

/// The negation of p. A node has one tag: of a tagged p, none of p alone.
YamlNode negation_node(const core::Pattern& inner) {
  YamlNode node = pattern_node(inner);
  if (inner.kind == Kind::one_of) {
    node.tag = none_of_tag;
  } else if (node.tag.empty()) {
    node.tag = core::pattern_tags[Kind::negation];
  } else {
    node = list_node({std::move(node)});
    node.tag = none_of_tag;
  }
  return node;
}

YamlNode untagged_node(const core::Pattern& pattern) {
  switch (pattern.kind) {
    case Kind::literal:
      return exact_node(pattern.operand);
    case Kind::object:
    case Kind::exact_object:
      return members_node(pattern);
    case Kind::list:
    case Kind::unordered:
    case Kind::contains:
    case Kind::one_of:
      return patterns_node(pattern.elements);
    case Kind::any:
    case Kind::absent:
      return scalar_node("");
    case Kind::excludes: {
      YamlNode node = pattern_node(pattern.elements.at(0));
      if (!node.tag.empty()) throw std::invalid_argument("!excludes of a tagged pattern");
      return node;
    }
    default:
      return scalar_node(pattern.operand);
  }
}

}  // namespace

YamlNode pattern_node(const core::Pattern& pattern) {
  if (pattern.kind == Kind::negation) return negation_node(pattern.elements.at(0));
  YamlNode node = untagged_node(pattern);
  if (const std::string_view tag = core::pattern_tags[pattern.kind]; !tag.empty()) node.tag = tag;
  return node;
}

YamlNode patterns_node(const std::vector<core::Pattern>& patterns) {
  std::vector<YamlNode> items;
  for (const core::Pattern& pattern : patterns) items.push_back(pattern_node(pattern));
  return list_node(std::move(items));
}

}  // namespace assay::wire
