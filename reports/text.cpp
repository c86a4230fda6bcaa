#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "harness/check/coverage.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

constexpr std::size_t columns = 100;

enum class Tone { strong, good, bad, warning, quiet };

/// Lays the report out, line by line.
class TextWriter {
 public:
  TextWriter(const Report& report, bool colour) : report_(report), colour_(colour) {}

  std::string write() {
    conclusion();
    unproven();
    for (const CaseReport* each : troubled_cases(report_)) {
      if (each->baseline_reasons.empty()) troubled_case(*each);
    }
    expected();
    baseline();
    coverage();
    closing();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string painted(Tone tone, std::string_view text) const {
    if (!colour_) return std::string(text);
    constexpr std::array<std::string_view, 5> codes = {"1", "1;32", "1;31", "33", "2"};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes.at(static_cast<std::size_t>(tone)), text);
  }

  template <typename... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Parts>(parts)...);
    out_ += '\n';
  }

  /// `text` under a label; its further lines stand under the first.
  void labelled(std::string_view indent, std::string_view label, std::string_view text) {
    std::string first = fmt::format("{}{:<9} ", indent, label);
    const std::string rest(first.size(), ' ');
    while (true) {
      const std::size_t end = text.find('\n');
      line("{}{}", first, text.substr(0, end));
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
      first = rest;
    }
  }

  void wrapped(std::string_view indent, const std::vector<std::string>& words,
               std::string_view separator) {
    std::string current(indent);
    for (std::size_t index = 0; index < words.size(); ++index) {
      const std::string word =
          words[index] + std::string(index + 1 < words.size() ? separator : "");
      if (current.size() > indent.size() && current.size() + word.size() > columns) {
        while (current.back() == ' ') current.pop_back();
        line("{}", current);
        current = indent;
      }
      current += word;
    }
    line("{}", current);
  }

  void conclusion() {
    const core::RecordHeader& header = report_.header;
    const Tone tone = report_.conclusion == Conclusion::conforms ? Tone::good
                      : report_.conclusion == Conclusion::broken ? Tone::bad
                                                                 : Tone::warning;
    line("{}  {}", painted(tone, report_.headline), report_.explanation);
    std::string target = header.target;
    if (!header.target_identity.empty()) target += fmt::format(" ({})", header.target_identity);
    std::string from = fmt::format("seed {}", header.seed);
    if (!header.run_id.empty()) from += fmt::format(" · run id {}", header.run_id);
    line("{}", painted(Tone::quiet,
                       fmt::format("{} · profile {} · {} · assay {} · {}", target, header.profile,
                                   from, header.assay_version, header.started_at)));
    if (!header.baseline.empty()) line("{}", painted(Tone::quiet, "baseline " + header.baseline));
  }

  void unproven() {
    if (report_.unproven.empty()) return;
    line("\n{}", painted(Tone::strong, "Not proven"));
    for (const Unproven& group : report_.unproven) {
      line("  {}", painted(Tone::warning, fmt::format("{} ({})", group.why,
                                                      counted(group.clauses.size(), "clause"))));
      wrapped("    ", clause_names(group.clauses, report_), ", ");
    }
  }

  void troubled_case(const CaseReport& each) {
    const bool red = each.outcome == Outcome::fail || each.outcome == Outcome::unexpected_pass;
    line("\n{}  {}", painted(red ? Tone::bad : Tone::warning, outcome_phrase(each.outcome)),
         painted(Tone::strong, each.id));
    line("  {}", each.title);
    if (!each.reason.empty()) labelled("  ", "why", each.reason);
    for (const Finding& finding : each.findings) this->finding(finding, each);
    if (!each.repro.empty()) labelled("  ", "again", each.repro);
  }

  void finding(const Finding& finding, const CaseReport& each) {
    for (const std::string& id : finding.clauses) {
      const ClauseReport* clause = report_.find_clause(id);
      if (clause == nullptr) continue;
      line("  {} {}, {}", painted(Tone::strong, id), core::level_word(clause->clause.level),
           clause->clause.source);
      line("    {}", clause->clause.statement);
    }
    if (!finding.at.empty()) labelled("    ", "at", finding.at);
    if (finding.verdict != core::Verdict::fail) {
      labelled("    ", "verdict", core::verdict_word(finding.verdict));
    }
    if (!finding.expected.empty()) labelled("    ", "expected", finding.expected);
    if (!finding.actual.empty()) labelled("    ", "actual", finding.actual);
    if (!finding.reason.empty()) labelled("    ", "why", finding.reason);
    const std::string looking = looking_text(finding);
    if (!looking.empty()) labelled("    ", "window", looking);
    for (const std::size_t index : finding.evidence) exchange(each.exchanges[index]);
  }

  void exchange(const ExchangeReport& shown) {
    labelled("    ", "$", shown.curl);
    labelled("    ", "<",
             shown.body.empty() ? shown.answer : fmt::format("{} {}", shown.answer, shown.body));
  }

  /// Known failures are one line each: what is new must not drown in them.
  void expected() {
    const std::vector<ExpectedFailures> groups = expected_failures(report_);
    if (groups.empty()) return;
    line("\n{}", painted(Tone::strong, "Fail as the baseline expects"));
    for (const ExpectedFailures& group : groups) {
      line("  {}", painted(Tone::quiet, group.reason));
      wrapped("    ", group.cases, ", ");
    }
  }

  void baseline() {
    if (!report_.footer || report_.footer->baseline_findings.empty()) return;
    line("\n{}", painted(Tone::strong, "Baseline"));
    for (const std::string& finding : report_.footer->baseline_findings) {
      line("  {}", painted(Tone::warning, finding));
    }
  }

  /// One line, and where that is too little for the run what was never exercised.
  void coverage() {
    if (!report_.footer) return;
    const core::RecordFooter& footer = *report_.footer;
    if (footer.coverage.empty() && !footer.required_coverage) return;
    const bool too_little = check::falls_short(footer);
    line("\n{}",
         painted(too_little ? Tone::bad : Tone::quiet, "model coverage: " + coverage_text(footer)));
    if (too_little) {
      line("  never exercised:");
      for (const std::string& name : check::never_exercised(footer.coverage)) line("    {}", name);
    }
  }

  void closing() {
    std::string text = fmt::format("{}: {}", counted(report_.summary.cases, "case"),
                                   summary_text(report_.summary));
    if (report_.footer) text += fmt::format("  in {}", duration_text(report_.footer->duration_ms));
    line("\n{}", text);
    line("exit code {}", static_cast<int>(report_.exit_code));
  }

  const Report& report_;
  bool colour_;
  std::string out_;
};

}  // namespace

std::string render_text(const Report& report, const Style& style) {
  return TextWriter(report, style.colour).write();
}

}  // namespace assay::reports
