#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/record.h"
#include "harness/core/source.h"

namespace assay::core {

/// Expected failures: the cases that fail under one clause, how, and why that is accepted for now.
struct BaselineEntry {
  SourcePosition at;
  /// The last line of the text that it takes.
  int last_line = 0;
  /// A case's id, or a glob over ids in which * stands for any run of characters. Every case that
  /// it matches is expected to fail.
  std::string case_glob;
  /// The only clause whose failures it excuses.
  std::string clause;
  /// Globs over the signatures (failure.h) that it excuses; empty: any. A failure with another
  /// signature is new.
  std::vector<std::string> seen = {};
  /// The only verdict that it excuses, fail or inconclusive; nothing: both.
  std::optional<Verdict> verdict = {};
  std::string reason = {};
  /// A public place that says more: an issue, a document.
  std::string reference = {};
  /// Who sees to it that it goes away.
  std::string owner = {};
  /// The last day on which the entry holds, "2026-12-31"; empty: it never ends.
  std::string expires = {};
  /// Where it holds: a glob over the profile's name, and one over what the target says of itself
  /// (name and version); empty: everywhere.
  std::string profile = {};
  std::string target = {};
  /// The failure depends on chance, on who wins a race: a case that passes is no news.
  bool sometimes = false;
};

struct Baseline {
  std::vector<BaselineEntry> entries;
};

/// What of a baseline has to change (exit code 5): at which entry, why, and which lines.
struct BaselineFindings {
  /// A case that it matches was judged, and does not fail as it says.
  std::vector<Diagnostic> stale;
  /// No case has such an id.
  std::vector<Diagnostic> unmatched;
  /// Its last day is over; it excuses nothing any more.
  std::vector<Diagnostic> expired;
  /// It would excuse what nobody has looked at: see is_too_wide in the source, and docs/gating.md.
  std::vector<Diagnostic> too_wide;
  /// It excuses only what an entry before it excuses too.
  std::vector<Diagnostic> overlapping;

  [[nodiscard]] bool empty() const { return in_order().empty(); }
  /// All of them, by the place of the entry.
  [[nodiscard]] std::vector<Diagnostic> in_order() const;
};

/// What a run is, as far as the conditions of entries ask.
struct BaselineContext {
  /// "YYYY-MM-DD".
  std::string today = {};
  std::string profile = {};
  /// Nothing while it is not known: every condition about it holds.
  std::optional<std::string> target_identity = {};
  /// Whether MUST clauses may be expected to fail for ever is asked of it; nothing: they may.
  const ClauseTable* clauses = nullptr;
};

/// Lets entries that name a row by its index, as rows were called before they had names, name it as
/// it is called now; returns what to write instead, each at its entry. `known_cases` are the ids of
/// the whole suite, in its order.
std::vector<Diagnostic> use_row_names(Baseline& baseline, std::span<const std::string> known_cases);

/// Marks a case that fails, or is inconclusive, only as entries expect (expected_fail), and notes
/// the entries' reasons. A case that also fails under a clause, or with a signature, that no entry
/// names stays a finding. An error is never excused: it is the harness's or the network's.
void excuse(CaseResult& result, const Baseline& baseline, const BaselineContext& context);

/// Excuses each case of a run, and marks those that pass although an entry says that they fail
/// (unexpected_pass); what another baseline marked before is forgotten. `known_cases` are the ids
/// of the whole suite, so that an entry about a case that was not chosen for this run is not called
/// unmatched. The run's profile and target are those of the record's header.
[[nodiscard]] BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                              std::span<const std::string> known_cases,
                                              const BaselineContext& context);

/// Entries that are wrong whatever the run shows: those that are too wide among the suite's cases.
[[nodiscard]] BaselineFindings review_baseline(const Baseline& baseline,
                                               std::span<const std::string> known_cases,
                                               const BaselineContext& context);

}  // namespace assay::core
