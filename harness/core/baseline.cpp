#include "harness/core/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/core/clause_table.h"

namespace assay::core {
namespace {

/// Of the cases that a message names; the rest is counted.
constexpr std::size_t limit_named_cases = 5;

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

bool is_expired(const BaselineEntry& entry, std::string_view today) {
  return !entry.expires.empty() && entry.expires < today;
}

/// A case that passed or failed shows whether an entry is right; one that was not decided does not.
bool is_judged(const CaseResult& result) {
  return result.verdict == Verdict::pass || result.verdict == Verdict::fail;
}

bool fails_as_said(const CaseResult& result, const BaselineEntry& entry) {
  return is_excusable(result.verdict) && broken_clauses(result).contains(entry.clause);
}

std::string reason_text(const BaselineEntry& entry) {
  return entry.reference.empty() ? entry.reason
                                 : fmt::format("{} ({})", entry.reason, entry.reference);
}

Diagnostic about(const BaselineEntry& entry, std::string_view what) {
  return {entry.at, fmt::format("{} ({}) {}", entry.case_glob, entry.clause, what)};
}

std::string names_of(const std::vector<std::string>& cases) {
  const std::size_t named = std::min(cases.size(), limit_named_cases);
  const auto last = cases.begin() + static_cast<std::ptrdiff_t>(named);
  std::string text = fmt::format("{}", fmt::join(cases.begin(), last, ", "));
  if (named < cases.size()) text += fmt::format(" and {} more", cases.size() - named);
  return text;
}

bool matches_any(const BaselineEntry& entry, std::span<const std::string> cases) {
  return std::any_of(cases.begin(), cases.end(),
                     [&entry](const std::string& id) { return matches_glob(entry.case_glob, id); });
}

/// Judges an entry by the cases that it matches, and marks those that pass against its word.
void review(const BaselineEntry& entry, RunRecord& record, std::span<const std::string> known_cases,
            BaselineFindings& findings) {
  bool is_matched = false;
  std::vector<std::string> otherwise;
  for (CaseResult& result : record.cases) {
    if (!matches_glob(entry.case_glob, result.id)) continue;
    is_matched = true;
    if (entry.sometimes || !is_judged(result) || fails_as_said(result, entry)) continue;
    otherwise.push_back(result.id);
    result.unexpected_pass |= result.verdict == Verdict::pass;
  }
  if (!is_matched && !matches_any(entry, known_cases)) {
    findings.unmatched.push_back(about(entry, "matches no case"));
  }
  if (otherwise.empty()) return;
  const bool names_one = otherwise.size() == 1 && otherwise.front() == entry.case_glob;
  findings.stale.push_back(
      about(entry, names_one ? "does not fail under this clause any more"
                             : fmt::format("does not fail under this clause any more in {}",
                                           names_of(otherwise))));
}

}  // namespace

void excuse(CaseResult& result, const Baseline& baseline, std::string_view today) {
  if (!is_excusable(result.verdict)) return;
  std::set<std::string> open = broken_clauses(result);
  std::vector<std::string> reasons;
  for (const BaselineEntry& entry : baseline.entries) {
    if (is_expired(entry, today) || !matches_glob(entry.case_glob, result.id)) continue;
    if (open.erase(entry.clause) == 0) continue;
    std::string reason = reason_text(entry);
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(std::move(reason));
    }
  }
  if (!open.empty() || reasons.empty()) return;
  result.expected_fail = true;
  result.baseline_reasons = std::move(reasons);
}

BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                std::span<const std::string> known_cases, std::string_view today) {
  BaselineFindings findings;
  for (CaseResult& result : record.cases) {
    result.expected_fail = false;
    result.unexpected_pass = false;
    result.baseline_reasons.clear();
    excuse(result, baseline, today);
  }
  for (const BaselineEntry& entry : baseline.entries) {
    if (is_expired(entry, today)) {
      findings.expired.push_back(about(entry, fmt::format("expired on {}", entry.expires)));
    } else {
      review(entry, record, known_cases, findings);
    }
  }
  return findings;
}

}  // namespace assay::core
