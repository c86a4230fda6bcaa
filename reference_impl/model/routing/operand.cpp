#include "reference_impl/model/routing/operand.h"

#include <cmath>
#include <limits>

#include "reference_impl/model/routing/python_text.h"

namespace assay::routing {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64,
              "comparing integers with floats needs a type that holds both exactly");

bool numbers_equal(const Number& left, const Number& right) {
  if (!left.is_float && !right.is_float) return left.integer == right.integer;
  const auto wide = [](const Number& number) {
    return number.is_float ? static_cast<long double>(number.real)
                           : static_cast<long double>(number.integer);
  };
  return wide(left) == wide(right);
}

template <typename Type>
bool holds_order(const Type& left, Ordering ordering, const Type& right) {
  switch (ordering) {
    case Ordering::less:
      return left < right;
    case Ordering::less_or_equal:
      return left <= right;
    case Ordering::greater:
      return left > right;
    case Ordering::greater_or_equal:
      return left >= right;
  }
  return false;
}

bool numbers_ordered(const Number& left, Ordering ordering, const Number& right) {
  if (!left.is_float && !right.is_float) return holds_order(left.integer, ordering, right.integer);
  const auto wide = [](const Number& number) {
    return number.is_float ? static_cast<long double>(number.real)
                           : static_cast<long double>(number.integer);
  };
  return holds_order(wide(left), ordering, wide(right));
}

bool lists_ordered(const Operand& left, Ordering ordering, const Operand& right,
                   WorkBudget& budget) {
  const std::size_t shared = std::min(left.list_size(), right.list_size());
  for (std::size_t index = 0; index < shared; ++index) {
    const Operand left_item = left.list_at(index);
    const Operand right_item = right.list_at(index);
    if (!equal(left_item, right_item, budget)) {
      return ordered(left_item, ordering, right_item, budget);
    }
  }
  return holds_order(left.list_size(), ordering, right.list_size());
}

void append_text(const Operand& operand, bool quoted, std::string& text, WorkBudget& budget);

void append_list(const Operand& operand, std::string& text, WorkBudget& budget) {
  text += '[';
  for (std::size_t index = 0; index < operand.list_size(); ++index) {
    if (index > 0) text += ", ";
    append_text(operand.list_at(index), true, text, budget);
  }
  text += ']';
}

void append_object(const Object& object, std::string& text, WorkBudget& budget) {
  text += '{';
  bool first = true;
  for (const auto& [key, member] : object) {
    if (!first) text += ", ";
    first = false;
    append_python_repr(key, text);
    text += ": ";
    append_text(Operand::borrowed(member), true, text, budget);
  }
  text += '}';
}

void append_text(const Operand& operand, bool quoted, std::string& text, WorkBudget& budget) {
  budget.spend(1);
  if (operand.is_undefined()) {
    if (quoted) text += "Undefined";
  } else if (operand.is_list()) {
    append_list(operand, text, budget);
  } else if (operand.is_object()) {
    append_object(operand.value()->as_object(), text, budget);
  } else if (operand.is_string()) {
    budget.spend(operand.string().size() / 8);
    if (quoted) {
      append_python_repr(operand.string(), text);
    } else {
      text += operand.string();
    }
  } else if (operand.is_none()) {
    text += "None";
  } else if (operand.value()->is_bool()) {
    text += operand.value()->as_bool() ? "True" : "False";
  } else if (operand.value()->is_double()) {
    text += python_float_repr(operand.value()->as_double());
  } else if (const auto large = operand.value()->large_unsigned()) {
    text += std::to_string(*large);
  } else {
    text += std::to_string(*operand.value()->to_int64());
  }
  budget.require_length(text.size());
}

void spend_for_copy(const Value& value, WorkBudget& budget) {
  budget.spend(1);
  if (value.is_string()) budget.spend(value.as_string().size() / 8);
  if (value.is_double() && !std::isfinite(value.as_double())) {
    fail_evaluation(EvaluationFault::type_mismatch, "infinity and nan are not JSON numbers");
  }
  if (value.is_list()) {
    for (const Value& item : value.as_list()) spend_for_copy(item, budget);
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) spend_for_copy(member, budget);
  }
}

}  // namespace

