#pragma once

#include <cstddef>
#include <optional>

#include "base/value.h"
#include "base/words.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// What an object in a template may stand for instead of itself:
///
///   {for_each: name, give: template}  a list: the template once for each element of that list
///   {when: name, give: template}      the template, where that is there
///   {first_of: [template, …]}         the first that is there
///   {list_of: [template, …]}          lists and elements joined to one
///   {json_of: template}               the template's JSON as text
///   {number_of: template}             a positive number, always the same for that text
enum class Construct { for_each, when, first_of, list_of, json_of, number_of };

inline constexpr Words<Construct::number_of> construct_words = {"for_each", "when",    "first_of",
                                                                "list_of",  "json_of", "number_of"};

/// A construct in a body, or in the YAML of one.
template <typename Node>
struct ConstructIn {
  Construct construct;
  /// Of for_each and when: what they name; else nullptr.
  const Node* name;
  /// What is given, or the templates of first_of and list_of in a list.
  const Node* given;
};

[[nodiscard]] inline std::size_t member_count(const Value& node) {
  return node.is_object() ? node.as_object().size() : 0;
}
[[nodiscard]] inline std::size_t member_count(const YamlNode& node) { return node.members.size(); }
[[nodiscard]] inline bool is_list(const Value& node) { return node.is_list(); }
[[nodiscard]] inline bool is_list(const YamlNode& node) {
  return node.kind == YamlNode::Kind::list;
}

/// The construct that a part of a body is; nothing where it is what it is.
template <typename Node>
[[nodiscard]] std::optional<ConstructIn<Node>> construct_of(const Node& node) {
  const std::size_t count = member_count(node);
  if (count != 1 && count != 2) return std::nullopt;
  for (const Construct construct : construct_words.values()) {
    const Node* found = node.find(construct_words[construct]);
    if (found == nullptr) continue;
    if (construct == Construct::for_each || construct == Construct::when) {
      const Node* given = count == 2 ? node.find("give") : nullptr;
      if (given != nullptr) return ConstructIn<Node>{construct, found, given};
      continue;
    }
    const bool needs_list = construct == Construct::first_of || construct == Construct::list_of;
    if (count == 1 && (!needs_list || is_list(*found))) {
      return ConstructIn<Node>{construct, nullptr, found};
    }
  }
  return std::nullopt;
}

}  // namespace assay::wire
