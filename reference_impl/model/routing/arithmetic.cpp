#include "reference_impl/model/routing/arithmetic.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/words.h"

namespace assay::routing {
namespace {

__extension__ using UnsignedInteger = unsigned __int128;

std::string_view symbol_of(ArithmeticOperator operation) {
  constexpr Words<ArithmeticOperator::modulo> symbols = {"+", "-", "*", "/", "//", "%"};
  return symbols[operation];
}

[[noreturn]] void fail_kinds(const Operand& left, ArithmeticOperator operation,
                             const Operand& right) {
  const bool undefined = left.is_undefined() || right.is_undefined();
  fail_evaluation(undefined ? EvaluationFault::undefined_operand : EvaluationFault::type_mismatch,
                  std::string(left.type_name()) + " " + std::string(symbol_of(operation)) + " " +
                      std::string(right.type_name()) + " has no value");
}

[[noreturn]] void fail_division() {
  fail_evaluation(EvaluationFault::division_by_zero, "division by zero");
}

int bit_width(UnsignedInteger number) {
  const auto high = static_cast<std::uint64_t>(number >> 64U);
  if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// The quotient of two integers rounded once, as Python's int / int is; dividing their doubles
/// would round large ones twice.
double exact_quotient(Integer left, Integer right) {
  const bool negative = (left < 0) != (right < 0);
  const auto dividend = static_cast<UnsignedInteger>(left < 0 ? -left : left);
  const auto divisor = static_cast<UnsignedInteger>(right < 0 ? -right : right);
  // 56 bits of the quotient or more, and one that says whether anything remains below them.
  const int shift = std::max(0, 57 + bit_width(divisor) - bit_width(dividend));
  const UnsignedInteger shifted = dividend << static_cast<unsigned>(shift);
  UnsignedInteger quotient = shifted / divisor;
  if (shifted % divisor != 0) quotient |= 1U;
  const double magnitude = std::ldexp(static_cast<double>(quotient), -shift);
  return negative ? -magnitude : magnitude;
}

Integer floor_quotient(Integer left, Integer right) {
  const Integer quotient = left / right;
  return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

struct FloatDivision {
  double quotient;
  double remainder;
};

/// Python's float divmod: the remainder has the divisor's sign, the quotient is whole.
FloatDivision divide_floats(double left, double right) {
  double remainder = std::fmod(left, right);
  double quotient = (left - remainder) / right;
  if (remainder != 0) {
    if ((right < 0) != (remainder < 0)) {
      remainder += right;
      quotient -= 1;
    }
  } else {
    remainder = std::copysign(0.0, right);
  }
  if (quotient == 0) return {std::copysign(0.0, left / right), remainder};
  double whole = std::floor(quotient);
  if (quotient - whole > 0.5) whole += 1;
  return {whole, remainder};
}

Operand calculate_integers(Integer left, ArithmeticOperator operation, Integer right) {
  const bool divides = operation == ArithmeticOperator::divide ||
                       operation == ArithmeticOperator::floor_divide ||
                       operation == ArithmeticOperator::modulo;
  if (divides && right == 0) fail_division();
  Integer product = 0;
  switch (operation) {
    case ArithmeticOperator::add:
      return make_integer(left + right);
    case ArithmeticOperator::subtract:
      return make_integer(left - right);
    case ArithmeticOperator::multiply:
      if (__builtin_mul_overflow(left, right, &product)) {
        fail_evaluation(EvaluationFault::integer_overflow, "the integer doesn't fit in 64 bits");
      }
      return make_integer(product);
    case ArithmeticOperator::divide:
      return make_real(exact_quotient(left, right));
    case ArithmeticOperator::floor_divide:
      return make_integer(floor_quotient(left, right));
    case ArithmeticOperator::modulo:
      return make_integer(left - floor_quotient(left, right) * right);
  }
  return {};
}

Operand calculate_floats(double left, ArithmeticOperator operation, double right) {
  switch (operation) {
    case ArithmeticOperator::add:
      return make_real(left + right);
    case ArithmeticOperator::subtract:
      return make_real(left - right);
    case ArithmeticOperator::multiply:
      return make_real(left * right);
    case ArithmeticOperator::divide:
      if (right == 0) fail_division();
      return make_real(left / right);
    case ArithmeticOperator::floor_divide:
      if (right == 0) fail_division();
      return make_real(divide_floats(left, right).quotient);
    case ArithmeticOperator::modulo:
      if (right == 0) fail_division();
      return make_real(divide_floats(left, right).remainder);
  }
  return {};
}

/// text * count and list * count.
Operand repeat(const Operand& repeated, Integer count, WorkBudget& budget) {
  if (count < 0) count = 0;
  const std::size_t length = repeated.is_string() ? repeated.string().size() : repeated.list_size();
  if (length == 0) count = 0;
  if (count > static_cast<Integer>(WorkBudget::length_at_most)) {
    budget.require_length(WorkBudget::length_at_most + 1);
  }
  const auto times = static_cast<std::size_t>(count);
  budget.require_length(length * times);
  budget.spend(length * times);
  if (repeated.is_string()) {
    std::string text;
    for (std::size_t turn = 0; turn < times; ++turn) text += repeated.string();
    return Operand(Value(std::move(text)));
  }
  OperandList items;
  for (std::size_t turn = 0; turn < times; ++turn) {
    for (std::size_t index = 0; index < length; ++index) items.push_back(repeated.list_at(index));
  }
  return Operand(std::move(items));
}

bool is_sequence(const Operand& operand) { return operand.is_string() || operand.is_list(); }

Operand join_sequences(const Operand& left, const Operand& right, WorkBudget& budget) {
  if (left.is_string()) {
    budget.spend(left.string().size() + right.string().size());
    budget.require_length(left.string().size() + right.string().size());
    return Operand(Value(left.string() + right.string()));
  }
  budget.require_length(left.list_size() + right.list_size());
  OperandList items = iterate(left, budget);
  const OperandList more = iterate(right, budget);
  items.insert(items.end(), more.begin(), more.end());
  return Operand(std::move(items));
}

/// Python formats where a string is on the left of %. Formats aren't part of guards; a string
/// without any is what Python makes of it, itself or an error.
Operand format_text(const Operand& left, const Operand& right) {
  if (left.string().find('%') != std::string::npos) {
    fail_evaluation(EvaluationFault::bad_argument, "guards can't format strings with %");
  }
  if (right.is_undefined() || right.is_list() || right.is_object()) return left;
  fail_kinds(left, ArithmeticOperator::modulo, right);
}

double rounded_to(double real, int digits) {
  if (!std::isfinite(real)) return real;
  if (digits >= 0) {
    // printf rounds the exact decimal value, half to even, as Python does.
    const int length = std::snprintf(nullptr, 0, "%.*f", digits, real);  // NOLINT
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), "%.*f", digits, real);  // NOLINT
    return std::strtod(text.c_str(), nullptr);
  }
  const double unit = std::pow(10.0, -digits);
  const double magnitude = std::abs(real);
  const double remainder = std::fmod(magnitude, unit);
  double units = std::round((magnitude - remainder) / unit);
  const double half = unit / 2;
  if (remainder > half || (remainder == half && std::fmod(units, 2) != 0)) units += 1;
  return std::copysign(units * unit, real);
}

Integer power_of_ten(Integer exponent) {
  Integer power = 1;
  for (Integer step = 0; step < exponent; ++step) power *= 10;
  return power;
}

constexpr Integer digits_at_most = 22;  ///< 10^22 is the last power of ten that a double holds

Operand round_integer(Integer integer, Integer digits) {
  if (digits >= 0) return make_integer(integer);
  if (digits < -digits_at_most) return make_integer(0);
  const Integer unit = power_of_ten(-digits);
  Integer units = floor_quotient(integer, unit);
  const Integer remainder = integer - units * unit;
  if (remainder * 2 > unit || (remainder * 2 == unit && units % 2 != 0)) ++units;
  return make_integer(units * unit);
}

Operand round_towards(const Number& number, Integer digits, bool up) {
  const auto directed = [up](double real) { return up ? std::ceil(real) : std::floor(real); };
  if (digits < 0) {
    const double scale = std::pow(10.0, static_cast<double>(digits));
    return make_real(directed(number.as_real() * scale) / scale);
  }
  const Integer scale = power_of_ten(digits);
  if (!number.is_float) {
    Integer scaled = 0;
    if (__builtin_mul_overflow(number.integer, scale, &scaled)) {
      fail_evaluation(EvaluationFault::integer_overflow, "the integer doesn't fit in 64 bits");
    }
    return make_real(static_cast<double>(number.integer));
  }
  const double scaled = number.real * static_cast<double>(scale);
  if (!std::isfinite(scaled)) {
    fail_evaluation(EvaluationFault::integer_overflow, "infinity can't be rounded to an integer");
  }
  const double whole = directed(scaled);
  // Python divides integers here, which have no negative zero.
  return make_real(whole == 0 ? 0.0 : whole / static_cast<double>(scale));
}

}  // namespace

Operand calculate(const Operand& left, ArithmeticOperator operation, const Operand& right,
                  WorkBudget& budget) {
  budget.spend(1);
  const auto left_number = number_of(left);
  const auto right_number = number_of(right);
  if (left_number && right_number) {
    if (!left_number->is_float && !right_number->is_float) {
      return calculate_integers(left_number->integer, operation, right_number->integer);
    }
    return calculate_floats(left_number->as_real(), operation, right_number->as_real());
  }
  if (operation == ArithmeticOperator::add &&
      ((left.is_string() && right.is_string()) || (left.is_list() && right.is_list()))) {
    return join_sequences(left, right, budget);
  }
  if (operation == ArithmeticOperator::multiply) {
    if (const auto count = integer_of(right); count && is_sequence(left)) {
      return repeat(left, *count, budget);
    }
    if (const auto count = integer_of(left); count && is_sequence(right)) {
      return repeat(right, *count, budget);
    }
  }
  if (operation == ArithmeticOperator::modulo && left.is_string()) return format_text(left, right);
  fail_kinds(left, operation, right);
}

Operand apply_sign(Sign sign, const Operand& operand) {
  const bool minus = sign == Sign::minus;
  if (const auto integer = integer_of(operand)) return make_integer(minus ? -*integer : *integer);
  if (const auto number = number_of(operand))
    return make_real(minus ? -number->real : number->real);
  fail_evaluation(
      operand.is_undefined() ? EvaluationFault::undefined_operand : EvaluationFault::type_mismatch,
      std::string(operand.type_name()) + " has no sign");
}

Operand round_number(const Operand& input, const std::optional<Operand>& precision,
                     const std::optional<Operand>& method) {
  std::string_view wanted = "common";
  if (method) wanted = method->is_string() ? std::string_view(method->string()) : "";
  if (wanted != "common" && wanted != "ceil" && wanted != "floor") {
    fail_evaluation(EvaluationFault::bad_argument, "method must be common, ceil or floor");
  }
  const auto number = number_of(input);
  if (!number) {
    fail_evaluation(
        input.is_undefined() ? EvaluationFault::undefined_operand : EvaluationFault::type_mismatch,
        "filter 'round' can't take " + std::string(input.type_name()));
  }
  const bool to_integer = precision && precision->is_none() && wanted == "common";
  const auto digits = precision && !to_integer ? integer_of(*precision) : std::optional<Integer>(0);
  if (!digits) fail_evaluation(EvaluationFault::bad_argument, "precision must be an integer");
  if (*digits > digits_at_most || *digits < -digits_at_most) {
    fail_evaluation(EvaluationFault::too_large, "precision must be from -22 to 22");
  }
  if (wanted != "common") return round_towards(*number, *digits, wanted == "ceil");
  if (!number->is_float) return round_integer(number->integer, *digits);
  const double rounded = rounded_to(number->real, static_cast<int>(*digits));
  if (!to_integer) return make_real(rounded);
  if (!(std::abs(rounded) < 0x1p64)) {
    fail_evaluation(EvaluationFault::integer_overflow, "the integer doesn't fit in 64 bits");
  }
  return make_integer(static_cast<Integer>(rounded));
}

}  // namespace assay::routing
