#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "reference_impl/model/routing/lexer.h"
#include "reference_impl/model/routing/operand.h"

namespace assay::routing {

struct Expression;

/// The names that a guard sees: bindings, and below them the members of one object (the workload's
/// keys, which CONTRACT makes visible bare). It refers to the values and owns none.
class Scope {
 public:
  /// A later binding of one name hides an earlier one.
  void bind(std::string_view name, const Value& value) { bindings_.emplace_back(name, &value); }
  /// Makes an object's members visible where no binding has their name; others are ignored.
  void show_members_of(const Value& object) { members_ = &object; }

  /// The value of that name, or nullptr where it is undefined.
  [[nodiscard]] const Value* find(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, const Value*>> bindings_;
  const Value* members_ = nullptr;
};

/// A parsed guard: an expression of the Jinja2 subset that CONTRACT "Playbook" names. Copies share
/// the expression.
class Guard {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Expression& expression() const { return *expression_; }

 private:
  friend Result<Guard, GuardError> parse_guard(std::string_view text);
  std::string text_;
  std::shared_ptr<const Expression> expression_;
};

/// Reads a guard: the text inside `{{ }}`, or the whole string. Linear in the text's length.
[[nodiscard]] Result<Guard, GuardError> parse_guard(std::string_view text);

/// The guard's value; what is undefined becomes null.
[[nodiscard]] Result<Value, EvaluationError> evaluate(const Guard& guard, const Scope& scope);

/// Whether the guard's value is true in Python's sense; undefined is false. The result itself only
/// says whether that could be told: its truth is `*result`.
[[nodiscard]] Result<bool, EvaluationError> holds(const Guard& guard, const Scope& scope);

}  // namespace assay::routing
