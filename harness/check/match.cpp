#include "harness/check/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "harness/check/instant.h"
#include "harness/check/text.h"

namespace assay::check {
namespace {

using core::ElementsPattern;
using core::ObjectPattern;
using core::OperandPattern;
using core::Pattern;
using By = Pattern::By;
using How = Pattern::How;

/// Orders two numbers without losing digits above 2^53.
std::partial_ordering compare_numbers(const Value& left, const Value& right) {
  const auto left_integer = left.to_int64();
  const auto right_integer = right.to_int64();
  if (left_integer && right_integer) return *left_integer <=> *right_integer;
  const auto left_large = left.large_unsigned();
  const auto right_large = right.large_unsigned();
  if (left_large && right_large) return *left_large <=> *right_large;
  return left.as_double() <=> right.as_double();
}

bool is_of_type(std::string_view type, const Value& value) {
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_integer() || (value.is_number() && value.to_int64());
  return value.kind_name() == type;
}

std::optional<std::size_t> length_of(const Value& value) {
  if (value.is_string()) return value.as_string().size();
  if (value.is_list()) return value.as_list().size();
  if (value.is_object()) return value.as_object().size();
  return std::nullopt;
}

bool has_length(const Value& length, const Value& value) {
  const auto actual = length_of(value);
  const auto expected = length.to_int64();
  return actual && expected && std::cmp_equal(*actual, *expected);
}

bool is_instant(const Value& expected, const Value& value) {
  if (!expected.is_string() || !value.is_string()) return false;
  const auto left = parse_instant(expected.as_string());
  const auto right = parse_instant(value.as_string());
  return left && right && left->same_moment(*right);
}

bool is_text_that(By by, const Value& operand, const Value& value) {
  if (!operand.is_string() || !value.is_string()) return false;
  const std::string_view text = value.as_string();
  const std::string_view part = operand.as_string();
  if (by == By::begins) return text.starts_with(part);
  if (by == By::ends) return text.ends_with(part);
  return text.find(part) != std::string_view::npos;
}

bool is_bounded(By by, const Value& bound, const Value& value) {
  if (!bound.is_number() || !value.is_number()) return false;
  const std::partial_ordering order = compare_numbers(value, bound);
  return by == By::at_least ? std::is_gteq(order) : std::is_lteq(order);
}

bool holds(const OperandPattern& pattern, const Value& value) {
  const Value& operand = pattern.operand;
  switch (pattern.by) {
    case By::literal:
      return operand == value;
    case By::type:
      return operand.is_string() && is_of_type(operand.as_string(), value);
    case By::length:
      return has_length(operand, value);
    case By::instant:
      return is_instant(operand, value);
    case By::begins:
    case By::ends:
    case By::includes:
      return is_text_that(pattern.by, operand, value);
    case By::at_least:
    case By::at_most:
      return is_bounded(pattern.by, operand, value);
  }
  return false;
}

/// The members of answers and events that are times.
bool is_time(std::string_view name) {
  static constexpr std::string_view times[] = {"timestamp", "started_at", "ended_at", "created_at",
                                               "at"};
  return std::find(std::begin(times), std::end(times), name) != std::end(times);
}

/// A time is compared as an instant, however many digits its fraction is written with; in which
/// zone it is shown is another matter.
bool member_matches(std::string_view name, const Pattern& pattern, const Value* actual) {
  if (matches(pattern, actual)) return true;
  const Value* literal = pattern.literal();
  return actual != nullptr && literal != nullptr && is_time(name) && is_instant(*literal, *actual);
}

bool holds(const ObjectPattern& pattern, const Value& value) {
  if (!value.is_object()) return false;
  const bool each =
      std::all_of(pattern.members.begin(), pattern.members.end(), [&value](const auto& member) {
        return member_matches(member.first, member.second, value.find(member.first));
      });
  if (!each || !pattern.exactly) return each;
  const Object& object = value.as_object();
  return std::all_of(object.begin(), object.end(), [&pattern](const auto& member) {
    return pattern.members.contains(member.first);
  });
}

bool matches_one(const std::vector<Pattern>& choices, const Value* value) {
  return std::any_of(choices.begin(), choices.end(),
                     [value](const Pattern& choice) { return matches(choice, value); });
}

bool holds(const ElementsPattern& pattern, const Value& value) {
  const std::vector<Pattern>& elements = pattern.elements;
  if (pattern.how == How::one_of) return matches_one(elements, &value);
  if (pattern.how == How::none_of) return !matches_one(elements, &value);
  if (!value.is_list()) return false;
  const List& list = value.as_list();
  if (pattern.how == How::excludes) {
    return std::none_of(list.begin(), list.end(), [&elements](const Value& element) {
      return matches_one(elements, &element);
    });
  }
  if (pattern.how == How::contains ? list.size() < elements.size()
                                   : list.size() != elements.size()) {
    return false;
  }
  if (pattern.how == How::list) {
    return std::equal(
        elements.begin(), elements.end(), list.begin(),
        [](const Pattern& element, const Value& actual) { return matches(element, &actual); });
  }
  const auto assigned = assign(elements, list);
  return std::all_of(assigned.begin(), assigned.end(),
                     [](const auto& index) { return index.has_value(); });
}

std::string member_pointer(std::string_view pointer, std::string_view name) {
  return fmt::format("{}/{}", pointer, escape_pointer_token(name));
}

std::string element_pointer(std::string_view pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

std::optional<Mismatch> explain(const Pattern& pattern, const Value* actual,
                                const std::string& pointer);

std::optional<Mismatch> explain_members(const ObjectPattern& pattern, const Value& value,
                                        const std::string& pointer) {
  // The state first: the times and events beside it follow from it.
  for (const bool is_state : {true, false}) {
    for (const auto& [name, member] : pattern.members) {
      if (is_state != (name == "state" || name == "status")) continue;
      if (member_matches(name, member, value.find(name))) continue;
      auto mismatch = explain(member, value.find(name), member_pointer(pointer, name));
      if (mismatch) return mismatch;
    }
  }
  for (const auto& [name, member] : value.as_object()) {
    if (pattern.members.contains(name)) continue;
    return Mismatch{member_pointer(pointer, name), "absent", value_text(member)};
  }
  return std::nullopt;
}

std::optional<Mismatch> explain_list(const ElementsPattern& pattern, const List& list,
                                     const std::string& pointer) {
  const std::size_t shared = std::min(pattern.elements.size(), list.size());
  for (std::size_t index = 0; index < shared; ++index) {
    auto mismatch = explain(pattern.elements[index], &list[index], element_pointer(pointer, index));
    if (mismatch) return mismatch;
  }
  if (shared < pattern.elements.size()) {
    return Mismatch{element_pointer(pointer, shared), pattern_text(pattern.elements[shared]),
                    "absent"};
  }
  return Mismatch{element_pointer(pointer, shared), "absent", value_text(list[shared])};
}

/// For unordered and contains: the first pattern without a value of its own, against the nearest
/// value that no other pattern took; else the first value too many.
std::optional<Mismatch> explain_assignment(const ElementsPattern& pattern, const List& list,
                                           const std::string& pointer) {
  const auto assigned = assign(pattern.elements, list);
  std::vector<bool> taken(list.size(), false);
  for (const auto& index : assigned) {
    if (index) taken[*index] = true;
  }
  const auto missing = std::find(assigned.begin(), assigned.end(), std::nullopt);
  if (missing != assigned.end()) {
    const Pattern& wanted = pattern.elements[static_cast<std::size_t>(missing - assigned.begin())];
    const auto nearest = nearest_value(wanted, list, taken);
    if (nearest && !matches(wanted, &list[*nearest])) {
      return explain(wanted, &list[*nearest], element_pointer(pointer, *nearest));
    }
    return Mismatch{pointer, "an element of its own for " + pattern_text(wanted),
                    fmt::format("{} elements, none left for it", list.size())};
  }
  const auto extra = std::find(taken.begin(), taken.end(), false);
  const auto index = static_cast<std::size_t>(extra - taken.begin());
  return Mismatch{element_pointer(pointer, index), "absent", value_text(list[index])};
}

std::optional<Mismatch> explain_elements(const ElementsPattern& pattern, const Value& value,
                                         const std::string& pointer) {
  const List& list = value.as_list();
  if (pattern.how == How::list) return explain_list(pattern, list, pointer);
  if (pattern.how != How::excludes) return explain_assignment(pattern, list, pointer);
  const auto found = std::find_if(list.begin(), list.end(), [&pattern](const Value& element) {
    return matches_one(pattern.elements, &element);
  });
  const auto excluded =
      std::find_if(pattern.elements.begin(), pattern.elements.end(),
                   [&found](const Pattern& each) { return matches(each, &*found); });
  return Mismatch{element_pointer(pointer, static_cast<std::size_t>(found - list.begin())),
                  "no element like " + pattern_text(*excluded), value_text(*found)};
}

std::optional<Mismatch> explain(const Pattern& pattern, const Value* actual,
                                const std::string& pointer) {
  if (matches(pattern, actual)) return std::nullopt;
  const auto* object = std::get_if<ObjectPattern>(&pattern.form);
  if (object != nullptr && actual != nullptr && actual->is_object()) {
    return explain_members(*object, *actual, pointer);
  }
  const auto* several = std::get_if<ElementsPattern>(&pattern.form);
  const bool is_of_list =
      several != nullptr && several->how != How::one_of && several->how != How::none_of;
  if (is_of_list && actual != nullptr && actual->is_list()) {
    return explain_elements(*several, *actual, pointer);
  }
  return Mismatch{pointer, pattern_text(pattern), value_text(actual)};
}

std::size_t members_distance(const ObjectPattern& pattern, const Value& value) {
  std::size_t sum = 0;
  for (const auto& [name, member] : pattern.members) {
    if (!member_matches(name, member, value.find(name))) sum += distance(member, value.find(name));
  }
  return sum;
}

std::size_t list_distance(const ElementsPattern& pattern, const List& list) {
  const std::size_t shared = std::min(pattern.elements.size(), list.size());
  std::size_t sum = std::max(pattern.elements.size(), list.size()) - shared;
  for (std::size_t index = 0; index < shared; ++index) {
    sum += distance(pattern.elements[index], &list[index]);
  }
  return sum;
}

/// Grows a matching by one pattern along the shortest augmenting path (Kuhn, breadth first, so that
/// no stack grows with the input).
class Matching {
 public:
  Matching(const std::vector<Pattern>& patterns, const std::vector<Value>& values)
      : edges_(patterns.size()), of_pattern_(patterns.size()), of_value_(values.size()) {
    for (std::size_t left = 0; left < patterns.size(); ++left) {
      for (std::size_t right = 0; right < values.size(); ++right) {
        if (matches(patterns[left], &values[right])) edges_[left].push_back(right);
      }
    }
  }

  std::vector<std::optional<std::size_t>> solve() {
    for (std::size_t pattern = 0; pattern < edges_.size(); ++pattern) augment(pattern);
    return of_pattern_;
  }

 private:
  void augment(std::size_t start) {
    std::vector<std::optional<std::size_t>> reached_from(of_value_.size());
    std::deque<std::size_t> patterns = {start};
    while (!patterns.empty()) {
      const std::size_t pattern = patterns.front();
      patterns.pop_front();
      for (const std::size_t value : edges_[pattern]) {
        if (reached_from[value]) continue;
        reached_from[value] = pattern;
        if (!of_value_[value]) {
          flip(value, reached_from);
          return;
        }
        patterns.push_back(*of_value_[value]);
      }
    }
  }

  void flip(std::size_t value, const std::vector<std::optional<std::size_t>>& reached_from) {
    std::optional<std::size_t> next = value;
    while (next) {
      const std::size_t pattern = *reached_from[*next];
      const std::optional<std::size_t> previous = of_pattern_[pattern];
      of_pattern_[pattern] = next;
      of_value_[*next] = pattern;
      next = previous;
    }
  }

  std::vector<std::vector<std::size_t>> edges_;
  std::vector<std::optional<std::size_t>> of_pattern_;
  std::vector<std::optional<std::size_t>> of_value_;
};

}  // namespace

bool matches(const Pattern& pattern, const Value* actual) {
  if (actual == nullptr) {
    return std::holds_alternative<core::AbsentPattern>(pattern.form) ||
           (pattern.is(How::one_of) && matches_one(pattern.elements(), nullptr));
  }
  return std::visit(Overloaded{[](const core::AnyPattern&) { return true; },
                               [](const core::AbsentPattern&) { return false; },
                               [actual](const auto& form) { return holds(form, *actual); }},
                    pattern.form);
}

std::optional<Mismatch> match(const Pattern& pattern, const Value* actual) {
  return explain(pattern, actual, "");
}

std::size_t distance(const Pattern& pattern, const Value* actual) {
  const auto* object = std::get_if<ObjectPattern>(&pattern.form);
  if (object != nullptr && actual != nullptr && actual->is_object()) {
    const std::size_t sum = members_distance(*object, *actual);
    return sum == 0 && !matches(pattern, actual) ? 1 : sum;
  }
  if (actual != nullptr && actual->is_list() && pattern.is(How::list)) {
    return list_distance(std::get<ElementsPattern>(pattern.form), actual->as_list());
  }
  if (matches(pattern, actual)) return 0;
  return std::max<std::size_t>(1, pattern.members().size());
}

std::vector<std::optional<std::size_t>> assign(const std::vector<Pattern>& patterns,
                                               const std::vector<Value>& values) {
  return Matching(patterns, values).solve();
}

std::optional<std::size_t> nearest_value(const Pattern& pattern, const std::vector<Value>& values,
                                         const std::vector<bool>& taken) {
  std::optional<std::size_t> nearest;
  std::size_t best = 0;
  for (std::size_t index = 0; index < values.size(); ++index) {
    if (!taken.empty() && taken[index]) continue;
    const std::size_t differences = distance(pattern, &values[index]);
    if (nearest && differences >= best) continue;
    nearest = index;
    best = differences;
  }
  return nearest;
}

}  // namespace assay::check
