#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/encoding.h"
#include "base/visible.h"
#include "base/words.h"
#include "reports/markdown_text.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// A comment on a pull request may have 64 KiB; past this a person opens the full report.
constexpr std::size_t limit_summary_bytes = std::size_t{56} * 1024;
constexpr std::size_t limit_broken = 60;
constexpr std::size_t limit_markdown_steps = 10;
constexpr std::size_t limit_line_bytes = 300;

std::string_view symbol(Outcome outcome) {
  constexpr EnumTable<Outcome::flaky, std::string_view> symbols = {"✅", "❌", "❔", "⚠️",
                                                                   "➖", "☑️",  "❗", "🎲"};
  return symbols[outcome];
}

std::string_view symbol(Conclusion conclusion) {
  constexpr EnumTable<Conclusion::flaky, std::string_view> symbols = {"✅", "❌", "❔", "❗",
                                                                      "✂️",  "☑️",  "🎲"};
  return symbols[conclusion];
}

void add_counts(std::string& out, const Report& report) {
  std::string head;
  std::string rule;
  std::string row;
  for (const Outcome outcome : outcome_words.values()) {
    if (report.summary.count(outcome) == 0) continue;
    head += fmt::format("| {} {} ", symbol(outcome), outcome_phrase(outcome));
    rule += "|---:";
    row += fmt::format("| {} ", count_text(report.summary.count(outcome)));
  }
  if (!head.empty()) out += fmt::format("{}|\n{}|\n{}|\n\n", head, rule, row);
}

/// Why clauses were not judged, folded away: it is long, and nobody is to blame for it.
std::string unproven_text(const Report& report) {
  if (report.unproven.empty()) return "";
  std::string out =
      "<details><summary>Not proven</summary>\n\n| why | clauses | which |\n|---|---:|---|\n";
  for (const Unproven& group : report.unproven) {
    std::vector<std::string> names;
    for (const std::string& name : clause_names(group.clauses, report)) {
      names.push_back(prose(name));
    }
    out += fmt::format("| {} | {} | {} |\n", prose(group.why), group.clauses.size(),
                       fmt::join(names, ", "));
  }
  return out + "\n</details>\n\n";
}

void add_broken(std::string& out, const Report& report) {
  const std::vector<const ClauseReport*> broken = broken_clauses(report);
  if (broken.empty()) return;
  out += fmt::format("**Broken: {}**\n\n| clause | level | says |\n|---|---|---|\n",
                     broken_count_text(broken));
  for (std::size_t index = 0; index < std::min(broken.size(), limit_broken); ++index) {
    const core::Clause& clause = broken[index]->clause;
    out += fmt::format("| {} | {} | {} |\n", prose(clause.id), core::level_words[clause.level],
                       prose(broken_text(*broken[index])));
  }
  if (broken.size() > limit_broken) {
    out += fmt::format("| and {} more | | |\n", broken.size() - limit_broken);
  }
  out += "\n";
}

void add_baseline(std::string& out, const Report& report) {
  if (!report.footer || report.footer->baseline_findings.empty()) return;
  out += "**Baseline entries that no longer match**\n\n";
  for (const std::string& finding : report.footer->baseline_findings) {
    out += fmt::format("- {}\n", prose(finding));
  }
  out += "\n";
}

std::string cut(const std::string& text) {
  return text.size() <= limit_line_bytes ? text : visible(text, limit_line_bytes);
}

