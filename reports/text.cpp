#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/words.h"
#include "harness/check/coverage.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

constexpr std::size_t columns = 100;
/// Causes that are shown in full, steps of one, and other cases of it by name.
constexpr std::size_t limit_causes = 20;
constexpr std::size_t limit_text_steps = 12;
constexpr std::size_t limit_reasons = 12;
constexpr std::size_t limit_cases = 8;
constexpr std::size_t limit_clauses = 6;
constexpr std::size_t limit_named_apart = 3;
constexpr std::ptrdiff_t limit_slowest = 5;
constexpr double slow_run_ms = 30'000;

enum class Tone { strong, good, bad, warning, quiet };

/// Lays the report out, line by line.
class TextWriter {
 public:
  TextWriter(const Report& report, const Style& style) : report_(report), style_(style) {}

  std::string write() {
    conclusion();
    selection();
    causes();
    expected();
    baseline();
    unproven();
    broken_clauses();
    slowest();
    coverage();
    closing();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string painted(Tone tone, std::string_view text) const {
    if (!style_.colour) return std::string(text);
    constexpr EnumTable<Tone::quiet, std::string_view> codes = {"1", "1;32", "1;31", "33", "2"};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[tone], text);
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
    line("{}  {}", painted(tone(), report_.headline), report_.explanation);
    std::string target = header.target;
    if (!header.target_identity.empty()) target += fmt::format(" ({})", header.target_identity);
    std::string from = fmt::format("seed {}", header.seed);
    if (!header.run_id.empty()) from += fmt::format(" · run id {}", header.run_id);
    line("{}", painted(Tone::quiet,
                       fmt::format("{} · profile {} · {} · assay {} · {}", target, header.profile,
                                   from, header.assay_version, header.started_at)));
    if (!header.label.empty()) line("{}", painted(Tone::quiet, "run by " + header.label));
    if (!header.baseline.empty()) line("{}", painted(Tone::quiet, "baseline " + header.baseline));
    for (const std::string& note : notes_of(report_)) {
      line("{}", painted(Tone::warning, "note: " + note));
    }
  }

  /// Whoever reads of a part must not take it for the whole.
  void selection() {
    if (report_.header.selection.empty()) return;
    line("{}",
         painted(Tone::quiet,
                 "selection: " + fmt::format("{}", fmt::join(report_.header.selection, " "))));
  }

  /// A line for each reason; the clauses too where they are few or all is asked for. A profile with
  /// few capabilities has a hundred reasons, of which the first say enough.
  void unproven() {
    if (report_.unproven.empty()) return;
    line("\n{}", painted(Tone::strong, "Not proven"));
    std::size_t shown = 0;
    std::size_t left_out = 0;
    for (const Unproven& group : report_.unproven) {
      if (!style_.verbose && shown == limit_reasons) {
        left_out += group.clauses.size();
        continue;
      }
      ++shown;
      const std::vector<std::string> names = clause_names(group.clauses, report_);
      const std::string head =
          fmt::format("{}: {}", group.why, counted(group.clauses.size(), "clause"));
      if (style_.verbose) {
        line("  {}", painted(Tone::warning, head));
        wrapped("    ", names, ", ");
        continue;
      }
      const std::string whole = fmt::format("  {} ({})", head, fmt::join(names, ", "));
      line("{}", whole.size() <= columns ? whole : "  " + head);
      // A reason without its clause cannot be looked up.
      if (whole.size() > columns && names.size() <= limit_named_apart) wrapped("    ", names, ", ");
    }
    if (left_out > 0) {
      line("  {} for {} (--verbose lists them)", counted(left_out, "more clause"),
           counted(report_.unproven.size() - shown, "more reason"));
    }
  }

