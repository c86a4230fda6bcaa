#include "harness/check/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/check/flakiness.h"
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

/// What each request was and how it was answered, without what differs from run to run.
struct Conversation {
  std::vector<std::string> asked;
  std::vector<std::string> answered;
};

Conversation conversation_of(const CaseResult& result) {
  Conversation conversation;
  const auto add = [](std::vector<std::string>& lines, const std::string& line) {
    const std::string same = core::without_identifiers(line);
    // How often something was looked at depends on time.
    if (lines.empty() || lines.back() != same) lines.push_back(same);
  };
  for (const core::Exchange& each : result.exchanges) {
    const core::HttpRequest& request = each.request;
    const std::string line = fmt::format("{} {} {}", request.method, request.target,
                                         request.body.value_or(std::string()));
    add(conversation.asked, line);
    add(conversation.answered,
        fmt::format("{} -> {} {}", line, each.response ? each.response->status : 0,
                    each.response ? each.response->body : std::string()));
  }
  return conversation;
}

/// Whether a request was sent before another one was answered.
bool has_overlap(const CaseResult& result) {
  double answered_ms = 0;
  for (const core::Exchange& each : result.exchanges) {
    if (each.called_ms < answered_ms) return true;
    answered_ms = std::max(answered_ms, each.returned_ms);
  }
  return false;
}

Conversation in_any_order(Conversation conversation) {
  std::sort(conversation.asked.begin(), conversation.asked.end());
  std::sort(conversation.answered.begin(), conversation.answered.end());
  return conversation;
}

/// Why a case with requests at the same moment does: in which order they arrived is chance.
std::string why_otherwise_at_one_moment(const CaseResult& before, const CaseResult& after) {
  const Conversation then = in_any_order(conversation_of(before));
  const Conversation now = in_any_order(conversation_of(after));
  if (then.asked != now.asked) return "the case asks something else now";
  const std::string_view may_be_a_race =
      "requests of the case are open at the same moment, so this may be a race";
  return then.answered != now.answered
             ? fmt::format("the target answers differently now; {}", may_be_a_race)
             : fmt::format("the same answers came in another order; {}", may_be_a_race);
}

/// Why a case comes to something else in the newer run, as far as its requests and answers show.
std::string why_otherwise(const CaseResult* before, const CaseResult& after) {
  if (before == nullptr) return "the case is new";
  if (before->verdict == Verdict::not_applicable) return "the case did not apply before";
  if (has_overlap(*before) || has_overlap(after)) {
    return why_otherwise_at_one_moment(*before, after);
  }
  const Conversation then = conversation_of(*before);
  const Conversation now = conversation_of(after);
  if (then.asked != now.asked) return "the case asks something else now";
  if (then.answered != now.answered) return "the target answers differently now";
  if (then.asked.empty()) return "neither record has the requests of the case";
  return "the same answers are judged differently now";
}

/// What counts as known of the older run: a failure that it let through as flaky does not.
Failures failures_before(const CaseResult* before, const core::RecordHeader& header) {
  if (before == nullptr || is_let_through(*before, header)) return {};
  return failures_by_clause(*before);
}

void compare_case(const CaseResult* before, const Failures& old_failures, const CaseResult& after,
                  Comparison& comparison) {
  const Failures new_failures = failures_by_clause(after);
  for (const auto& [clause, seen] : new_failures) {
    const auto known = old_failures.find(clause);
    if (known == old_failures.end()) {
      comparison.newly_failing.push_back(
          {after.id, clause, {}, listed(seen), why_otherwise(before, after)});
    } else if (!std::includes(known->second.begin(), known->second.end(), seen.begin(),
                              seen.end())) {
      comparison.failing_otherwise.push_back(
          {after.id, clause, listed(known->second), listed(seen), why_otherwise(before, after)});
    }
  }
  // That one passes which was flaky shows nothing.
  if (!is_judged(after) || before == nullptr || is_flaky(*before)) return;
  for (const auto& [clause, seen] : old_failures) {
    if (!new_failures.contains(clause)) {
      comparison.fixed.push_back(
          {after.id, clause, listed(seen), {}, why_otherwise(before, after)});
    }
  }
}

void add_flaky(const CaseResult* before, const CaseResult& after, Comparison& comparison) {
  const bool was_flaky = before != nullptr && is_flaky(*before);
  if (is_flaky(after)) {
    comparison.flaky.push_back(fmt::format("{}: does not pass in {}{}", after.id,
                                           rate_text(failure_rate(after)),
                                           was_flaky ? ", as before" : ""));
  } else if (was_flaky && after.verdict == Verdict::pass) {
    comparison.flaky.push_back(fmt::format("{}: passes now, was flaky: did not pass in {}",
                                           after.id, rate_text(failure_rate(*before))));
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

std::set<std::string> judged_clauses(const RunRecord& record) {
  std::set<std::string> clauses;
  for (const ClauseVerdict& each : clause_verdicts(record)) {
    if (each.verdict != Verdict::not_applicable) clauses.insert(each.clause);
  }
  return clauses;
}

/// Clauses that only the newer run judged.
void add_new_clauses(const RunRecord& before, const RunRecord& after, Comparison& comparison) {
  const std::set<std::string> then = judged_clauses(before);
  const std::set<std::string> now = judged_clauses(after);
  std::set_difference(now.begin(), now.end(), then.begin(), then.end(),
                      std::back_inserter(comparison.new_clauses));
}

}  // namespace

Comparison compare(const RunRecord& before, const RunRecord& after) {
  Comparison comparison;
  comparison.is_upgrade = before.header.assay_version != after.header.assay_version ||
                          before.header.suite_digest != after.header.suite_digest;
  comparison.facts = facts_of(before, after);
  add_capabilities(before, after, comparison.facts);
  const auto old_cases = by_id(before, ids_of(after));
  std::set<std::string> new_ids;
  for (const CaseResult& result : after.cases) {
    new_ids.insert(result.id);
    const auto found = old_cases.find(result.id);
    const CaseResult* old_case = found == old_cases.end() ? nullptr : found->second;
    if (old_case == nullptr) comparison.new_cases.push_back(result.id);
    add_flaky(old_case, result, comparison);
    if (is_let_through(result, after.header)) continue;
    compare_case(old_case, failures_before(old_case, before.header), result, comparison);
  }
  for (const auto& [id, result] : old_cases) {
    if (!new_ids.contains(id)) comparison.removed_cases.push_back(id);
  }
  compare_clauses(before, after, comparison);
  add_new_clauses(before, after, comparison);
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
    compare_case(&old_case, failures_before(&old_case, before.header), result, comparison);
    if (comparison.is_worse()) return;
    result.expected_fail = true;
    result.baseline_reasons = {fmt::format("fails so in {} too", name)};
  }
}

}  // namespace assay::check
