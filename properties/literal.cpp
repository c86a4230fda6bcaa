#include "properties/literal.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/check/instant.h"

namespace assay::properties {
namespace {

using core::Pattern;

using By = Pattern::By;

Pattern of_operand(By by, Value operand) { return {core::OperandPattern{by, std::move(operand)}}; }

/// A text of a server that looks like a variable is none.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (text.compare(index, 2, "${") == 0) result += '$';
    result += text[index];
  }
  return result;
}

/// The text with each known value replaced by its name, the longest first: one may begin another.
std::string named(const std::string& text, const std::vector<KnownName>& names,
                  std::string KnownName::* value) {
  std::string result;
  std::size_t index = 0;
  while (index < text.size()) {
    const KnownName* best = nullptr;
    for (const KnownName& name : names) {
      const std::string& candidate = name.*value;
      if (candidate.empty() || text.compare(index, candidate.size(), candidate) != 0) continue;
      if (best == nullptr || candidate.size() > (best->*value).size()) best = &name;
    }
    if (best != nullptr) {
      result += "${" + best->name + "}";
      index += (best->*value).size();
    } else {
      if (text.compare(index, 2, "${") == 0) result += '$';
      result += text[index++];
    }
  }
  return result;
}

/// One time, written in two ways.
bool is_same_instant(const std::string& first, const std::string& second) {
  const auto one = check::parse_instant(first);
  const auto other = check::parse_instant(second);
  return one && other && one->same_moment(*other);
}

Pattern of_texts(const std::string& first, const std::string& second,
                 const std::vector<KnownName>& names) {
  if (first == second) return of_operand(By::literal, escaped(first));
  std::string text = named(first, names, &KnownName::first);
  if (text == named(second, names, &KnownName::second)) {
    return of_operand(By::literal, std::move(text));
  }
  if (is_same_instant(first, second)) return of_operand(By::instant, first);
  return of_operand(By::type, "string");
}

Pattern of_lists(const List& first, const List& second, const std::vector<KnownName>& names) {
  if (first.size() != second.size()) return of_operand(By::type, "array");
  core::ElementsPattern list;
  for (std::size_t index = 0; index < first.size(); ++index) {
    list.elements.push_back(literal_of(first[index], second[index], names));
  }
  return {std::move(list)};
}

Pattern of_objects(const Object& first, const Object& second, const std::vector<KnownName>& names) {
  core::ObjectPattern object;
  for (const auto& [name, value] : first) {
    const auto other = second.find(name);
    if (other != second.end()) {
      object.members.emplace(name, literal_of(value, other->second, names));
    }
  }
  return {std::move(object)};
}

}  // namespace

Pattern literal_of(const Value& first, const Value& second, const std::vector<KnownName>& names) {
  if (first.is_string() && second.is_string()) {
    return of_texts(first.as_string(), second.as_string(), names);
  }
  if (first.is_list() && second.is_list()) {
    return of_lists(first.as_list(), second.as_list(), names);
  }
  if (first.is_object() && second.is_object()) {
    return of_objects(first.as_object(), second.as_object(), names);
  }
  if (first == second) return of_operand(By::literal, first);
  if (first.kind_name() == second.kind_name()) {
    return of_operand(By::type, std::string(first.kind_name()));
  }
  return {};
}

}  // namespace assay::properties
