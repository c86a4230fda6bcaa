#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

namespace assay::runs {

/// The error code that an undefined transition records (specification 004, Invalid State Rule).
inline constexpr std::string_view invalid_state_transition = "INVALID_STATE_TRANSITION";

/// What keeps a value from being a complete diagnostic.
struct DiagnosticProblem {
  /// JSON Pointer into the diagnostic; empty where the diagnostic as a whole is at fault.
  std::string pointer;
  std::string detail;
};

/// The first problem of a diagnostic, or nothing where it is complete: an object with error_code,
/// category, message, likely_cause and suggested_fix (strings, not empty), retryable (a boolean)
/// and severity (info, warn, error or critical, or any text that is not empty). Further members are
/// the sender's own (specification 004, Failure Diagnostic Requirement).
[[nodiscard]] std::optional<DiagnosticProblem> diagnostic_problem(const Value& diagnostic,
                                                                  bool takes_any_severity = false);

/// The diagnostic of a run that an undefined transition failed.
[[nodiscard]] Value forced_failure_diagnostic(std::string_view from, std::string_view attempted);

}  // namespace assay::runs
