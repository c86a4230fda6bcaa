#pragma once

#include "reference_impl/model/routing/expression.h"
#include "reference_impl/model/routing/guard.h"
#include "reference_impl/model/routing/operand.h"

namespace assay::routing {

/// The value of an expression with Jinja2's meaning (ChainableUndefined). The operand may refer to
/// the expression and the scope's values. Throws EvaluationFailure.
[[nodiscard]] Operand evaluate_expression(const Expression& expression, const Scope& scope,
                                          WorkBudget& budget);

}  // namespace assay::routing
