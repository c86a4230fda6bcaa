#pragma once

#include <span>

#include "base/words.h"

namespace assay::core {

/// What a check, a case, a clause or a run came to, in the order in which the worse one wins.
enum class Verdict {
  not_applicable,  ///< Needs a capability that the profile does not declare.
  pass,
  inconclusive,  ///< Nothing decided it in the time that it had.
  error,         ///< The harness's or the network's fault, never the target's.
  fail,
};

/// The worst of two verdicts.
[[nodiscard]] Verdict merge(Verdict left, Verdict right);
/// The worst of them; nothing to merge is not_applicable, never pass.
[[nodiscard]] Verdict merge(std::span<const Verdict> verdicts);

inline constexpr Words<Verdict::fail> verdict_words = {"not_applicable", "pass", "inconclusive",
                                                       "error", "fail"};

/// What a process of assay ends with. Other people's pipelines rely on the numbers.
enum class ExitCode {
  conforms = 0,
  unexpected_findings = 1,
  usage = 2,
  target_unreachable = 3,
  nothing_proven = 4,
  baseline_stale = 5,
  harness_fault = 6,
};

}  // namespace assay::core
