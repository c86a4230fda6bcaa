#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"

namespace assay::check {

/// Why a case did not pass, without what differs from one run to the next: identifiers, times, the
/// counts in a narrative. The same fault gives the same cause in each run, so that baselines and
/// code scanners can remember it.
struct Cause {
  core::Verdict verdict = core::Verdict::inconclusive;
  /// The clause that the deciding check is about first; empty where none decided.
  std::string clause;
  /// What was looked at: "executions.status /state".
  std::string subject;
  std::string expected;
  std::string actual;
  /// Where nothing was compared: why there is no verdict.
  std::string reason;

  friend bool operator==(const Cause&, const Cause&) = default;
};

/// Whether two cases failed alike: in the same member of the same answer, under the same clause,
/// with the same value. What was expected there may differ from case to case.
[[nodiscard]] bool is_same_cause(const Cause& left, const Cause& right);

/// "STM-EXEC-R1: executions.status /state is "RUNNING"": equal for causes that are the same.
[[nodiscard]] std::string cause_text(const Cause& cause);

/// The check that decided a case: the first of those with its verdict; nullptr where none has it.
[[nodiscard]] const core::Check* deciding_check(const core::CaseResult& result);

/// The cause that a check gives.
[[nodiscard]] Cause cause_of(const core::Check& check);

/// The cause of a case, from its deciding check.
[[nodiscard]] Cause cause_of(const core::CaseResult& result);

/// `text` with "<id>" for each identifier that a harness or a server made, "<time>" for each RFC
/// 3339 time. Of more than one line it keeps the first, with "#" for its numbers.
[[nodiscard]] std::string without_identifiers(std::string_view text);

}  // namespace assay::check
