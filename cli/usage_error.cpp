#include "cli/usage_error.h"

#include <fmt/format.h>

#include "base/words.h"
#include "harness/core/clause_table.h"

namespace assay::cli {
namespace {

constexpr std::size_t limit_listed_names = 20;

std::string fault_lines(const std::vector<core::Diagnostic>& faults) {
  std::vector<std::string> lines;
  lines.reserve(faults.size());
  for (const core::Diagnostic& fault : faults) lines.push_back(core::diagnostic_text(fault));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

UsageError::UsageError(const std::vector<core::Diagnostic>& faults)
    : std::runtime_error(fault_lines(faults)) {}

std::string unknown_name_text(std::string_view kind, std::string_view name,
                              const std::vector<std::string>& known) {
  const std::optional<std::string> nearest = nearest_name(name, known);
  if (nearest) return fmt::format("unknown {} \"{}\"; did you mean \"{}\"?", kind, name, *nearest);
  if (known.size() > limit_listed_names) return fmt::format("unknown {} \"{}\"", kind, name);
  return fmt::format("unknown {} \"{}\"; there are {}", kind, name, fmt::join(known, ", "));
}

}  // namespace assay::cli