/// The requests that led there, what was due and what came, as one block.
std::string story_of(const CaseReport& each) {
  std::string text;
  const auto line = std::back_inserter(text);
  const auto finding =
      std::find_if(each.findings.begin(), each.findings.end(),
                   [&each](const Finding& candidate) { return candidate.verdict == each.verdict; });
  const bool is_found = finding != each.findings.end();
  const std::size_t until = is_found && finding->steps > 0
                                ? std::min(finding->steps, each.steps.size())
                                : each.steps.size();
  const std::size_t from = until > limit_markdown_steps ? until - limit_markdown_steps : 0;
  if (from > 0) fmt::format_to(line, "… {} before\n", counted(from, "step"));
  for (std::size_t index = from; index < until; ++index) {
    const StepReport& step = each.steps[index];
    fmt::format_to(line, "{}{}{} → {}\n", step.request, step.sent.empty() ? "" : "  ", step.sent,
                   step.answer);
  }
  if (is_found) {
    if (!finding->expected.empty()) fmt::format_to(line, "expected  {}\n", cut(finding->expected));
    if (!finding->actual.empty()) fmt::format_to(line, "actual    {}\n", cut(finding->actual));
    if (!finding->reason.empty()) fmt::format_to(line, "why       {}\n", finding->reason);
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::string cause_text(const CauseReport& cause, const Report& report) {
  const CaseReport& each = report.cases[cause.cases.front()];
  std::string out = fmt::format("<details><summary>{} {} <b>{}</b> {} ({})</summary>\n\n",
                                symbol(cause.outcome), outcome_phrase(cause.outcome),
                                escape_markup(cause.clauses.empty() ? "" : cause.clauses.front()),
                                escape_markup(cause.text), counted(cause.cases.size(), "case"));
  out += fmt::format("{} {}\n\n", code(each.id), prose(each.title));
  if (!each.reason.empty()) out += prose(each.reason) + "\n\n";
  if (!each.retries.empty()) out += prose(retries_text(each)) + "\n\n";
  for (const std::string& reason : each.baseline_reasons) {
    out += "Expected by the baseline: " + prose(reason) + "\n\n";
  }
  const std::vector<std::string> following = clause_names(following_of(cause), report);
  if (!following.empty()) {
    out += prose(fmt::format("What follows from it: {}", fmt::join(following, ", "))) + "\n\n";
  }
  const std::vector<std::string> others = clause_names(cause.other_clauses, report);
  if (!others.empty()) {
    out += prose(fmt::format("In the same cases also, by checks of their own: {}",
                             fmt::join(others, ", "))) +
           "\n\n";
  }
  const std::string story = story_of(each);
  if (!story.empty()) out += fenced("", story) + "\n";
  if (!each.repro.empty()) out += "Run it again:\n\n" + fenced("sh", each.repro) + "\n";
  return out + "</details>\n";
}

}  // namespace

std::string render_markdown(const Report& report, const Style& /*style*/) {
  const core::RecordHeader& header = report.header;
  std::string out = fmt::format("## {} {}\n\n{}\n\n", symbol(report.conclusion), report.headline,
                                prose(report.explanation));
  for (const std::string& note : notes_of(report)) out += fmt::format("Note: {}.\n\n", prose(note));
  add_counts(out, report);
  add_baseline(out, report);
  add_broken(out, report);
  const std::string unproven = unproven_text(report);
  std::size_t shown = 0;
  for (const CauseReport& cause : report.causes) {
    const std::string text = cause_text(cause, report);
    if (out.size() + text.size() + unproven.size() > limit_summary_bytes) break;
    out += text;
    ++shown;
  }
  if (shown < report.causes.size()) {
    out += fmt::format("\n… and {} in the full report.\n",
                       counted(report.causes.size() - shown, "further cause"));
  }
  out += "\n";
  if (out.size() + unproven.size() <= limit_summary_bytes) out += unproven;
  if (const std::string text = sensitivity_text(report); !text.empty()) {
    out += fmt::format("Sensitivity: {}.\n\n", text);
  }
  if (report.footer && !report.footer->coverage.empty()) {
    out += fmt::format("Model coverage: {}.\n", coverage_text(*report.footer));
  }
  out += fmt::format("\n{} · profile {} · seed {} · assay {}\n", code(header.target),
                     code(header.profile), header.seed, code(header.assay_version));
  return out;
}

}  // namespace assay::reports