  void causes() {
    if (const std::string text = news_heading(report_); !text.empty()) {
      line("\n{}", painted(Tone::strong, text));
    }
    std::size_t number = 0;
    for (const CauseReport& cause : report_.causes) {
      if (cause.outcome == Outcome::expected_fail) continue;
      ++number;
      if (number <= limit_causes || style_.verbose) {
        this->cause(cause);
      } else {
        if (number == limit_causes + 1) line("\n{}", painted(Tone::strong, "Further causes"));
        line("  {}  {} ({})", outcome_phrase(cause.outcome), title_of(cause),
             counted(cause.cases.size(), "case"));
      }
    }
  }

  void cause(const CauseReport& cause) {
    const bool red = cause.outcome == Outcome::fail || cause.outcome == Outcome::unexpected_pass;
    line("\n{}  {}  {}", painted(red ? Tone::bad : Tone::warning, outcome_phrase(cause.outcome)),
         painted(Tone::strong, title_of(cause)),
         painted(Tone::quiet, counted(cause.cases.size(), "case")));
    if (!cause.clauses.empty()) clause(cause.clauses.front());
    const CaseReport& shown = report_.cases[cause.cases.front()];
    line("  {}  {}", painted(Tone::strong, shown.id), shown.title);
    const Finding* finding = deciding(shown);
    if (finding != nullptr) this->finding(shown, *finding);
    if (finding == nullptr && !shown.reason.empty()) labelled("    ", "why", shown.reason);
    if (!shown.retries.empty()) labelled("    ", "retries", retries_text(shown));
    if (!shown.repro.empty()) labelled("    ", "again", shown.repro);
    const bool is_broken = cause.outcome == Outcome::fail;
    clauses(is_broken ? "follows" : "also", following_of(cause));
    clauses("also", cause.other_clauses);
    other_cases(cause);
  }

  void clause(const std::string& id) {
    const ClauseReport* clause = report_.find_clause(id);
    if (clause == nullptr) return;
    line("  {} {}", said_by(*clause),
         painted(Tone::quiet, fmt::format("({})", clause->clause.source)));
  }

  [[nodiscard]] static std::string said_by(const ClauseReport& clause) {
    return fmt::format("{} {}  {}", clause.clause.id, core::level_words[clause.clause.level],
                       clause.clause.statement);
  }

  /// Clauses in their own words, by name where they are many.
  void clauses(std::string_view label, const std::vector<std::string>& ids) {
    if (ids.empty()) return;
    std::vector<std::string> lines;
    if (ids.size() > limit_clauses && !style_.verbose) {
      lines.push_back(fmt::format("{}", fmt::join(clause_names(ids, report_), ", ")));
    } else {
      for (const std::string& id : ids) {
        const ClauseReport* clause = report_.find_clause(id);
        lines.push_back(clause == nullptr ? id : said_by(*clause));
      }
    }
    labelled("    ", label, fmt::format("{}", fmt::join(lines, "\n")));
  }

  /// The finding that a case's outcome comes from.
  [[nodiscard]] static const Finding* deciding(const CaseReport& each) {
    const auto found =
        std::find_if(each.findings.begin(), each.findings.end(),
                     [&each](const Finding& finding) { return finding.verdict == each.verdict; });
    return found == each.findings.end() ? nullptr : &*found;
  }

  void finding(const CaseReport& each, const Finding& finding) {
    steps(each, finding.steps);
    if (!finding.expected.empty()) labelled("    ", "expected", finding.expected);
    if (!finding.actual.empty()) labelled("    ", "actual", finding.actual);
    if (!finding.reason.empty()) labelled("    ", "why", finding.reason);
    const std::string looking = looking_text(finding);
    if (!looking.empty()) labelled("    ", "window", looking);
    if (!finding.at.empty()) labelled("    ", "at", finding.at);
    if (!style_.verbose) return;
    for (const std::size_t index : finding.evidence) exchange(each.exchanges[index]);
  }

