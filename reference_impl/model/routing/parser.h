#pragma once

#include <string_view>

#include "reference_impl/model/routing/expression.h"
#include "reference_impl/model/routing/lexer.h"

namespace assay::routing {

/// How deep parentheses, lists, subscripts, arguments, signs and nots may be nested in a guard.
inline constexpr int nesting_at_most = 100;

/// The expression that a guard's text is, by Jinja2's grammar and precedence. Throws SyntaxFailure
/// for what is no expression and for what is outside the subset: calls, tuples, dictionaries,
/// slices, **, unknown filters and tests.
[[nodiscard]] Expression parse_expression(std::string_view text);

}  // namespace assay::routing
