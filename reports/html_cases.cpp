#include <fmt/format.h>

#include <iterator>
#include <string>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/html_parts.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

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
      "<div class=\"compare\"><div><h4>expected</h4><pre class=\"expected\"><code>{}</code></pre>"
      "</div><div><h4>actual</h4><pre class=\"actual\"><code>{}</code></pre></div></div>\n",
      escape_markup(finding.expected), escape_markup(finding.actual));
}

std::string finding_html(const Report& report, const CaseReport& each, const Finding& finding) {
  std::string out =
      fmt::format("<div class=\"finding {}\">\n", core::verdict_word(finding.verdict));
  for (const std::string& id : finding.clauses) {
    const ClauseReport* clause = report.find_clause(id);
    if (clause == nullptr) continue;
    fmt::format_to(std::back_inserter(out),
                   "<p class=\"rule\">{} <span class=\"level\">{}</span>{} <span class=\"quiet\">{}"
                   "</span></p>\n",
                   clause_link(report, id), core::level_word(clause->clause.level),
                   escape_markup(clause->clause.statement), escape_markup(clause->clause.source));
  }
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
  if (each.exchanges.empty()) return "";
  std::string out =
      fmt::format("<details><summary>The whole conversation: {}</summary>\n",
                  counted(each.exchanges.size() + each.exchanges_left_out, "exchange"));
  for (const ExchangeReport& exchange : each.exchanges) out += exchange_html(exchange);
  if (each.exchanges_left_out > 0) {
    out += fmt::format("<p class=\"note\">{} more in the record.</p>\n", each.exchanges_left_out);
  }
  return out + "</details>\n";
}

}  // namespace

std::string troubled_html(const Report& report) {
  std::string out;
  for (const CaseReport* each : troubled_cases(report)) {
    fmt::format_to(std::back_inserter(out),
                   "<article class=\"case {}\" id=\"case-{}\" data-item>\n<h3>{}<span class=\"id\">"
                   "{}</span></h3>\n<p class=\"title\">{}</p>\n",
                   outcome_word(each->outcome), each - report.cases.data(),
                   outcome_tag(each->outcome), escape_markup(each->id), escape_markup(each->title));
    if (!each->reason.empty()) {
      out += fmt::format("<p class=\"note\"><b>{}</b></p>\n", escape_markup(each->reason));
    }
    for (const std::string& reason : each->baseline_reasons) {
      out += fmt::format("<p class=\"note\"><b>Expected by the baseline: {}</b></p>\n",
                         escape_markup(reason));
    }
    for (const Finding& finding : each->findings) out += finding_html(report, *each, finding);
    out += timeline_html(*each);
    out += conversation_html(*each);
    if (!each->repro.empty()) {
      out += fmt::format("<p class=\"again\">Again: <code>{}</code></p>\n",
                         escape_markup(each->repro));
    }
    out += "</article>\n";
  }
  return out;
}

std::string cases_html(const Report& report) {
  std::string out =
      "<div class=\"group\"><div class=\"wide\"><table class=\"cases\"><thead><tr>"
      "<th scope=\"col\">Outcome</th><th scope=\"col\">Case</th><th scope=\"col\">Clauses</th>"
      "<th scope=\"col\" class=\"number\">Checks</th><th scope=\"col\" class=\"number\">Time</th>"
      "</tr></thead><tbody>\n";
  for (std::size_t index = 0; index < report.cases.size(); ++index) {
    const CaseReport& each = report.cases[index];
    const bool has_article =
        each.outcome != Outcome::pass && each.outcome != Outcome::not_applicable;
    const std::string name = fmt::format("<span class=\"id\">{}</span>", escape_markup(each.id));
    fmt::format_to(
        std::back_inserter(out),
        "<tr data-item><td>{}</td><td>{}<br>{}{}</td><td>{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        outcome_tag(each.outcome),
        has_article ? fmt::format("<a href=\"#case-{}\">{}</a>", index, name) : name,
        escape_markup(each.title),
        each.outcome == Outcome::not_applicable && !each.reason.empty()
            ? fmt::format(" <span class=\"quiet\">({})</span>", escape_markup(each.reason))
            : "",
        clause_links(report, each.clauses), each.checks, duration_text(each.duration_ms));
  }
  return out + "</tbody></table></div></div>\n";
}

}  // namespace assay::reports
