#pragma once

#include <optional>

#include "reference_impl/model/routing/expression.h"
#include "reference_impl/model/routing/operand.h"

namespace assay::routing {

/// Python's +, -, *, /, // and %. Throws EvaluationFailure.
[[nodiscard]] Operand calculate(const Operand& left, ArithmeticOperator operation,
                                const Operand& right, WorkBudget& budget);

/// Python's unary + and -. Throws EvaluationFailure.
[[nodiscard]] Operand apply_sign(Sign sign, const Operand& operand);

/// Jinja2's round filter: `precision` digits (0 where not given), `method` common, ceil or floor.
/// Throws EvaluationFailure.
[[nodiscard]] Operand round_number(const Operand& input, const std::optional<Operand>& precision,
                                   const std::optional<Operand>& method);

}  // namespace assay::routing
