#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "reference_impl/model/routing/guard.h"
#include "reference_impl/model/routing/operand.h"

namespace assay::routing {

/// A value some of whose strings are expressions: args of an arc (specification 003 section 4.4)
/// and a loop's `in`. A string that is one `{{ … }}` becomes the expression's value, at any depth;
/// every other text stays as it is, and so does an expression that doesn't parse.
class Template {
 public:
  /// The constant null.
  Template() : node_(Value()) {}
  explicit Template(const Value& source);

  /// The value with its expressions evaluated. What is undefined becomes null.
  [[nodiscard]] Result<Value, EvaluationError> render(const Scope& scope) const;

  /// The value itself where no expression is in it, else nullptr.
  [[nodiscard]] const Value* constant() const { return std::get_if<Value>(&node_); }

 private:
  using Items = std::vector<Template>;
  using Members = std::map<std::string, Template>;

  [[nodiscard]] Value render_within(const Scope& scope, WorkBudget& budget) const;

  std::variant<Value, Guard, Items, Members> node_;
};

}  // namespace assay::routing
