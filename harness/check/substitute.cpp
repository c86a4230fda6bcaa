#include "harness/check/substitute.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "harness/check/text.h"

namespace assay::check {
namespace {

constexpr std::size_t most_filler_bytes = std::size_t{64} * 1024 * 1024;

/// N of ${bytes:N}, or nothing for any other name.
std::optional<std::size_t> filler_bytes(std::string_view name) {
  constexpr std::string_view filler = "bytes:";
  if (!name.starts_with(filler)) return std::nullopt;
  name.remove_prefix(filler.size());
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), count);
  const bool is_whole = error == std::errc() && end == name.data() + name.size();
  return is_whole && count <= most_filler_bytes ? std::optional(count) : std::nullopt;
}

Value find_variable(std::string_view name, const Variables& variables) {
  const auto found = variables.find(name);
  if (found != variables.end()) return found->second;
  if (const auto count = filler_bytes(name)) return std::string(*count, 'x');
  throw SubstitutionError(fmt::format("no variable ${{{}}} is set here", name));
}

std::size_t end_of_placeholder(std::string_view text, std::size_t open) {
  const std::size_t close = text.find('}', open);
  if (close != std::string_view::npos) return close;
  throw SubstitutionError(fmt::format("${{ without }} in \"{}\"", text));
}

std::string plain_text(const Value& value) {
  if (value.is_string()) return value.as_string();
  return value_text(value, std::numeric_limits<std::size_t>::max());
}

/// The pattern that a value is where it stands in a scenario: an object may have more members.
core::Pattern plain_pattern(Value value) {
  if (value.is_object()) {
    core::ObjectPattern object;
    for (auto& [name, member] : value.as_object()) {
      object.members.emplace(name, plain_pattern(std::move(member)));
    }
    return {std::move(object)};
  }
  if (value.is_list()) {
    core::ElementsPattern list;
    for (Value& element : value.as_list()) {
      list.elements.push_back(plain_pattern(std::move(element)));
    }
    return {std::move(list)};
  }
  return {core::OperandPattern{core::Pattern::By::literal, std::move(value)}};
}

core::Pattern substituted(const core::OperandPattern& pattern, const Variables& variables) {
  Value operand = substitute(pattern.operand, variables);
  const bool came_from_variable = pattern.by == core::Pattern::By::literal &&
                                  pattern.operand.is_string() && !operand.is_string();
  if (came_from_variable) return plain_pattern(std::move(operand));
  return {core::OperandPattern{pattern.by, std::move(operand)}};
}

core::Pattern substituted(const core::ObjectPattern& pattern, const Variables& variables) {
  core::ObjectPattern result{{}, pattern.exactly};
  for (const auto& [name, member] : pattern.members) {
    result.members.insert_or_assign(substitute_text(name, variables),
                                    substitute(member, variables));
  }
  return {std::move(result)};
}

core::Pattern substituted(const core::ElementsPattern& pattern, const Variables& variables) {
  core::ElementsPattern result{pattern.how, {}};
  result.elements.reserve(pattern.elements.size());
  for (const core::Pattern& element : pattern.elements) {
    result.elements.push_back(substitute(element, variables));
  }
  return {std::move(result)};
}

}  // namespace

std::string substitute_text(std::string_view text, const Variables& variables) {
  std::string result;
  while (true) {
    const std::size_t open = text.find("${");
    if (open == std::string_view::npos) return result.append(text);
    if (open > 0 && text[open - 1] == '$') {
      result.append(text.substr(0, open - 1)).append("${");
      text.remove_prefix(open + 2);
      continue;
    }
    const std::size_t close = end_of_placeholder(text, open);
    result.append(text.substr(0, open));
    result += plain_text(find_variable(text.substr(open + 2, close - open - 2), variables));
    text.remove_prefix(close + 1);
  }
}

Value substitute_string(std::string_view text, const Variables& variables) {
  const bool whole = text.starts_with("${") && text.find('}') == text.size() - 1;
  if (whole) return find_variable(text.substr(2, text.size() - 3), variables);
  return substitute_text(text, variables);
}

Value substitute(const Value& value, const Variables& variables) {
  if (value.is_string()) return substitute_string(value.as_string(), variables);
  if (value.is_list()) {
    List list;
    list.reserve(value.as_list().size());
    for (const Value& element : value.as_list()) list.push_back(substitute(element, variables));
    return list;
  }
  if (value.is_object()) {
    Object object;
    for (const auto& [name, member] : value.as_object()) {
      object.insert_or_assign(substitute_text(name, variables), substitute(member, variables));
    }
    return object;
  }
  return value;
}

List substitute_elements(const List& elements, const Variables& variables) {
  List result;
  for (const Value& element : elements) {
    Value value = substitute(element, variables);
    if (element.is_string() && value.is_list()) {
      result.insert(result.end(), value.as_list().begin(), value.as_list().end());
    } else {
      result.push_back(std::move(value));
    }
  }
  return result;
}

core::Pattern substitute(const core::Pattern& pattern, const Variables& variables) {
  return std::visit(
      [&](const auto& form) -> core::Pattern {
        if constexpr (requires { substituted(form, variables); }) {
          return substituted(form, variables);
        } else {
          return {form};
        }
      },
      pattern.form);
}

bool mentions(const Value& form, std::string_view variable) {
  if (form.is_string()) return form.as_string().find(variable) != std::string::npos;
  const auto below = [variable](const Value& part) { return mentions(part, variable); };
  if (form.is_list()) return std::any_of(form.as_list().begin(), form.as_list().end(), below);
  if (!form.is_object()) return false;
  return std::any_of(form.as_object().begin(), form.as_object().end(),
                     [&below](const auto& member) { return below(member.second); });
}

}  // namespace assay::check
