#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/baseline.h"
#include "harness/core/record.h"

namespace assay::cli {

/// What entries that are written for a run say besides what they excuse.
struct EntryDefaults {
  std::string reason;
  /// Reasons of their own by clause, for its entries and for those of other clauses that the same
  /// cause breaks.
  std::map<std::string, std::string> reasons = {};
  std::string owner;
  /// "2026-12-31".
  std::string expires;
};

/// What they say where nobody says anything: not looked into yet, for 90 days.
[[nodiscard]] EntryDefaults default_entry();

/// The entries that are missing for a run's failures to be expected, those of one cause side by
/// side: one for each case (rows of a matrix that all fail in one way are one, the cases of a
/// generated family are one) and clause, with what was seen. What an entry of `known` excuses,
/// expired or not, needs none. A flaky
/// case has one of its own, which it may pass.
[[nodiscard]] std::vector<core::BaselineEntry> missing_entries(const core::RunRecord& record,
                                                               const core::Baseline& known,
                                                               const EntryDefaults& defaults);

/// A new file with these entries.
[[nodiscard]] std::string baseline_text(const core::RunRecord& record,
                                        const std::vector<core::BaselineEntry>& entries);

/// The text of a baseline's file rewritten so that it fits a run: entries that fit no longer go,
/// those that need a day or what is seen get it, new ones follow at the end with the reasons of
/// those that they replace. All other lines, comments too, stay as they are. Expired entries stay
/// as well: they are for a person to decide. `findings` are those of the run.
[[nodiscard]] std::string updated_baseline(std::string_view text, const core::Baseline& baseline,
                                           const core::BaselineFindings& findings,
                                           const core::RunRecord& record,
                                           const EntryDefaults& defaults);

}  // namespace assay::cli
