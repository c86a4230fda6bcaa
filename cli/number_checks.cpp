#include "cli/number_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace assay::cli {

CLI::Validator whole_number() {
  const auto check = [](const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, number);
    const bool is_plain = fault == std::errc() && stop == end;
    const bool is_octal = text.size() > 1 && text.front() == '0';
    if (is_plain && !is_octal) return std::string();
    return fmt::format("{}: expected a whole number from 0 to 18446744073709551615", text);
  };
  return {check, "WHOLE"};
}

CLI::Validator finite_number(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    // Written so that nan fails.
    const bool is_number = !text.empty() && *end == '\0' && number >= least && number <= most;
    if (is_number) return std::string();
    return most < std::numeric_limits<double>::max()
               ? fmt::format("{}: expected a number from {:g} to {:g}", text, least, most)
               : fmt::format("{}: expected a number from {:g} on", text, least);
  };
  return {check, "NUMBER"};
}

}  // namespace assay::cli