void fail_evaluation(EvaluationFault fault, std::string message) {
  throw EvaluationFailure{{fault, std::move(message)}};
}

void WorkBudget::spend(std::size_t steps) {
  if (steps > remaining_) {
    fail_evaluation(EvaluationFault::too_large, "the expression needs too much work");
  }
  remaining_ -= steps;
}

void WorkBudget::require_length(std::size_t length) {
  if (length > length_at_most) {
    fail_evaluation(EvaluationFault::too_large, "the expression makes a text or list too long");
  }
}

Operand::Operand(OperandList items)
    : data_(std::make_shared<const OperandList>(std::move(items))) {}

Operand Operand::borrowed(const Value& value) {
  Operand operand;
  operand.data_ = &value;
  return operand;
}

bool Operand::is_chainable() const {
  const auto* undefined = std::get_if<Undefined>(&data_);
  return undefined != nullptr && undefined->chainable;
}

const Value* Operand::value() const {
  if (const auto* owned = std::get_if<Value>(&data_)) return owned;
  if (const auto* borrowed = std::get_if<const Value*>(&data_)) return *borrowed;
  return nullptr;
}

bool Operand::is_list() const {
  if (const Value* json = value()) return json->is_list();
  return !is_undefined();
}

std::size_t Operand::list_size() const {
  if (const Value* json = value()) return json->as_list().size();
  return std::get<std::shared_ptr<const OperandList>>(data_)->size();
}

Operand Operand::list_at(std::size_t index) const {
  if (const Value* json = value()) return borrowed(json->as_list()[index]);
  return (*std::get<std::shared_ptr<const OperandList>>(data_))[index];
}

std::string_view Operand::type_name() const {
  if (is_undefined()) return "undefined";
  if (is_list()) return "list";
  if (is_object()) return "dict";
  if (is_string()) return "str";
  if (is_none()) return "NoneType";
  if (value()->is_bool()) return "bool";
  return value()->is_double() ? "float" : "int";
}

std::optional<Number> number_of(const Operand& operand) {
  const Value* value = operand.value();
  if (value == nullptr) return std::nullopt;
  if (value->is_double()) return Number{.is_float = true, .real = value->as_double()};
  const auto integer = integer_of(operand);
  if (!integer) return std::nullopt;
  return Number{.integer = *integer};
}

std::optional<Integer> integer_of(const Operand& operand) {
  const Value* value = operand.value();
  if (value == nullptr) return std::nullopt;
  if (value->is_bool()) return value->as_bool() ? 1 : 0;
  if (!value->is_integer()) return std::nullopt;
  if (const auto large = value->large_unsigned()) return static_cast<Integer>(*large);
  return static_cast<Integer>(*value->to_int64());
}

Operand make_integer(Integer integer) {
  if (integer < std::numeric_limits<std::int64_t>::min() ||
      integer > std::numeric_limits<std::uint64_t>::max()) {
    fail_evaluation(EvaluationFault::integer_overflow, "the integer doesn't fit in 64 bits");
  }
  if (integer < 0) return Operand(Value(static_cast<std::int64_t>(integer)));
  return Operand(Value(static_cast<std::uint64_t>(integer)));
}

Operand make_real(double real) { return Operand(Value(real)); }

bool truth(const Operand& operand) {
  if (operand.is_undefined()) return false;
  if (operand.is_list()) return operand.list_size() > 0;
  const Value& value = *operand.value();
  if (value.is_null()) return false;
  if (value.is_bool()) return value.as_bool();
  if (value.is_string()) return !value.as_string().empty();
  if (value.is_object()) return !value.as_object().empty();
  if (value.is_double()) return value.as_double() != 0;
  return value != Value(0);
}

