#include "reference_impl/model/routing/filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "reference_impl/model/routing/arithmetic.h"
#include "reference_impl/model/routing/python_text.h"

namespace assay::routing {
namespace {

const std::vector<FilterSignature>& signatures() {
  static const std::vector<FilterSignature> all = {
      {"default", Filter::default_value, {"default_value", "boolean"}},
      {"int", Filter::int_number, {"default", "base"}},
      {"float", Filter::float_number, {"default"}},
      {"string", Filter::string, {}},
      {"lower", Filter::lower, {}},
      {"upper", Filter::upper, {}},
      {"trim", Filter::trim, {"chars"}},
      {"length", Filter::length, {}},
      {"first", Filter::first, {}},
      {"last", Filter::last, {}},
      {"list", Filter::list, {}},
      {"join", Filter::join, {"d"}},
      {"round", Filter::round, {"precision", "method"}},
      {"abs", Filter::abs, {}}};
  return all;
}

[[noreturn]] void fail_kind(std::string_view filter, const Operand& input) {
  fail_evaluation(
      input.is_undefined() ? EvaluationFault::undefined_operand : EvaluationFault::type_mismatch,
      "filter '" + std::string(filter) + "' can't take " + std::string(input.type_name()));
}

Operand default_filter(const Operand& input, FilterArguments arguments) {
  const bool by_truth = arguments[1] && truth(*arguments[1]);
  if (!input.is_undefined() && (!by_truth || truth(input))) return input;
  return arguments[0] ? *arguments[0] : Operand(Value(""));
}

/// int() of a float: nothing where there is no such integer.
std::optional<Integer> truncated(double real) {
  if (!std::isfinite(real)) return std::nullopt;
  if (std::abs(real) >= 0x1p64) {
    fail_evaluation(EvaluationFault::integer_overflow, "the integer doesn't fit in 64 bits");
  }
  return static_cast<Integer>(real);
}

/// Jinja2 3.1.2 has an error here too; later versions answer 'inf'|int with the default.
[[noreturn]] void fail_infinity() {
  fail_evaluation(EvaluationFault::integer_overflow, "infinity is not an integer");
}

Operand text_to_integer(std::string_view text, const std::optional<Operand>& base,
                        const Operand& otherwise) {
  // A base that is no integer makes int(text, base) a TypeError, which Jinja2 answers as it answers
  // a text that is no integer: by reading a float.
  const auto radix = base ? integer_of(*base) : std::optional<Integer>(10);
  if (radix && *radix >= 0 && *radix <= 36) {
    const auto parsed = python_parse_integer(text, static_cast<std::int64_t>(*radix));
    if (!parsed.has_value()) {
      fail_evaluation(EvaluationFault::integer_overflow, "the integer doesn't fit in 64 bits");
    }
    if (const std::optional<Integer>& integer = *parsed) return make_integer(*integer);
  }
  const auto real = python_parse_float(text);
  if (real && std::isinf(*real)) fail_infinity();
  const auto integer = real ? truncated(*real) : std::nullopt;
  return integer ? make_integer(*integer) : otherwise;
}

Operand int_filter(const Operand& input, FilterArguments arguments) {
  Operand otherwise = arguments[0] ? *arguments[0] : make_integer(0);
  if (input.is_undefined()) fail_kind("int", input);
  if (input.is_string()) return text_to_integer(input.string(), arguments[1], otherwise);
  if (const auto integer = integer_of(input)) return make_integer(*integer);
  if (const auto number = number_of(input)) {
    if (std::isinf(number->real)) fail_infinity();
    const auto integer = truncated(number->real);
    return integer ? make_integer(*integer) : otherwise;
  }
  return otherwise;
}

Operand float_filter(const Operand& input, FilterArguments arguments) {
  if (input.is_undefined()) fail_kind("float", input);
  if (const auto number = number_of(input)) return make_real(number->as_real());
  const auto parsed = input.is_string() ? python_parse_float(input.string()) : std::nullopt;
  if (parsed) return make_real(*parsed);
  return arguments[0] ? *arguments[0] : make_real(0);
}

Operand trim_filter(const Operand& input, FilterArguments arguments, WorkBudget& budget) {
  const std::string text = to_text(input, budget);
  budget.spend(text.size());
  if (!arguments[0] || arguments[0]->is_none()) return Operand(Value(python_strip(text)));
  if (!arguments[0]->is_string()) {
    fail_evaluation(EvaluationFault::bad_argument, "filter 'trim' takes a string of characters");
  }
  return Operand(Value(python_strip(text, arguments[0]->string())));
}

Operand length_filter(const Operand& input) {
  if (input.is_undefined()) return make_integer(0);
  if (input.is_list()) return make_integer(static_cast<Integer>(input.list_size()));
  if (input.is_string())
    return make_integer(static_cast<Integer>(code_point_count(input.string())));
  if (input.is_object()) {
    return make_integer(static_cast<Integer>(input.value()->as_object().size()));
  }
  fail_kind("length", input);
}

Operand end_filter(const Operand& input, bool first, WorkBudget& budget) {
  if (input.is_list()) {
    if (input.list_size() == 0) return {};
    return input.list_at(first ? 0 : input.list_size() - 1);
  }
  const OperandList items = iterate(input, budget);
  if (items.empty()) return {};
  return first ? items.front() : items.back();
}

Operand join_filter(const Operand& input, FilterArguments arguments, WorkBudget& budget) {
  const std::string separator = arguments[0] ? to_text(*arguments[0], budget) : std::string();
  std::string joined;
  bool after_first = false;
  for (const Operand& item : iterate(input, budget)) {
    if (after_first) joined += separator;
    after_first = true;
    joined += to_text(item, budget);
    budget.require_length(joined.size());
  }
  return Operand(Value(std::move(joined)));
}

Operand abs_filter(const Operand& input) {
  if (const auto integer = integer_of(input)) {
    return make_integer(*integer < 0 ? -*integer : *integer);
  }
  if (const auto number = number_of(input)) return make_real(std::abs(number->real));
  fail_kind("abs", input);
}

}  // namespace

std::size_t FilterSignature::position_of(std::string_view parameter) const {
  return static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), parameter) -
                                  parameters.begin());
}

const FilterSignature* find_filter(std::string_view name) {
  for (const FilterSignature& signature : signatures()) {
    if (signature.name == name) return &signature;
  }
  return nullptr;
}

Operand apply_filter(Filter filter, const Operand& input, FilterArguments arguments,
                     WorkBudget& budget) {
  budget.spend(1);
  switch (filter) {
    case Filter::default_value:
      return default_filter(input, arguments);
    case Filter::int_number:
      return int_filter(input, arguments);
    case Filter::float_number:
      return float_filter(input, arguments);
    case Filter::string:
      return Operand(Value(to_text(input, budget)));
    case Filter::lower:
      return Operand(Value(python_lower(to_text(input, budget))));
    case Filter::upper:
      return Operand(Value(python_upper(to_text(input, budget))));
    case Filter::trim:
      return trim_filter(input, arguments, budget);
    case Filter::length:
      return length_filter(input);
    case Filter::first:
      return end_filter(input, true, budget);
    case Filter::last:
      return end_filter(input, false, budget);
    case Filter::list:
      return Operand(iterate(input, budget));
    case Filter::join:
      return join_filter(input, arguments, budget);
    case Filter::round:
      return round_number(input, arguments[0], arguments[1]);
    case Filter::abs:
      return abs_filter(input);
  }
  return {};
}

}  // namespace assay::routing
