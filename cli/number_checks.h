#pragma once

#include <CLI/CLI.hpp>
#include <limits>

namespace assay::cli {

/// A number in that range; nan is in none.
[[nodiscard]] CLI::Validator finite_number(double least,
                                           double most = std::numeric_limits<double>::max());

}  // namespace assay::cli
