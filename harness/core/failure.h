#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"

namespace assay::core {

/// One clause that a check keeps a case from passing under, and how.
struct Failure {
  std::string clause;
  /// fail or inconclusive.
  Verdict verdict = Verdict::fail;
  /// What was expected and what was seen, without identifiers and times, on one line:
  /// `executions.status /state: "CANCELLED" -> "RUNNING"`; of what was not decided, the reason. The
  /// same fault gives the same signature in every run.
  std::string signature;
  /// Of a generated case: what was done last, and where: "call.done in RUNNING, a command open".
  std::string after = {};

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// The signature behind what was done last, as `seen` of a baseline has it for a generated case:
/// `call.done in RUNNING: executions.status /state: "RUNNING" -> "COMPLETED"`.
[[nodiscard]] std::string whole_signature(const Failure& failure);

/// What keeps a case from passing: a failure for each clause of each check that fails or is
/// inconclusive, none twice. A check that names no clause speaks of all of the case's; so does a
/// case that is inconclusive without a check. An error is no failure: it is never the target's.
[[nodiscard]] std::vector<Failure> failures_of(const CaseResult& result);

/// The text with every identifier that differs from run to run as <id> (what assay makes, UUIDs,
/// digests), every instant as <time>, and every number of six digits or more as <number>; line
/// breaks become spaces, and what is long is cut.
[[nodiscard]] std::string without_identifiers(std::string_view text);

}  // namespace assay::core
