#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"
#include "harness/core/source.h"

namespace assay::core {

/// One expected failure: the cases that fail, and why that is accepted for now.
struct BaselineEntry {
  SourcePosition at;
  /// A case's id, or a glob over ids in which * stands for any run of characters.
  std::string case_glob;
  /// Only failures of this clause are expected; empty: of any clause.
  std::string clause;
  std::string reason;
  /// A public place that says more: an issue, a document.
  std::string reference;
  /// The last day on which the entry holds, "2026-12-31"; empty: it never ends.
  std::string expires;
};

struct Baseline {
  std::vector<BaselineEntry> entries;
};

/// What no longer fits between a baseline and a run (exit code 5): which entry, and why.
struct BaselineFindings {
  /// Cases that it matches were judged, and none of them fails as it says.
  std::vector<Diagnostic> stale;
  /// No case of the run has such an id.
  std::vector<Diagnostic> unmatched;
  /// Its last day is over; it excuses nothing any more.
  std::vector<Diagnostic> expired;

  [[nodiscard]] bool empty() const { return stale.empty() && unmatched.empty() && expired.empty(); }
};

/// Marks the cases that fail, or are inconclusive, only as entries expect (expected_fail), and
/// those that pass although an entry, now stale, says that they fail (unexpected_pass). A case that
/// also fails a clause that no entry names stays a finding. An error is never excused: it is the
/// harness's or the network's. `today` is "YYYY-MM-DD".
[[nodiscard]] BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                              std::string_view today);

}  // namespace assay::core
