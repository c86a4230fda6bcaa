#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/encoding.h"
#include "reports/html_parts.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

constexpr std::size_t limit_html_steps = 40;
constexpr std::size_t limit_other_cases = 20;

std::string exchange_html(const ExchangeReport& exchange) {
  std::string answer = escape_markup(exchange.answer);
  if (!exchange.body.empty()) answer += "\n" + escape_markup(exchange.body);
  return fmt::format(
      "<div class=\"exchange\"><p class=\"note\"><span>{}</span><span>{:.1f} ms after the start, "
      "answered in {:.1f} ms</span></p>\n<pre><code>$ {}</code></pre>\n"
      "<pre class=\"answer\"><code>{}</code></pre></div>\n",
      escape_markup(exchange.operation), exchange.called_ms,
      exchange.returned_ms - exchange.called_ms, escape_markup(exchange.curl), answer);
}

std::string comparison_html(const Finding& finding) {
  if (finding.expected.empty() && finding.actual.empty()) return "";
  return fmt::format(
      "<div class=\"compare\"><div><p class=\"what\">expected</p><pre "
      "class=\"expected\"><code>{}</code></pre>"
      "</div><div><p class=\"what\">actual</p><pre "
      "class=\"actual\"><code>{}</code></pre></div></div>\n",
      escape_markup(finding.expected), escape_markup(finding.actual));
}

/// What a step was, in a line that says what was asked and what came.
std::string steps_html(const CaseReport& each, std::size_t until) {
  const std::size_t count = std::min(until == 0 ? each.steps.size() : until, each.steps.size());
  const std::size_t skipped = count <= limit_html_steps ? 0 : count - limit_html_steps;
  if (count == 0) return "";
  std::string out =
      skipped == 0 ? ""
                   : fmt::format("<p class=\"note\">… {} before</p>\n", counted(skipped, "step"));
  out += fmt::format("<ol class=\"steps\" start=\"{}\">\n", skipped + 1);
  for (std::size_t index = skipped; index < count; ++index) {
    const StepReport& step = each.steps[index];
    out += fmt::format("<li><code>{}{}{} → {}</code>{}</li>\n", escape_markup(step.request),
                       step.sent.empty() ? "" : "  ", escape_markup(step.sent),
                       escape_markup(step.answer), step.times > 1 ? " " + repeated_text(step) : "");
  }
  return out + "</ol>\n";
}

std::string finding_html(const CaseReport& each, const Finding& finding, bool with_steps) {
  std::string out =
      fmt::format("<div class=\"finding {}\">\n", core::verdict_words[finding.verdict]);
  if (with_steps) out += steps_html(each, finding.steps);
  out += comparison_html(finding);
  if (!finding.reason.empty()) {
    out += fmt::format("<p class=\"note\"><b>{}</b></p>\n", escape_markup(finding.reason));
  }
  std::string note = looking_text(finding);
  if (!finding.at.empty()) note += (note.empty() ? "at " : " · at ") + escape_markup(finding.at);
  if (!note.empty()) out += fmt::format("<p class=\"note\">{}</p>\n", note);
  for (const std::size_t index : finding.evidence) out += exchange_html(each.exchanges[index]);
  return out + "</div>\n";
}

/// The whole conversation, closed at first: the evidence stands with its finding.
std::string conversation_html(const CaseReport& each) {
  if (each.is_cut) {
    return fmt::format("<p class=\"note\">{} in the record.</p>\n",
                       counted(each.exchange_count, "exchange"));
  }
  if (each.exchanges.empty()) return "";
  std::string out =
      fmt::format("<details><summary>All requests and answers: {}</summary>\n",
                  counted(each.exchanges.size() + each.exchanges_left_out, "exchange"));
  for (const ExchangeReport& exchange : each.exchanges) out += exchange_html(exchange);
  if (each.exchanges_left_out > 0) {
    out += fmt::format("<p class=\"note\">{} more in the record.</p>\n", each.exchanges_left_out);
  }
  return out + "</details>\n";
}

/// Clauses in their own words.
std::string rules_html(const Report& report, const std::vector<std::string>& ids) {
  std::string out;
  for (const std::string& id : ids) {
    const ClauseReport* clause = report.find_clause(id);
    if (clause == nullptr) continue;
    out += fmt::format(
        "<p class=\"rule\">{} <span class=\"level\">{}</span>{} <span class=\"quiet\">{}</span>"
        "</p>\n",
        clause_link(report, id), core::level_words[clause->clause.level],
        escape_markup(clause->clause.statement), escape_markup(clause->clause.source));
  }
  return out;
}

