#include "harness/check/late_answers.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::check {
namespace {

/// Fewer may be late for reasons of their own.
constexpr std::ptrdiff_t least_cases = 3;

bool is_late(const core::CaseResult& result) {
  return result.verdict == core::Verdict::inconclusive &&
         std::any_of(result.exchanges.begin(), result.exchanges.end(), [](const auto& exchange) {
           return exchange.error && exchange.error->fault == core::TransportFault::request_timeout;
         });
}

}  // namespace

std::optional<std::string> note_on_late_answers(std::span<const core::CaseResult> cases,
                                                std::size_t jobs, std::int64_t request_ms) {
  const auto late = std::count_if(cases.begin(), cases.end(), is_late);
  if (late < least_cases) return std::nullopt;
  const std::string advice =
      jobs > 1 ? fmt::format(
                     "with {} cases at the same moment; give it fewer by --jobs 4, or "
                     "limits: {{jobs: 4}} in the profile",
                     jobs)
               : "give it longer by limits: {request_ms: …} in the profile";
  return fmt::format("{} cases had no complete answer within {} ms, {}", late, request_ms, advice);
}

}  // namespace assay::check
