#include "harness/core/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/core/clause_table.h"

namespace assay::core {
namespace {

bool is_excusable(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::inconclusive;
}

/// The clauses that keep a case from passing; a check that names none speaks of all of the case's.
std::set<std::string> broken_clauses(const CaseResult& result) {
  std::set<std::string> broken;
  for (const Check& check : result.checks) {
    if (!is_excusable(check.verdict)) continue;
    const auto& clauses = check.clauses.empty() ? result.clauses : check.clauses;
    broken.insert(clauses.begin(), clauses.end());
  }
  if (broken.empty()) broken.insert(result.clauses.begin(), result.clauses.end());
  return broken;
}

bool excuses(const BaselineEntry& entry, const std::string& clause) {
  return entry.clause.empty() || entry.clause == clause;
}

/// What an entry met in the run.
struct Use {
  bool matched = false;
  /// A case was judged: it passed or failed, so that the entry could have been right.
  bool judged = false;
  bool right = false;
};

Use use_of(const BaselineEntry& entry, const RunRecord& record) {
  Use use;
  for (const CaseResult& result : record.cases) {
    if (!matches_glob(entry.case_glob, result.id)) continue;
    use.matched = true;
    if (result.verdict == Verdict::pass || result.verdict == Verdict::fail) use.judged = true;
    if (!is_excusable(result.verdict)) continue;
    const std::set<std::string> broken = broken_clauses(result);
    use.right = use.right || std::any_of(broken.begin(), broken.end(), [&](const auto& clause) {
                  return excuses(entry, clause);
                });
  }
  return use;
}

Diagnostic about(const BaselineEntry& entry, std::string_view what) {
  const std::string clause = entry.clause.empty() ? "" : fmt::format(" ({})", entry.clause);
  return {entry.at, fmt::format("{}{} {}", entry.case_glob, clause, what)};
}

void mark_expected(CaseResult& result, const std::vector<const BaselineEntry*>& entries) {
  if (!is_excusable(result.verdict)) return;
  const std::set<std::string> broken = broken_clauses(result);
  const auto is_excused = [&](const std::string& clause) {
    return std::any_of(entries.begin(), entries.end(), [&](const BaselineEntry* entry) {
      return matches_glob(entry->case_glob, result.id) && excuses(*entry, clause);
    });
  };
  result.expected_fail = !broken.empty() && std::all_of(broken.begin(), broken.end(), is_excused);
}

}  // namespace

BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                std::string_view today) {
  BaselineFindings findings;
  std::vector<const BaselineEntry*> live;
  for (const BaselineEntry& entry : baseline.entries) {
    const Use use = use_of(entry, record);
    if (!entry.expires.empty() && entry.expires < today) {
      findings.expired.push_back(about(entry, fmt::format("expired on {}", entry.expires)));
      continue;
    }
    live.push_back(&entry);
    if (!use.matched) {
      findings.unmatched.push_back(about(entry, "matches no case of the run"));
    } else if (use.judged && !use.right) {
      findings.stale.push_back(about(entry, "does not fail any more; delete the entry"));
      for (CaseResult& result : record.cases) {
        const bool passes = result.verdict == Verdict::pass;
        if (passes && matches_glob(entry.case_glob, result.id)) result.unexpected_pass = true;
      }
    }
  }
  for (CaseResult& result : record.cases) mark_expected(result, live);
  return findings;
}

}  // namespace assay::core
