#include <stdexcept>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "harness/wire/scenario_nodes.h"

namespace assay::wire {
namespace {

using How = core::Pattern::How;

YamlNode tagged_node(YamlNode node, std::string_view tag) {
  node.tag = tag;
  return node;
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
    return tagged_node(map.take(), core::exact_tag);
  }
  return scalar_node(value);
}

/// What has one pattern that is written without a list: !not p, !excludes p. A node has one tag.
YamlNode elements_node(const core::ElementsPattern& pattern) {
  const bool is_negation = pattern.how == How::none_of && pattern.elements.size() == 1;
  if (is_negation || pattern.how == How::excludes) {
    YamlNode node = pattern_node(pattern.elements.at(0));
    if (node.tag.empty()) {
      return tagged_node(std::move(node),
                         is_negation ? core::negation_tag : core::element_tags[pattern.how]);
    }
    if (!is_negation) throw std::invalid_argument("!excludes of a tagged pattern");
  }
  return tagged_node(patterns_node(pattern.elements), core::element_tags[pattern.how]);
}

}  // namespace

YamlNode pattern_node(const core::Pattern& pattern) {
  return std::visit(
      Overloaded{
          [](const core::AnyPattern&) { return tagged_node(scalar_node(""), core::any_tag); },
          [](const core::AbsentPattern&) { return tagged_node(scalar_node(""), core::absent_tag); },
          [](const core::OperandPattern& one) {
            return one.by == core::Pattern::By::literal
                       ? exact_node(one.operand)
                       : tagged_node(scalar_node(one.operand), core::operand_tags[one.by]);
          },
          [](const core::ObjectPattern& one) {
            MapNode map;
            for (const auto& [name, member] : one.members) map.add(name, pattern_node(member));
            return one.exactly ? tagged_node(map.take(), core::exact_tag) : map.take();
          },
          [](const core::ElementsPattern& one) { return elements_node(one); }},
      pattern.form);
}

YamlNode patterns_node(const std::vector<core::Pattern>& patterns) {
  std::vector<YamlNode> items;
  for (const core::Pattern& pattern : patterns) items.push_back(pattern_node(pattern));
  return list_node(std::move(items));
}

}  // namespace assay::wire
