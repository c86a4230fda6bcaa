#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"
#include "harness/core/source.h"

namespace assay::core {

/// One expected failure: the cases that fail under one clause, and why that is accepted for now.
struct BaselineEntry {
  SourcePosition at;
  /// A case's id, or a glob over ids in which * stands for any run of characters. Every case that
  /// it matches is expected to fail.
  std::string case_glob;
  /// The only clause whose failures it excuses.
  std::string clause;
  std::string reason;
  /// A public place that says more: an issue, a document.
  std::string reference;
  /// The last day on which the entry holds, "2026-12-31"; empty: it never ends.
  std::string expires;
  /// The failure depends on chance, on who wins a race: a case that passes is no news.
  bool sometimes = false;
};

struct Baseline {
  std::vector<BaselineEntry> entries;
};

/// What no longer fits between a baseline and a run (exit code 5): which entry, and why.
struct BaselineFindings {
  /// A case that it matches was judged, and does not fail under its clause.
  std::vector<Diagnostic> stale;
  /// No case has such an id.
  std::vector<Diagnostic> unmatched;
  /// Its last day is over; it excuses nothing any more.
  std::vector<Diagnostic> expired;

  [[nodiscard]] bool empty() const { return stale.empty() && unmatched.empty() && expired.empty(); }
};

/// Marks a case that fails, or is inconclusive, only under clauses whose entries expect that
/// (expected_fail), and notes the entries' reasons. A case that also fails under a clause that no
/// entry names stays a finding. An error is never excused: it is the harness's or the network's.
/// `today` is "YYYY-MM-DD".
void excuse(CaseResult& result, const Baseline& baseline, std::string_view today);

/// Excuses each case of a run, and marks those that pass although an entry says that they fail
/// (unexpected_pass); what another baseline marked before is forgotten. `known_cases` are the ids
/// of the whole suite, so that an entry about a case that was not chosen for this run is not called
/// unmatched.
[[nodiscard]] BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                              std::span<const std::string> known_cases,
                                              std::string_view today);

}  // namespace assay::core