/// The clause that the cause is about, what follows from it, and what else did not pass there.
std::string rules_html(const Report& report, const CauseReport& cause) {
  if (cause.clauses.empty()) return "";
  std::string out = rules_html(report, std::vector{cause.clauses.front()});
  const std::vector<std::string> following = following_of(cause);
  if (!following.empty()) {
    out += "<p class=\"note\">What follows from it in the same cases:</p>\n" +
           rules_html(report, following);
  }
  if (!cause.other_clauses.empty()) {
    out += "<p class=\"note\">In the same cases also, by checks of their own:</p>\n" +
           rules_html(report, cause.other_clauses);
  }
  return out;
}

/// The case that shows the cause best, whole.
std::string shown_case_html(const CaseReport& each) {
  std::string out = fmt::format(
      "<h4 id=\"{0}\"><span class=\"id\">{1}</span> <span class=\"title\">{2}</span>{3}</h4>\n",
      case_anchor(each.id), escape_markup(each.id), escape_markup(each.title),
      self_link(case_anchor(each.id), each.id));
  if (!each.reason.empty()) {
    out += fmt::format("<p class=\"note\"><b>{}</b></p>\n", escape_markup(each.reason));
  }
  if (!each.retries.empty()) {
    out += fmt::format("<p class=\"note\"><b>{}</b></p>\n", escape_markup(retries_text(each)));
  }
  for (const std::string& reason : each.baseline_reasons) {
    out += fmt::format("<p class=\"note\"><b>Expected by the baseline: {}</b></p>\n",
                       escape_markup(reason));
  }
  bool is_first = true;
  for (const Finding& finding : each.findings) {
    out += finding_html(each, finding, std::exchange(is_first, false));
  }
  out += timeline_html(each) + conversation_html(each);
  if (!each.repro.empty()) {
    out += fmt::format("<p class=\"again\">Run it again: <code>{}</code></p>\n",
                       escape_markup(each.repro));
  }
  return out;
}

std::string other_case_html(const CaseReport& each) {
  std::string out =
      fmt::format("<details id=\"{}\"><summary><span class=\"id\">{}</span> {}</summary>\n",
                  case_anchor(each.id), escape_markup(each.id), escape_markup(each.title));
  if (each.findings.empty()) return out + steps_html(each, 0) + "</details>\n";
  const Finding& finding = each.findings.front();
  out += steps_html(each, finding.steps) + comparison_html(finding);
  if (!each.repro.empty()) {
    out += fmt::format("<p class=\"again\">Run it again: <code>{}</code></p>\n",
                       escape_markup(each.repro));
  }
  return out + "</details>\n";
}

std::string other_cases_html(const Report& report, const CauseReport& cause) {
  if (cause.cases.size() < 2) return "";
  std::string out = fmt::format("<details class=\"others\"><summary>{} with this cause</summary>\n",
                                counted(cause.cases.size() - 1, "other case"));
  const std::size_t end = std::min(cause.cases.size(), limit_other_cases + 1);
  for (std::size_t index = 1; index < end; ++index) {
    out += other_case_html(report.cases[cause.cases[index]]);
  }
  if (end < cause.cases.size()) {
    out += fmt::format("<p class=\"note\">{} more in the list of cases.</p>\n",
                       count_text(cause.cases.size() - end));
  }
  return out + "</details>\n";
}

std::string cause_html(const Report& report, const CauseReport& cause) {
  std::vector<std::string> all = cause.clauses;
  all.insert(all.end(), cause.following.begin(), cause.following.end());
  all.insert(all.end(), cause.other_clauses.begin(), cause.other_clauses.end());
  std::string levels;
  for (const std::string& id : cause.clauses) {
    if (const ClauseReport* clause = report.find_clause(id)) {
      levels += fmt::format("{} ", core::level_words[clause->clause.level]);
    }
  }
  const std::string name = title_of(cause);
  return fmt::format(
             "<article class=\"case {0}\" id=\"{1}\" data-item data-outcome=\"{0}\" "
             "data-level=\"{2}\" data-clause=\"{3}\">\n<h3>{4} <span>{5}</span><span "
             "class=\"quiet\">{6}</span>{7}</h3>\n",
             outcome_words[cause.outcome], cause.anchor, levels,
             escape_markup(fmt::format("{}", fmt::join(all, " "))), outcome_tag(cause.outcome),
             escape_markup(name), counted(cause.cases.size(), "case"),
             self_link(cause.anchor, "this cause")) +
         rules_html(report, cause) + shown_case_html(report.cases[cause.cases.front()]) +
         other_cases_html(report, cause) + "</article>\n";
}

}  // namespace

std::string causes_html(const Report& report, bool expected) {
  std::string out;
  for (const CauseReport& cause : report.causes) {
    if ((cause.outcome == Outcome::expected_fail) == expected) out += cause_html(report, cause);
  }
  return out;
}

}  // namespace assay::reports
