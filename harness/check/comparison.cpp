#include "harness/check/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/check/judge.h"
#include "harness/core/case_name.h"
#include "harness/core/failure.h"

namespace assay::check {
namespace {

using core::CaseResult;
using core::RunRecord;
using core::Verdict;

/// Signatures by clause.
using Failures = std::map<std::string, std::set<std::string>>;

Failures failures_by_clause(const CaseResult& result) {
  Failures failures;
  for (const core::Failure& failure : core::failures_of(result)) {
    failures[failure.clause].insert(failure.signature);
  }
  return failures;
}

std::map<std::string, const CaseResult*> by_id(const RunRecord& record,
                                               const std::vector<std::string>& newer_ids) {
  std::map<std::string, const CaseResult*> cases;
  for (const CaseResult& result : record.cases) {
    cases.emplace(core::id_of_index(result.id, newer_ids).value_or(result.id), &result);
  }
  return cases;
}

std::vector<std::string> ids_of(const RunRecord& record) {
  std::vector<std::string> ids;
  ids.reserve(record.cases.size());
  for (const CaseResult& result : record.cases) ids.push_back(result.id);
  return ids;
}

bool is_judged(const CaseResult& result) {
  return result.verdict != Verdict::not_applicable && result.verdict != Verdict::error;
}

void add_fact(std::string_view name, const std::string& before, const std::string& after,
              std::vector<std::string>& facts) {
  if (before == after) return;
  const auto shown = [](const std::string& text) { return text.empty() ? "(unknown)" : text; };
  facts.push_back(fmt::format("{}: {} -> {}", name, shown(before), shown(after)));
}

std::vector<std::string> facts_of(const RunRecord& before, const RunRecord& after) {
  std::vector<std::string> facts;
  const core::RecordHeader& old_header = before.header;
  const core::RecordHeader& new_header = after.header;
  add_fact("target", old_header.target_identity, new_header.target_identity, facts);
  add_fact("assay", old_header.assay_version, new_header.assay_version, facts);
  add_fact("suite", old_header.suite_digest, new_header.suite_digest, facts);
  add_fact("profile", old_header.profile, new_header.profile, facts);
  add_fact("profile's digest", old_header.profile_digest, new_header.profile_digest, facts);
  return facts;
}

/// What the newer run had no capability for, or has one for now.
void add_capabilities(const RunRecord& before, const RunRecord& after,
                      std::vector<std::string>& facts) {
  const auto reasons = [](const RunRecord& record) {
    std::set<std::string> found;
    for (const CaseResult& result : record.cases) {
      if (result.verdict == Verdict::not_applicable && !result.reason.empty()) {
        found.insert(result.reason);
      }
    }
    return found;
  };
  const std::set<std::string> old_reasons = reasons(before);
  const std::set<std::string> new_reasons = reasons(after);
  for (const std::string& reason : new_reasons) {
    if (!old_reasons.contains(reason)) facts.push_back("not applicable now: " + reason);
  }
  for (const std::string& reason : old_reasons) {
    if (!new_reasons.contains(reason)) facts.push_back("no longer not applicable: " + reason);
  }
}

std::vector<std::string> listed(const std::set<std::string>& set) {
  return {set.begin(), set.end()};
}

void compare_case(const CaseResult* before, const CaseResult& after, Comparison& comparison) {
  const Failures old_failures = before == nullptr ? Failures{} : failures_by_clause(*before);
  const Failures new_failures = failures_by_clause(after);
  for (const auto& [clause, seen] : new_failures) {
    const auto known = old_failures.find(clause);
    if (known == old_failures.end()) {
      comparison.newly_failing.push_back({after.id, clause, {}, listed(seen)});
    } else if (!std::includes(known->second.begin(), known->second.end(), seen.begin(),
                              seen.end())) {
      comparison.failing_otherwise.push_back(
          {after.id, clause, listed(known->second), listed(seen)});
    }
  }
  if (!is_judged(after)) return;
  for (const auto& [clause, seen] : old_failures) {
    if (!new_failures.contains(clause)) {
      comparison.fixed.push_back({after.id, clause, listed(seen), {}});
    }
  }
}

void compare_clauses(const RunRecord& before, const RunRecord& after, Comparison& comparison) {
  std::map<std::string, Verdict> now;
  for (const ClauseVerdict& verdict : clause_verdicts(after)) now[verdict.clause] = verdict.verdict;
  for (const ClauseVerdict& verdict : clause_verdicts(before)) {
    if (verdict.verdict != Verdict::pass) continue;
    const auto found = now.find(verdict.clause);
    const Verdict later = found == now.end() ? Verdict::not_applicable : found->second;
    if (later != Verdict::pass && later != Verdict::fail) {
      comparison.no_longer_shown.push_back(verdict.clause);
    }
  }
}

}  // namespace

Comparison compare(const RunRecord& before, const RunRecord& after) {
  Comparison comparison;
  comparison.facts = facts_of(before, after);
  add_capabilities(before, after, comparison.facts);
  const auto old_cases = by_id(before, ids_of(after));
  std::set<std::string> new_ids;
  for (const CaseResult& result : after.cases) {
    new_ids.insert(result.id);
    const auto found = old_cases.find(result.id);
    const CaseResult* old_case = found == old_cases.end() ? nullptr : found->second;
    if (old_case == nullptr) comparison.new_cases.push_back(result.id);
    compare_case(old_case, result, comparison);
  }
  for (const auto& [id, result] : old_cases) {
    if (!new_ids.contains(id)) comparison.removed_cases.push_back(id);
  }
  compare_clauses(before, after, comparison);
  return comparison;
}

void use_row_names(RunRecord& record, std::span<const std::string> ids) {
  for (CaseResult& result : record.cases) {
    if (auto name = core::id_of_index(result.id, ids)) result.id = std::move(*name);
  }
}

void excuse_as_before(CaseResult& result, const RunRecord& before, const std::string& name) {
  const Failures failures = failures_by_clause(result);
  if (failures.empty()) return;
  for (const CaseResult& old_case : before.cases) {
    if (old_case.id != result.id) continue;
    Comparison comparison;
    compare_case(&old_case, result, comparison);
    if (comparison.is_worse()) return;
    result.expected_fail = true;
    result.baseline_reasons = {fmt::format("fails so in {} too", name)};
  }
}

}  // namespace assay::check
