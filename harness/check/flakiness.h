#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/core/record.h"

namespace assay::check {

/// How often a case did not pass, out of the times that it was played. What was not applicable, or
/// an error of the harness or the network, counts for nothing.
struct FailureRate {
  std::size_t failed = 0;
  std::size_t played = 0;
  /// The 95 % interval (Wilson's) of how often it does not pass, 0 to 1.
  double lowest = 0;
  double highest = 1;
};

/// "33 % (95 % interval 6 to 79 %)".
[[nodiscard]] std::string rate_text(const FailureRate& rate);

/// Of one case in one run, its retries included.
[[nodiscard]] FailureRate failure_rate(const core::CaseResult& result);

/// Whether a case did not pass at first, and passed when it was run again.
[[nodiscard]] bool is_flaky(const core::CaseResult& result);

/// Whether a case is flaky and its run was told to let such cases through.
[[nodiscard]] bool is_let_through(const core::CaseResult& result, const core::RecordHeader& header);

/// One way in which a case did not pass, and how often.
struct FailingWay {
  /// Of each clause what was expected and what came: `STM-EXEC-R1 executions.status /state: …`.
  std::vector<std::string> failures;
  std::size_t times = 0;
};

/// A case that passed in some runs and failed, or was not decided, in others, or that failed in one
/// way in some and in another way in others.
struct FlakyCase {
  std::string id;
  FailureRate rate;
  /// The ways in which it did not pass, the most frequent first. Retries have none.
  std::vector<FailingWay> ways = {};
};

/// The flaky cases of all records together, retries included: first those that pass now and then,
/// the flakiest first. A generated case is compared only between runs with one seed.
[[nodiscard]] std::vector<FlakyCase> flaky_cases(std::span<const core::RunRecord> records);

}  // namespace assay::check
