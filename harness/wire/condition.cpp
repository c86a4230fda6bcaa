#include "harness/wire/condition.h"

#include <algorithm>
#include <compare>

#include "harness/wire/text_pattern.h"

namespace assay::wire {
namespace {

using core::Condition;
using Test = Condition::Test;

/// Numbers by their value, texts by their bytes; what is neither, or not the same, has no order.
std::partial_ordering order_of(const Value& left, const Value& right) {
  if (left.is_string() && right.is_string()) {
    return left.as_string().compare(right.as_string()) <=> 0;
  }
  if (!left.is_number() || !right.is_number()) return std::partial_ordering::unordered;
  const auto exact_left = left.to_int64();
  const auto exact_right = right.to_int64();
  if (exact_left && exact_right) return *exact_left <=> *exact_right;
  return left.as_double() <=> right.as_double();
}

bool is_in(const Value& list, const Value& value) {
  return std::ranges::find(list.as_list(), value) != list.as_list().end();
}

bool holds_of_part(const Condition& condition, const Value* found) {
  const Value& operand = condition.operand;
  if (condition.test == Test::is_not) return found == nullptr || *found != operand;
  if (condition.test == Test::exists) {
    return (found != nullptr && !found->is_null()) == operand.as_bool();
  }
  if (found == nullptr) return false;
  switch (condition.test) {
    case Test::is:
      return *found == operand;
    case Test::one_of:
      return is_in(operand, *found);
    case Test::below:
      return is_lt(order_of(*found, operand));
    case Test::at_most:
      return is_lteq(order_of(*found, operand));
    case Test::above:
      return is_gt(order_of(*found, operand));
    case Test::at_least:
      return is_gteq(order_of(*found, operand));
    case Test::matches:
      return found->is_string() && found_by(operand.as_string(), found->as_string()).has_value();
    default:
      return false;
  }
}

}  // namespace

bool holds(const Condition& condition, const Value& value) {
  const auto part_holds = [&value](const Condition& part) { return holds(part, value); };
  switch (condition.test) {
    case Test::all:
      return std::ranges::all_of(condition.parts, part_holds);
    case Test::any:
      return std::ranges::any_of(condition.parts, part_holds);
    case Test::none:
      return std::ranges::none_of(condition.parts, part_holds);
    default:
      return holds_of_part(condition, value.at_pointer(condition.pointer));
  }
}

}  // namespace assay::wire
