#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// A step summary may have 1 MiB; past this many failures a person opens the full report.
constexpr std::size_t limit_cases = 30;
constexpr std::size_t limit_summary_bytes = std::size_t{600} * 1024;

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t current = 0;
  for (const char letter : text) {
    current = letter == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  return longest;
}

/// Inline code that its text cannot end, also inside a table.
std::string code(std::string_view text) {
  const std::string ticks(longest_run_of_backticks(text) + 1, '`');
  std::string inner;
  for (const char letter : text) {
    if (letter == '|') inner += '\\';
    inner += letter == '\n' ? ' ' : letter;
  }
  const std::string_view blank = ticks.size() > 1 ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", ticks, blank, inner.empty() ? " " : inner);
}

std::string fenced(std::string_view language, std::string_view text) {
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

/// Prose: nothing in it is markup, a mention or a link.
std::string prose(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (std::string_view("\\`*_{}[]<>&~@|$#!:").find(letter) != std::string_view::npos) {
      out += fmt::format("&#{};", static_cast<int>(letter));
    } else {
      out += letter == '\n' ? ' ' : letter;
    }
  }
  return out;
}

std::string_view symbol(Outcome outcome) {
  constexpr std::array<std::string_view, all_outcomes.size()> symbols = {"✅", "❌", "❔", "⚠️",
                                                                         "➖", "☑️",  "❗"};
  return symbols.at(static_cast<std::size_t>(outcome));
}

std::string_view symbol(Conclusion conclusion) {
  constexpr std::array<std::string_view, 5> symbols = {"✅", "❌", "❔", "❗", "✂️"};
  return symbols.at(static_cast<std::size_t>(conclusion));
}

void add_counts(std::string& out, const Report& report) {
  std::string head;
  std::string rule;
  std::string row;
  for (const Outcome outcome : all_outcomes) {
    if (report.summary.count(outcome) == 0) continue;
    head += fmt::format("| {} {} ", symbol(outcome), outcome_phrase(outcome));
    rule += "|---:";
    row += fmt::format("| {} ", report.summary.count(outcome));
  }
  if (!head.empty()) out += fmt::format("{}|\n{}|\n{}|\n\n", head, rule, row);
}

void add_unproven(std::string& out, const Report& report) {
  if (report.unproven.empty()) return;
  out += "**Not proven**\n\n| why | clauses | which |\n|---|---:|---|\n";
  for (const Unproven& group : report.unproven) {
    std::vector<std::string> names;
    for (const std::string& name : clause_names(group.clauses, report)) {
      names.push_back(prose(name));
    }
    out += fmt::format("| {} | {} | {} |\n", prose(group.why), group.clauses.size(),
                       fmt::join(names, ", "));
  }
  out += "\n";
}

void add_baseline(std::string& out, const Report& report) {
  if (!report.footer || report.footer->baseline_findings.empty()) return;
  out += "**Entries of the baseline that no longer fit**\n\n";
  for (const std::string& finding : report.footer->baseline_findings) {
    out += fmt::format("- {}\n", prose(finding));
  }
  out += "\n";
}

void add_finding(std::string& out, const Finding& finding, const CaseReport& each,
                 const Report& report) {
  for (const std::string& id : finding.clauses) {
    const ClauseReport* clause = report.find_clause(id);
    if (clause == nullptr) continue;
    out += fmt::format("- **{}** {}: {}\n", prose(id), core::level_word(clause->clause.level),
                       prose(clause->clause.statement));
  }
  std::string text;
  const auto line = std::back_inserter(text);
  if (!finding.expected.empty()) fmt::format_to(line, "expected  {}\n", finding.expected);
  if (!finding.actual.empty()) fmt::format_to(line, "actual    {}\n", finding.actual);
  if (!finding.reason.empty()) fmt::format_to(line, "why       {}\n", finding.reason);
  if (!finding.at.empty()) fmt::format_to(line, "at        {}\n", finding.at);
  if (!text.empty()) text.pop_back();
  out += "\n" + fenced("", text) + "\n";
  for (const std::size_t index : finding.evidence) {
    const ExchangeReport& exchange = each.exchanges[index];
    out += fenced("sh", fmt::format("{}\n# {} {}", exchange.curl, exchange.answer,
                                    exchange.body.substr(0, exchange.body.find('\n')))) +
           "\n";
  }
}

void add_case(std::string& out, const CaseReport& each, const Report& report) {
  out +=
      fmt::format("<details><summary>{} {} <code>{}</code> {}</summary>\n\n", symbol(each.outcome),
                  outcome_phrase(each.outcome), escape_markup(each.id), escape_markup(each.title));
  if (!each.reason.empty()) out += prose(each.reason) + "\n\n";
  for (const std::string& reason : each.baseline_reasons) {
    out += "Expected by the baseline: " + prose(reason) + "\n\n";
  }
  for (const Finding& finding : each.findings) add_finding(out, finding, each, report);
  if (!each.repro.empty()) out += "Again:\n\n" + fenced("sh", each.repro) + "\n";
  out += "</details>\n";
}

}  // namespace

std::string render_markdown(const Report& report, const Style& /*style*/) {
  const core::RecordHeader& header = report.header;
  std::string out = fmt::format("## {} {}\n\n{}\n\n", symbol(report.conclusion), report.headline,
                                prose(report.explanation));
  add_counts(out, report);
  add_unproven(out, report);
  add_baseline(out, report);
  if (report.footer && !report.footer->coverage.empty()) {
    out += fmt::format("Model coverage: {}.\n\n", coverage_text(*report.footer));
  }
  const std::vector<const CaseReport*> troubled = troubled_cases(report);
  std::size_t shown = 0;
  for (const CaseReport* each : troubled) {
    if (shown == limit_cases || out.size() > limit_summary_bytes) break;
    add_case(out, *each, report);
    ++shown;
  }
  if (shown < troubled.size()) {
    out += fmt::format("\n… and {} more in the full report.\n", troubled.size() - shown);
  }
  out += fmt::format("\n{} · profile {} · seed {} · assay {}\n", code(header.target),
                     code(header.profile), header.seed, code(header.assay_version));
  return out;
}

}  // namespace assay::reports
