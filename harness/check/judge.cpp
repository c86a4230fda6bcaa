#include "harness/check/judge.h"

#include <algorithm>
#include <map>

#include "harness/check/coverage.h"
#include "harness/check/flakiness.h"
#include "harness/check/sensitivity.h"

namespace assay::check {
namespace {

using core::CaseResult;
using core::Check;
using core::ExitCode;
using core::TransportFault;
using core::Verdict;

bool is_before_sending(const core::Exchange& exchange) {
  if (!exchange.error) return false;
  const TransportFault fault = exchange.error->fault;
  return fault == TransportFault::resolve || fault == TransportFault::refused ||
         fault == TransportFault::connect_timeout || fault == TransportFault::tls;
}

bool demands(const Check& check, const core::ClauseTable* clauses) {
  if (clauses == nullptr || check.clauses.empty()) return true;
  return std::any_of(check.clauses.begin(), check.clauses.end(), [clauses](const auto& id) {
    const core::Clause* clause = clauses->find(id);
    return clause == nullptr || clause->level == core::Level::must;
  });
}

/// Whether a case counts as a fail: by a check that is about a MUST, or with no check to say so.
bool is_finding(const CaseResult& result, const core::ClauseTable* clauses) {
  if (result.verdict != Verdict::fail || result.expected_fail) return false;
  const auto fails = [](const Check& check) { return check.verdict == Verdict::fail; };
  if (std::none_of(result.checks.begin(), result.checks.end(), fails)) return true;
  return std::any_of(result.checks.begin(), result.checks.end(),
                     [&](const Check& check) { return fails(check) && demands(check, clauses); });
}

void add_case(ClauseVerdict& clause, const CaseResult& result) {
  const bool is_first = clause.cases.empty();
  clause.cases.push_back(result.id);
  Verdict verdict = Verdict::not_applicable;
  bool was_checked = false;
  for (const Check& check : result.checks) {
    if (std::find(check.clauses.begin(), check.clauses.end(), clause.clause) ==
        check.clauses.end()) {
      continue;
    }
    ++clause.checks;
    was_checked = true;
    verdict = core::merge(verdict, check.verdict);
  }
  // A case that ended before it came to the clause's check decided nothing about it.
  if (!was_checked && result.verdict != Verdict::not_applicable) verdict = Verdict::inconclusive;
  const bool is_bad = verdict > Verdict::pass;
  const bool was_bad = clause.verdict > Verdict::pass;
  clause.verdict = core::merge(clause.verdict, verdict);
  if (!is_bad) return;
  clause.expected_fail = (is_first || !was_bad || clause.expected_fail) && result.expected_fail;
}

}  // namespace

Verdict case_verdict(std::span<const Check> checks) {
  if (checks.empty()) return Verdict::inconclusive;
  Verdict worst = Verdict::not_applicable;
  for (const Check& check : checks) worst = core::merge(worst, check.verdict);
  return worst;
}

std::vector<ClauseVerdict> clause_verdicts(const core::RunRecord& record) {
  std::map<std::string, ClauseVerdict> by_clause;
  for (const CaseResult& result : record.cases) {
    std::vector<std::string> named = result.clauses;
    for (const Check& check : result.checks) {
      named.insert(named.end(), check.clauses.begin(), check.clauses.end());
    }
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    for (const std::string& id : named) {
      ClauseVerdict& clause = by_clause[id];
      clause.clause = id;
      add_case(clause, result);
    }
  }
  std::vector<ClauseVerdict> verdicts;
  verdicts.reserve(by_clause.size());
  for (auto& [id, verdict] : by_clause) verdicts.push_back(std::move(verdict));
  return verdicts;
}

bool is_unreachable(const CaseResult& result) {
  return !result.exchanges.empty() &&
         std::all_of(result.exchanges.begin(), result.exchanges.end(), is_before_sending);
}

ExitCode exit_code_of(const core::RunRecord& record, const core::ClauseTable* clauses) {
  std::size_t applied = 0;
  std::size_t unreachable = 0;
  bool has_error = false;
  bool has_inconclusive = false;
  bool has_unexpected_pass = false;
  for (const CaseResult& result : record.cases) {
    if (is_let_through(result, record.header)) {
      ++applied;
      continue;
    }
    if (is_finding(result, clauses)) return ExitCode::unexpected_findings;
    if (result.verdict == Verdict::not_applicable) continue;
    ++applied;
    unreachable += is_unreachable(result) ? 1U : 0U;
    has_error |= result.verdict == Verdict::error;
    has_inconclusive |= result.verdict == Verdict::inconclusive && !result.expected_fail;
    has_unexpected_pass |= result.unexpected_pass;
  }
  const bool was_stopped = record.footer && !record.footer->stopped.empty();
  if (was_stopped || (applied > 0 && unreachable == applied)) return ExitCode::target_unreachable;
  if (has_error) return ExitCode::harness_fault;
  if (has_inconclusive) return ExitCode::unexpected_findings;
  if (applied == 0 || !record.footer) return ExitCode::nothing_proven;
  if (falls_short(*record.footer) || shows_too_few(record, clauses))
    return ExitCode::unexpected_findings;
  const bool is_stale = has_unexpected_pass || !record.footer->baseline_findings.empty();
  return is_stale ? ExitCode::baseline_stale : ExitCode::conforms;
}

}  // namespace assay::check
