#include "cli/number_checks.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace assay::cli {

CLI::Validator finite_number(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    // Written so that nan fails.
    const bool is_number = !text.empty() && *end == '\0' && number >= least && number <= most;
    if (is_number) return std::string();
    return most < std::numeric_limits<double>::max()
               ? fmt::format("expected {:g} to {:g}, got {}", least, most, text)
               : fmt::format("expected {:g} or more, got {}", least, text);
  };
  return {check, "NUMBER"};
}

}  // namespace assay::cli