bool equal(const Operand& left, const Operand& right, WorkBudget& budget) {
  budget.spend(1);
  if (left.is_undefined() || right.is_undefined()) {
    return left.is_undefined() && right.is_undefined() &&
           left.is_chainable() == right.is_chainable();
  }
  if (left.is_list() || right.is_list()) {
    if (!left.is_list() || !right.is_list() || left.list_size() != right.list_size()) return false;
    for (std::size_t index = 0; index < left.list_size(); ++index) {
      if (!equal(left.list_at(index), right.list_at(index), budget)) return false;
    }
    return true;
  }
  const auto left_number = number_of(left);
  const auto right_number = number_of(right);
  if (left_number && right_number) return numbers_equal(*left_number, *right_number);
  if (left.is_object() && right.is_object()) {
    const Object& left_object = left.value()->as_object();
    const Object& right_object = right.value()->as_object();
    if (left_object.size() != right_object.size()) return false;
    for (auto one = left_object.begin(), other = right_object.begin(); one != left_object.end();
         ++one, ++other) {
      if (one->first != other->first) return false;
      if (!equal(Operand::borrowed(one->second), Operand::borrowed(other->second), budget)) {
        return false;
      }
    }
    return true;
  }
  if (left.is_string() && right.is_string()) return left.string() == right.string();
  return left.is_none() && right.is_none();
}

bool ordered(const Operand& left, Ordering ordering, const Operand& right, WorkBudget& budget) {
  budget.spend(1);
  if (left.is_undefined() || right.is_undefined()) {
    fail_evaluation(EvaluationFault::undefined_operand, "an undefined value has no order");
  }
  const auto left_number = number_of(left);
  const auto right_number = number_of(right);
  if (left_number && right_number) return numbers_ordered(*left_number, ordering, *right_number);
  // The order of UTF-8's bytes is the order of code points, which is Python's.
  if (left.is_string() && right.is_string()) {
    return holds_order(left.string(), ordering, right.string());
  }
  if (left.is_list() && right.is_list()) return lists_ordered(left, ordering, right, budget);
  fail_evaluation(EvaluationFault::type_mismatch, std::string(left.type_name()) + " and " +
                                                      std::string(right.type_name()) +
                                                      " have no order between them");
}

bool contains(const Operand& haystack, const Operand& needle, WorkBudget& budget) {
  if (haystack.is_undefined()) return false;
  if (haystack.is_list()) {
    for (std::size_t index = 0; index < haystack.list_size(); ++index) {
      if (equal(needle, haystack.list_at(index), budget)) return true;
    }
    return false;
  }
  if (haystack.is_string() && needle.is_string()) {
    budget.spend(haystack.string().size() / 8);
    return haystack.string().find(needle.string()) != std::string::npos;
  }
  if (haystack.is_object() && !needle.is_list() && !needle.is_object()) {
    return needle.is_string() && haystack.value()->find(needle.string()) != nullptr;
  }
  fail_evaluation(EvaluationFault::type_mismatch, std::string(needle.type_name()) +
                                                      " can't be looked up in " +
                                                      std::string(haystack.type_name()));
}

std::string to_text(const Operand& operand, WorkBudget& budget) {
  std::string text;
  append_text(operand, false, text, budget);
  return text;
}

OperandList iterate(const Operand& operand, WorkBudget& budget) {
  OperandList items;
  if (operand.is_undefined()) return items;
  if (operand.is_list()) {
    budget.spend(operand.list_size());
    for (std::size_t index = 0; index < operand.list_size(); ++index) {
      items.push_back(operand.list_at(index));
    }
  } else if (operand.is_string()) {
    budget.spend(operand.string().size());
    for (const std::string_view character : code_points(operand.string())) {
      items.emplace_back(Value(character));
    }
  } else if (operand.is_object()) {
    budget.spend(operand.value()->as_object().size());
    for (const auto& [key, member] : operand.value()->as_object()) items.emplace_back(Value(key));
  } else {
    fail_evaluation(EvaluationFault::type_mismatch,
                    std::string(operand.type_name()) + " has no items");
  }
  return items;
}

Value to_value(const Operand& operand, WorkBudget& budget) {
  budget.spend(1);
  if (operand.is_undefined()) return nullptr;
  if (const Value* value = operand.value()) {
    spend_for_copy(*value, budget);
    return *value;
  }
  List items;
  items.reserve(operand.list_size());
  for (std::size_t index = 0; index < operand.list_size(); ++index) {
    items.push_back(to_value(operand.list_at(index), budget));
  }
  return items;
}

}  // namespace assay::routing
