#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/value.h"

namespace assay::core {

/// What an answer is asked for before something is made of it: one test of the value at a JSON
/// Pointer, or several conditions together.
struct Condition {
  enum class Test {
    is,      ///< The value is there and equals the operand.
    is_not,  ///< It is absent, or another.
    exists,  ///< Whether it is there and not null is as the operand, a boolean, says.
    one_of,  ///< It equals an element of the operand, a list.
    below,   ///< It is a number less than the operand, or a text before it by its bytes.
    at_most,
    above,
    at_least,
    matches,  ///< It is a text in which the operand, a regular expression, is found.
    all,      ///< Each of `parts` holds.
    any,      ///< One of `parts` holds.
    none,     ///< None of `parts` holds.
  };

  Test test = Test::is;
  std::string pointer = {};
  Value operand = {};
  std::vector<Condition> parts = {};

  [[nodiscard]] static Condition equal(std::string pointer, Value operand) {
    return {Test::is, std::move(pointer), std::move(operand), {}};
  }
};

}  // namespace assay::core
