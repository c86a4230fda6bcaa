#include "harness/audit/audit_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "harness/check/judge.h"

namespace assay::audit {
namespace {

using check::LogRule;
using core::CaseResult;
using core::Check;
using core::Verdict;

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string when_text(const Finding& finding) {
  if (finding.first.text.empty()) return "";
  return finding.first.text == finding.last.text
             ? fmt::format(", at {}", finding.first.text)
             : fmt::format(", first at {}, last at {}", finding.first.text, finding.last.text);
}

/// The smallest log, an event a line.
std::string log_text(const Example& example) {
  std::string text;
  for (const std::string& line : example.lines) text += "\n" + line;
  if (example.events > example.lines.size()) {
    text += fmt::format("\n… and {} more events", example.events - example.lines.size());
  }
  return text;
}

/// The first line is the cause, the same in every log that has it; what follows is this log's.
std::string account_of(const Cause& cause, const Finding& finding) {
  std::string text = fmt::format("{} {}:\n{}", cause.second, finding.example.what,
                                 counted(finding.events, "event"));
  if (finding.executions > 0) {
    text += fmt::format(" of {}{}\n{}: {}{}", counted(finding.executions, "execution"),
                        when_text(finding), finding.executions == 1 ? "execution" : "executions",
                        fmt::join(finding.names, ", "),
                        finding.executions > finding.names.size() ? ", …" : "");
  }
  const Example& example = finding.example;
  if (example.events == 0) return text + "\nthe execution's log is too long to be shown";
  return text +
         fmt::format("\nthe smallest log that shows it, at event {} of {}:", example.index + 1,
                     example.events) +
         log_text(example);
}

Check check_of(const Cause& cause, const Finding& finding,
               const std::vector<std::string>& sources) {
  const check::LogRuleText& rule = check::text_of(cause.first);
  Check check;
  check.clauses = {std::string(rule.clause)};
  check.verdict = Verdict::fail;
  check.at = place_text(finding.example.place, sources);
  check.expected = rule.due;
  check.actual = account_of(cause, finding);
  return check;
}

CaseResult case_of(const check::LogRuleText& rule, const AuditResult& result,
                   const std::vector<std::string>& sources, const std::string& command) {
  CaseResult made;
  made.id = case_id_of(rule.rule);
  made.title = rule.due;
  made.clauses = {std::string(rule.clause)};
  made.repro = fmt::format("{} --clause {}", command, rule.clause);
  for (const auto& [cause, finding] : result.findings) {
    if (cause.first == rule.rule) made.checks.push_back(check_of(cause, finding, sources));
  }
  const std::uint64_t judged = result.tally.judged[static_cast<std::size_t>(rule.rule)];
  if (made.checks.empty() && judged == 0) {
    made.verdict = Verdict::not_applicable;
    made.reason = fmt::format("the log does not have {}", rule.shown_by);
    return made;
  }
  if (made.checks.empty()) {
    Check& check = made.checks.emplace_back();
    check.clauses = made.clauses;
    check.verdict = Verdict::pass;
    check.looks = static_cast<std::int64_t>(judged);
  }
  made.verdict = check::case_verdict(made.checks);
  return made;
}

/// What could not be read may be an event that breaks any of these.
CaseResult lines_case(const AuditResult& result, const std::vector<std::string>& sources,
                      const std::string& command) {
  CaseResult made;
  made.id = lines_case_id;
  made.title = "everything in the log is an event";
  made.clauses = {"EVT-ENV-EXEC", "EVT-ENV-ID", "EVT-ENV-TIME", "EVT-ENV-TYPE"};
  made.repro = command;
  if (result.bad == 0 && result.events == 0) {
    made.verdict = Verdict::not_applicable;
    made.reason = "the log does not have an event";
    return made;
  }
  Check& check = made.checks.emplace_back();
  check.clauses = made.clauses;
  check.verdict = result.bad == 0 ? Verdict::pass : Verdict::inconclusive;
  check.looks = static_cast<std::int64_t>(result.events);
  if (result.bad > 0) {
    check.at = place_text(result.first_bad.begin()->second.place, sources);
    check.reason = "the log has lines that are not events";
    std::string actual = fmt::format("{} could not be read:", counted(result.bad, "line"));
    for (const auto& [ordinal, bad] : result.first_bad) {
      actual += fmt::format("\n{}: {}", place_text(bad.place, sources), bad.message);
    }
    if (result.bad > result.first_bad.size()) actual += "\n…";
    check.actual = actual;
    check.expected = made.title;
  }
  made.verdict = check::case_verdict(made.checks);
  return made;
}

}  // namespace

std::string place_text(const LogPlace& place, const std::vector<std::string>& sources) {
  const std::string name = place.source < sources.size() ? sources[place.source] : "log";
  return fmt::format("{}:{}:{}", name, place.line, place.column);
}

std::string case_id_of(LogRule rule) { return fmt::format("log/{}", check::text_of(rule).id); }

std::vector<std::string> audit_case_ids() {
  std::vector<std::string> ids = {lines_case_id};
  for (const check::LogRuleText& rule : check::log_rules()) ids.push_back(case_id_of(rule.rule));
  return ids;
}

std::string rules_digest() {
  Digest digest;
  for (const check::LogRuleText& rule : check::log_rules()) {
    for (const std::string_view text : {rule.id, rule.clause, rule.due}) digest.add(text);
  }
  return fmt::format("fnv1a:{:016x}", digest.value());
}

std::vector<CaseResult> cases_of(const AuditResult& result,
                                 const std::bitset<check::log_rule_count>& rules,
                                 const std::vector<std::string>& sources,
                                 const std::string& command) {
  std::vector<CaseResult> cases = {lines_case(result, sources, command)};
  for (const check::LogRuleText& rule : check::log_rules()) {
    if (rules[static_cast<std::size_t>(rule.rule)]) {
      cases.push_back(case_of(rule, result, sources, command));
    }
  }
  return cases;
}

std::vector<std::string> notes_of(const AuditResult& result) {
  std::vector<std::string> notes;
  if (result.unordered > 0) {
    notes.push_back(
        fmt::format("the events of {} do not stand in the order of their seq; they were judged in "
                    "that order",
                    counted(result.unordered, "execution")));
  }
  if (result.gapped > 0) {
    notes.push_back(fmt::format(
        "the seq of {} has gaps; what ought to stand in one was not asked for behind it",
        counted(result.gapped, "execution")));
  }
  if (result.headless > 0) {
    notes.push_back(fmt::format(
        "the beginning of {} is not in the log; what ought to come before was not asked for",
        counted(result.headless, "execution")));
  }
  return notes;
}

}  // namespace assay::audit
