#pragma once

#include <CLI/CLI.hpp>
#include <limits>

namespace assay::cli {

/// A whole number that fits 64 bits, in digits alone: CLI11 reads a leading 0 as octal, and takes
/// what is too large for the largest that fits.
[[nodiscard]] CLI::Validator whole_number();

/// A number in that range; nan is in none.
[[nodiscard]] CLI::Validator finite_number(double least,
                                           double most = std::numeric_limits<double>::max());

}  // namespace assay::cli
