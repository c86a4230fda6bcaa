#pragma once

#include <map>
#include <set>
#include <span>
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

/// The entries that are missing for the failures of some runs of one target to be expected, those
/// of one cause side by side: one for each case (rows of a matrix that all fail in one way are one,
/// the cases of a generated family are one) and clause, with what was seen. What an entry of
/// `known` excuses, expired or not, needs none. A flaky case has one of its own, which it may pass;
/// so has a case that one run judges otherwise than another, with all the ways in which it was seen
/// to fail.
[[nodiscard]] std::vector<core::BaselineEntry> missing_entries(
    std::span<const core::RunRecord> records, const core::Baseline& known,
    const EntryDefaults& defaults);
[[nodiscard]] std::vector<core::BaselineEntry> missing_entries(const core::RunRecord& record,
                                                               const core::Baseline& known,
                                                               const EntryDefaults& defaults);

/// A new file with these entries.
[[nodiscard]] std::string baseline_text(const core::RunRecord& record,
                                        const std::vector<core::BaselineEntry>& entries);

/// The text of a baseline's file rewritten so that it fits a run: entries that fit no longer go,
/// those that need a day or what is seen get it, new ones follow at the end with the reasons of
/// those that they replace. All other lines, comments too, stay as they are. Expired entries stay
/// as well: they are for a person to decide. `findings` are those of the run. A known race stays
/// one: where an entry says `sometimes`, and where one of the cases `at_one_moment`, which send
/// requests at the same moment, fails otherwise than before, no way is taken for the only one.
[[nodiscard]] std::string updated_baseline(std::string_view text, const core::Baseline& baseline,
                                           const core::BaselineFindings& findings,
                                           const core::RunRecord& record,
                                           const EntryDefaults& defaults,
                                           const std::set<std::string>& at_one_moment = {});

}  // namespace assay::cli
