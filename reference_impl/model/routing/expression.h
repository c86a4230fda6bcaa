#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/value.h"

// The syntax tree of a guard. Chains of operators of one precedence are one node with a list of
// operands, so that a tree is only as deep as its text is nested, and the parser bounds that.

namespace assay::routing {

struct Expression;

struct Literal {
  Value value;
};

struct Name {
  std::string name;
};

struct ListLiteral {
  std::vector<Expression> items;
};

struct Negation {
  std::vector<Expression> operand;  ///< exactly one
};

enum class Sign { plus, minus };

struct Signed {
  Sign sign = Sign::plus;
  std::vector<Expression> operand;  ///< exactly one
};

/// a or b or c; a and b and c. The value is the operand that decides, as in Python.
struct Logical {
  bool is_and = false;
  std::vector<Expression> operands;
};

enum class Comparator {
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  in,
  not_in
};

/// a < b <= c: operands one more than comparators, each pair compared until one doesn't hold.
struct Comparison {
  std::vector<Expression> operands;
  std::vector<Comparator> comparators;
};

enum class ArithmeticOperator { add, subtract, multiply, divide, floor_divide, modulo };

/// a + b - c: operands one more than operators, taken from the left.
struct Arithmetic {
  std::vector<Expression> operands;
  std::vector<ArithmeticOperator> operators;
};

/// a ~ b ~ c
struct Concatenation {
  std::vector<Expression> operands;
};

/// value if condition else otherwise; without else it is undefined.
struct Conditional {
  std::vector<Expression> parts;  ///< value, condition and, where there is an else, otherwise
};

enum class Filter {
  default_value,
  int_number,
  float_number,
  string,
  lower,
  upper,
  trim,
  length,
  first,
  last,
  list,
  join,
  round,
  abs
};

enum class Test { defined, undefined, none };

struct AttributeAccess {
  std::string name;
};

struct IndexAccess {
  std::vector<Expression> index;  ///< exactly one
};

/// Arguments by the filter's own parameter order; one that wasn't given has no expression.
struct FilterCall {
  Filter filter = Filter::default_value;
  std::vector<std::vector<Expression>> arguments;  ///< each empty or exactly one
};

struct TestCall {
  Test test = Test::defined;
  bool negated = false;
};

/// a.b[0] | first is defined: what is applied to a base, from the left.
struct Chain {
  using Step = std::variant<AttributeAccess, IndexAccess, FilterCall, TestCall>;
  std::vector<Expression> base;  ///< exactly one
  std::vector<Step> steps;
};

struct Expression {
  std::variant<Literal, Name, ListLiteral, Negation, Signed, Logical, Comparison, Arithmetic,
               Concatenation, Conditional, Chain>
      node;
};

}  // namespace assay::routing
