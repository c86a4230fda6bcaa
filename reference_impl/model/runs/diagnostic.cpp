#include "reference_impl/model/runs/diagnostic.h"

#include <algorithm>
#include <array>

namespace assay::runs {
namespace {

constexpr std::array<std::string_view, 5> text_members = {"error_code", "category", "message",
                                                          "likely_cause", "suggested_fix"};
constexpr std::array<std::string_view, 4> severities = {"info", "warn", "error", "critical"};

DiagnosticProblem problem_of(std::string_view member, std::string_view expectation) {
  return {"/" + std::string(member), std::string(member) + " " + std::string(expectation)};
}

}  // namespace

std::optional<DiagnosticProblem> diagnostic_problem(const Value& diagnostic,
                                                    bool takes_any_severity) {
  if (!diagnostic.is_object()) {
    return DiagnosticProblem{
        "", "a diagnostic is an object, not " + std::string(diagnostic.kind_name())};
  }
  for (const std::string_view member : text_members) {
    const std::optional<std::string> text = diagnostic.string_at(member);
    if (!text || text->empty()) return problem_of(member, "must be a string that is not empty");
  }
  const Value* retryable = diagnostic.find("retryable");
  if (retryable == nullptr || !retryable->is_bool()) {
    return problem_of("retryable", "must be a boolean");
  }
  const std::optional<std::string> severity = diagnostic.string_at("severity");
  if (takes_any_severity) {
    if (severity && !severity->empty()) return std::nullopt;
    return problem_of("severity", "must be a string that is not empty");
  }
  if (!severity || std::find(severities.begin(), severities.end(), *severity) == severities.end()) {
    return problem_of("severity", "must be info, warn, error or critical");
  }
  return std::nullopt;
}

Value forced_failure_diagnostic(std::string_view from, std::string_view attempted) {
  const std::string attempt = std::string(from) + " to " + std::string(attempted);
  return Object{{"error_code", invalid_state_transition},
                {"category", "lifecycle"},
                {"message", "The transition " + attempt + " is not defined."},
                {"likely_cause", "The client moved the run without reading its status first."},
                {"suggested_fix", "Retry as a new run and request only valid transitions."},
                {"retryable", false},
                {"severity", "error"}};
}

}  // namespace assay::runs
