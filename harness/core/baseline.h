#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"
#include "harness/core/source.h"

namespace assay::core {

/// One expected failure: the cases that fail, and why that is accepted for now.
struct BaselineEntry {
  SourcePosition at;
  /// A case id, or a glob over case ids in which * stands for any run of characters.
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

/// What no longer fits between a baseline and a run. Each line says which entry, where, and why;
/// none of the three is green (exit code 5).
struct BaselineFindings {
  /// The case passes now: the entry is to be deleted.
  std::vector<Diagnostic> stale;
  /// No case of the run has such an id.
  std::vector<Diagnostic> unmatched;
  /// The entry's last day is over; it excuses nothing any more.
  std::vector<Diagnostic> expired;

  [[nodiscard]] bool empty() const { return stale.empty() && unmatched.empty() && expired.empty(); }
};

/// Marks the cases of `record` that fail as their entries expect (expected_fail) and those that
/// pass although an entry says that they fail (unexpected_pass). A failure of a clause that the
/// entry does not name stays a finding; so does an error: a baseline never excuses the harness or
/// the network. An entry is stale when every case that it matches and that was judged passes; it is
/// unmatched when it matches no case. `today` is "YYYY-MM-DD".
[[nodiscard]] BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                              std::string_view today);

}  // namespace assay::core
