#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/routing/python_text.h"

namespace assay::routing {

/// What went wrong while a guard was evaluated.
enum class EvaluationFault {
  type_mismatch,      ///< an operation that its operands' kinds don't have
  undefined_operand,  ///< arithmetic, ordering or conversion of something undefined
  division_by_zero,
  bad_argument,      ///< a filter's argument outside what the filter takes
  integer_overflow,  ///< outside -2^63 to 2^64-1; Jinja2's integers have no bound, ours do
  too_large          ///< more work, or a longer text or list, than one guard may make
};

/// A guard that parsed but has no value here. CONTRACT "Executions": it fails the execution.
struct EvaluationError {
  EvaluationFault fault = EvaluationFault::type_mismatch;
  std::string message;
};

/// Carries an EvaluationError from the depth of an expression to `evaluate`, which catches it; it
/// never leaves this folder.
struct EvaluationFailure {
  EvaluationError error;
};

[[noreturn]] void fail_evaluation(EvaluationFault fault, std::string message);

/// The work that one evaluation may still do. It bounds time and memory of hostile guards, such as
/// a list multiplied again and again.
class WorkBudget {
 public:
  static constexpr std::size_t steps_at_most = std::size_t{1} << 20;
  static constexpr std::size_t length_at_most = std::size_t{1} << 20;

  /// Takes `steps`, or fails with `too_large`.
  void spend(std::size_t steps);
  /// Fails with `too_large` where a text or list would be longer than one guard may make.
  void require_length(std::size_t length);

 private:
  std::size_t remaining_ = steps_at_most;
};

/// Something undefined. Names, members and items give the chainable kind (its attributes are
/// undefined too); an inline if without else gives Jinja2's plain kind, whose attributes are
/// errors.
struct Undefined {
  bool chainable = true;
  friend bool operator==(const Undefined&, const Undefined&) = default;
};

class Operand;
using OperandList = std::vector<Operand>;

/// A value inside an evaluation: a JSON value borrowed from the scope or the expression, a scalar
/// of its own, a list made here (which may hold undefined items), or Undefined.
class Operand {
 public:
  Operand() = default;
  explicit Operand(Undefined undefined) : data_(undefined) {}
  explicit Operand(Value scalar) : data_(std::move(scalar)) {}
  explicit Operand(OperandList items);

  /// Refers to `value`, which must outlive the operand.
  [[nodiscard]] static Operand borrowed(const Value& value);

  [[nodiscard]] bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  [[nodiscard]] bool is_chainable() const;
  /// The JSON value, or nullptr where this is undefined or a list made here.
  [[nodiscard]] const Value* value() const;

  [[nodiscard]] bool is_none() const { return value() != nullptr && value()->is_null(); }
  [[nodiscard]] bool is_string() const { return value() != nullptr && value()->is_string(); }
  [[nodiscard]] bool is_object() const { return value() != nullptr && value()->is_object(); }
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] const std::string& string() const { return value()->as_string(); }

  /// Items of a list (`is_list()`), borrowed where the list is.
  [[nodiscard]] std::size_t list_size() const;
  [[nodiscard]] Operand list_at(std::size_t index) const;

  /// The kind in Python's words ("int", "str", "NoneType", …), for messages.
  [[nodiscard]] std::string_view type_name() const;

 private:
  std::variant<Undefined, Value, const Value*, std::shared_ptr<const OperandList>> data_;
};

/// A Python number: bool and int are exact, float is not.
struct Number {
  bool is_float = false;
  Integer integer = 0;
  double real = 0;
  [[nodiscard]] double as_real() const { return is_float ? real : static_cast<double>(integer); }
};

/// The number that an operand is (true and false are 1 and 0), or nothing.
[[nodiscard]] std::optional<Number> number_of(const Operand& operand);
/// The integer that an operand is (true and false are 1 and 0), or nothing.
[[nodiscard]] std::optional<Integer> integer_of(const Operand& operand);
/// An integer operand; fails with integer_overflow where JSON integers end.
[[nodiscard]] Operand make_integer(Integer integer);
[[nodiscard]] Operand make_real(double real);

/// Python's bool(): false for undefined, None, zero and what is empty.
[[nodiscard]] bool truth(const Operand& operand);

/// Python's ==, where true equals 1 and undefined equals only undefined.
[[nodiscard]] bool equal(const Operand& left, const Operand& right, WorkBudget& budget);

enum class Ordering { less, less_or_equal, greater, greater_or_equal };

/// Python's <, <=, > and >=: numbers, strings and lists among themselves; else a failure.
[[nodiscard]] bool ordered(const Operand& left, Ordering ordering, const Operand& right,
                           WorkBudget& budget);

/// Python's `needle in haystack`.
[[nodiscard]] bool contains(const Operand& haystack, const Operand& needle, WorkBudget& budget);

/// Python's str(); undefined is "".
[[nodiscard]] std::string to_text(const Operand& operand, WorkBudget& budget);

/// The items that Python's iteration gives: of a list, the code points of a string, the keys of an
/// object, nothing of undefined; else a failure.
[[nodiscard]] OperandList iterate(const Operand& operand, WorkBudget& budget);

/// The JSON value; undefined, and undefined items of lists, become null. Infinity and nan, which
/// JSON has no words for, are a failure.
[[nodiscard]] Value to_value(const Operand& operand, WorkBudget& budget);

}  // namespace assay::routing
