#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference_impl/model/routing/expression.h"
#include "reference_impl/model/routing/operand.h"

namespace assay::routing {

/// A filter's name and the names of its parameters, in order.
struct FilterSignature {
  std::string_view name;
  Filter filter;
  std::vector<std::string_view> parameters;

  /// The place of a parameter, or one past the last where there is none of that name.
  [[nodiscard]] std::size_t position_of(std::string_view parameter) const;
};

/// The filter of that name, or nullptr.
[[nodiscard]] const FilterSignature* find_filter(std::string_view name);

using FilterArguments = std::span<const std::optional<Operand>>;

/// Applies a filter with Jinja2's meaning. `arguments` has one place for each parameter. Throws
/// EvaluationFailure.
[[nodiscard]] Operand apply_filter(Filter filter, const Operand& input, FilterArguments arguments,
                                   WorkBudget& budget);

}  // namespace assay::routing
