#include "reference_impl/model/routing/guard.h"

#include <algorithm>

#include "reference_impl/model/routing/evaluator.h"
#include "reference_impl/model/routing/parser.h"

namespace assay::routing {

const Value* Scope::find(std::string_view name) const {
  const auto binding = std::find_if(bindings_.rbegin(), bindings_.rend(),
                                    [name](const auto& one) { return one.first == name; });
  if (binding != bindings_.rend()) return binding->second;
  return members_ == nullptr ? nullptr : members_->find(name);
}

Result<Guard, GuardError> parse_guard(std::string_view text) {
  try {
    Guard guard;
    guard.text_ = std::string(text);
    guard.expression_ = std::make_shared<const Expression>(parse_expression(text));
    return guard;
  } catch (const SyntaxFailure& failure) {
    return unexpected(failure.error);
  }
}

Result<Value, EvaluationError> evaluate(const Guard& guard, const Scope& scope) {
  try {
    WorkBudget budget;
    return to_value(evaluate_expression(guard.expression(), scope, budget), budget);
  } catch (const EvaluationFailure& failure) {
    return unexpected(failure.error);
  }
}

Result<bool, EvaluationError> holds(const Guard& guard, const Scope& scope) {
  try {
    WorkBudget budget;
    return truth(evaluate_expression(guard.expression(), scope, budget));
  } catch (const EvaluationFailure& failure) {
    return unexpected(failure.error);
  }
}

}  // namespace assay::routing