  /// The requests that led there, the last ones where they are many.
  void steps(const CaseReport& each, std::size_t until) {
    if (each.is_cut) {
      line("    {}", painted(Tone::quiet, fmt::format("{} in the record",
                                                      counted(each.exchange_count, "exchange"))));
    }
    const std::size_t count = std::min(until == 0 ? each.steps.size() : until, each.steps.size());
    const std::size_t skipped =
        style_.verbose || count <= limit_text_steps ? 0 : count - (limit_text_steps - 1);
    if (skipped > 0)
      line("    {}", painted(Tone::quiet, fmt::format("… {} before", counted(skipped, "step"))));
    for (std::size_t index = skipped; index < count; ++index) {
      const StepReport& step = each.steps[index];
      line("    {}{}{} {} {}{}", step.request, step.sent.empty() ? "" : "  ", step.sent,
           painted(Tone::quiet, "→"), step.answer,
           step.times > 1 ? "  " + repeated_text(step) : "");
    }
  }

  void other_cases(const CauseReport& cause) {
    if (cause.cases.size() < 2) return;
    std::vector<std::string> ids;
    for (std::size_t index = 1; index < cause.cases.size(); ++index) {
      if (ids.size() == limit_cases && !style_.verbose) break;
      ids.push_back(report_.cases[cause.cases[index]].id);
    }
    const std::size_t left = cause.cases.size() - 1 - ids.size();
    if (left > 0) ids.push_back(fmt::format("and {} more", left));
    labelled("    ", "others", fmt::format("{}", fmt::join(ids, ", ")));
  }

  /// What is broken at a glance, after what may be many screens.
  void broken_clauses() {
    std::vector<std::string> broken;
    std::vector<std::string> following;
    for (const ClauseReport& clause : report_.clauses) {
      if (clause.verdict != core::Verdict::fail) continue;
      std::string name = clause.clause.id;
      if (!clause.follows.empty()) {
        following.push_back(fmt::format("{} from {}", name, clause.follows));
        continue;
      }
      if (clause.clause.level != core::Level::must) {
        name += fmt::format(" ({})", core::level_words[clause.clause.level]);
      }
      broken.push_back(std::move(name));
    }
    if (broken.empty()) return;
    line("\n{}",
         painted(Tone::strong, fmt::format("Broken: {}", counted(broken.size(), "clause"))));
    wrapped("  ", broken, ", ");
    if (following.empty()) return;
    line("  {}", painted(Tone::quiet, "What follows from that:"));
    wrapped("    ", following, ", ");
  }

  /// Where the time went, in a run that was long enough to ask.
  void slowest() {
    if (!style_.verbose && (!report_.footer || report_.footer->duration_ms < slow_run_ms)) return;
    std::vector<const CaseReport*> slow;
    for (const CaseReport& each : report_.cases) slow.push_back(&each);
    const auto end = slow.begin() + std::min<std::ptrdiff_t>(limit_slowest, std::ssize(slow));
    std::partial_sort(slow.begin(), end, slow.end(), [](const auto* left, const auto* right) {
      return left->duration_ms > right->duration_ms;
    });
    if (end == slow.begin()) return;
    line("\n{}", painted(Tone::strong, "Slowest cases"));
    for (auto each = slow.begin(); each != end; ++each) {
      line("  {:>9}  {}", duration_text((*each)->duration_ms), (*each)->id);
    }
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
    if (const std::string text = sensitivity_text(report_); !text.empty()) {
      line("\n{}", painted(Tone::quiet, "sensitivity: " + text));
    }
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
    line("{}, exit code {}", painted(tone(), report_.headline),
         static_cast<int>(report_.exit_code));
  }

  [[nodiscard]] Tone tone() const {
    return report_.conclusion == Conclusion::conforms ? Tone::good
           : report_.conclusion == Conclusion::broken ? Tone::bad
                                                      : Tone::warning;
  }

  const Report& report_;
  Style style_;
  std::string out_;
};

}  // namespace

std::string render_text(const Report& report, const Style& style) {
  return TextWriter(report, style).write();
}

}  // namespace assay::reports
