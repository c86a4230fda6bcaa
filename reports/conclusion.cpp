#include "reports/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "harness/check/coverage.h"
#include "harness/check/judge.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// Whether a run was of the whole built-in suite. Records of before its cases were counted say only
/// whether some were selected.
bool is_whole_suite(const Report& report) {
  const core::RecordHeader& header = report.header;
  if (!header.scenarios.empty()) return false;
  if (header.suite_cases == 0) return header.selection.empty();
  return report.summary.cases >= header.suite_cases;
}

/// How many cases were judged. Those that do not apply would make a few failures look like fewer.
std::size_t judged_count(const Summary& summary) {
  return summary.cases - summary.count(Outcome::not_applicable);
}

/// "57 of 57 selected cases pass; 12 not applicable; 1,325 not run."
std::string selection_text(const Report& report) {
  const Summary& summary = report.summary;
  const std::size_t judged = judged_count(summary);
  std::string text = fmt::format("{} of {} {}", count_text(summary.count(Outcome::pass)),
                                 counted(judged, "selected case"), judged == 1 ? "passes" : "pass");
  const auto add = [&text](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format("; {} {}", count_text(count), what);
  };
  const std::size_t expected = summary.count(Outcome::expected_fail);
  add(expected, expected == 1 ? "fails as the baseline expects" : "fail as the baseline expects");
  add(summary.count(Outcome::fail), "break no MUST");
  add(summary.count(Outcome::flaky), "flaky");
  add(summary.count(Outcome::not_applicable), "not applicable");
  const std::size_t whole = report.header.suite_cases;
  if (whole > summary.cases) add(whole - summary.cases, "not run");
  if (!report.header.scenarios.empty()) text += "; they are not those of the built-in suite";
  return text + ".";
}

/// "2 of 9 selected cases fail.", "16 of 412 cases fail; 1,171 not applicable.": how much of the
/// run, before how many clauses that breaks.
std::string failing_text(const Report& report) {
  const std::size_t failed = report.summary.count(Outcome::fail);
  std::string text = fmt::format(
      "{} of {} {}", count_text(failed),
      counted(judged_count(report.summary), is_whole_suite(report) ? "case" : "selected case"),
      failed == 1 ? "fails" : "fail");
  const std::size_t idle = report.summary.count(Outcome::not_applicable);
  if (idle > 0) text += fmt::format("; {} not applicable", count_text(idle));
  return text + ".";
}

std::string stale_text(const Report& report) {
  const std::size_t passed = report.summary.count(Outcome::unexpected_pass);
  std::string text;
  if (passed > 0) {
    text = fmt::format("{} passed, but the baseline expects a failure.", counted(passed, "case"));
  }
  const std::size_t entries = report.footer->baseline_findings.size();
  if (entries == 0) return text;
  return fmt::format("{}{}{} baseline {} no longer {} this run.", text, text.empty() ? "" : " ",
                     entries, entries == 1 ? "entry" : "entries",
                     entries == 1 ? "matches" : "match");
}

/// "Interrupted after 204 of 1,394 cases; incomplete, so nothing is proven." A clause that is
/// broken is so however the run ended.
std::string interrupted_text(const Report& report) {
  const std::size_t judged = report.summary.cases;
  const std::size_t whole = report.header.suite_cases;
  const std::string cases =
      report.header.selection.empty() && whole > judged
          ? fmt::format("{} of {} cases", count_text(judged), count_text(whole))
          : counted(judged, "case");
  const bool breaks_any = std::ranges::any_of(
      report.clauses, [](const ClauseReport& each) { return each.verdict == core::Verdict::fail; });
  return fmt::format("Interrupted after {}; incomplete, so {} is proven.", cases,
                     breaks_any ? "only what is broken" : "nothing");
}

/// Whether no clause of any level is shown to hold or to be broken, though some pass.
bool shows_nothing(const Report& report) {
  const auto is_shown = [](const ClauseReport& each) {
    return each.holds() || each.verdict == core::Verdict::fail;
  };
  const auto passes = [](const ClauseReport& each) { return each.is_not_shown(); };
  return std::any_of(report.clauses.begin(), report.clauses.end(), passes) &&
         std::none_of(report.clauses.begin(), report.clauses.end(), is_shown);
}

void set_conclusion(Report& report, Conclusion conclusion, std::string headline,
                    std::string explanation) {
  report.conclusion = conclusion;
  report.headline = std::move(headline);
  report.explanation = std::move(explanation);
}

/// How many cases came to `verdict`, and count so.
std::size_t count_unexcused(const Report& report, core::Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(report.cases.begin(), report.cases.end(), [&](const CaseReport& each) {
        return each.verdict == verdict && each.outcome != Outcome::expected_fail &&
               !each.is_let_through;
      }));
}

std::string flaky_text(const Report& report) {
  const std::size_t flaky = report.summary.count(Outcome::flaky);
  return fmt::format("{} passed only when {} run again", counted(flaky, "case"),
                     flaky == 1 ? "it was" : "they were");
}

/// Explains why a run that neither conforms nor breaks a clause proves too little.
void conclude_not_proven(Report& report) {
  const std::size_t undecided = count_unexcused(report, core::Verdict::inconclusive) +
                                count_unexcused(report, core::Verdict::error);
  if (undecided > 0) {
    return set_conclusion(report, Conclusion::not_proven, "Not proven",
                          fmt::format("{} came to no verdict.", counted(undecided, "case")));
  }
  if (report.exit_code == core::ExitCode::unexpected_findings &&
      check::falls_short(*report.footer)) {
    return set_conclusion(report, Conclusion::not_proven, "Not exercised enough",
                          coverage_text(*report.footer) + ".");
  }
  if (report.exit_code == core::ExitCode::unexpected_findings && report.footer->required_shown) {
    return set_conclusion(
        report, Conclusion::not_proven, "Not shown enough",
        fmt::format("{:g} % of the MUST clauses that the run reached must be shown to hold "
                    "or to be broken.",
                    *report.footer->required_shown));
  }
  set_conclusion(
      report, Conclusion::not_proven, "Nothing proven",
      report.summary.cases == 0 ? "No case was run." : "No case applies to this target.");
}

/// The MUST clauses counted by standing.
struct MustClauses {
  explicit MustClauses(const Report& report) {
    const auto counts = count_standings(report, core::Level::must);
    holding = counts[Standing::holds];
    following = static_cast<std::size_t>(
        std::count_if(report.clauses.begin(), report.clauses.end(), [](const ClauseReport& each) {
          return each.clause.level == core::Level::must && !each.follows.empty();
        }));
    broken = counts[Standing::broken] - following;
    not_shown = counts[Standing::not_shown];
    undecided = counts[Standing::undecided];
  }

  /// "3 of 174 tested MUST clauses are broken; 2 more follow from them; 4 are not shown.", "All 174
  /// tested MUST clauses hold.", "6 of 44 tested MUST clauses hold; 34 are broken."
  [[nodiscard]] std::string text(std::size_t count, std::string_view standing,
                                 std::string_view more = "") const {
    const std::size_t tested = holding + broken + following + not_shown + undecided;
    if (count == tested && count > 1) {
      return fmt::format("All {} tested MUST clauses {}.", count, standing);
    }
    std::string judged =
        fmt::format("{} of {} {}{}", count, counted(tested, "tested MUST clause"), standing, more);
    for (const auto& [others, what] :
         {std::pair(not_shown, "not shown"), std::pair(undecided, "undecided")}) {
      if (others > 0) judged += fmt::format("; {} {} {}", others, others == 1 ? "is" : "are", what);
    }
    return judged + ".";
  }
  [[nodiscard]] std::string holding_text() const {
    const std::size_t excused = broken + following;
    const std::string more =
        excused == 0 ? "" : fmt::format("; {} {} broken", excused, excused == 1 ? "is" : "are");
    return text(holding, holding == 1 ? "holds" : "hold", more);
  }
  [[nodiscard]] std::string broken_text() const {
    const std::string more = following == 0 ? ""
                                            : fmt::format("; {} more {} from {}", following,
                                                          following == 1 ? "follows" : "follow",
                                                          broken == 1 ? "it" : "them");
    return text(broken, broken == 1 ? "is broken" : "are broken", more);
  }

  std::size_t holding = 0;
  /// Broken on their own, and those that only follow from such.
  std::size_t broken = 0;
  std::size_t following = 0;
  std::size_t not_shown = 0;
  std::size_t undecided = 0;
};

/// Concludes a run without an unexpected failure.
void conclude_good(Report& report, const MustClauses& clauses) {
  if (shows_nothing(report)) {
    return set_conclusion(report, Conclusion::not_proven, "Nothing shown",
                          "Every check passes, and would have passed whatever the target did.");
  }
  const bool is_whole = is_whole_suite(report);
  if (std::any_of(report.cases.begin(), report.cases.end(),
                  [](const CaseReport& each) { return each.is_let_through; })) {
    return set_conclusion(report, Conclusion::flaky, "Flaky",
                          fmt::format("{}, which --flaky warn lets through. {}", flaky_text(report),
                                      is_whole ? clauses.holding_text() : selection_text(report)));
  }
  const std::size_t expected = report.summary.count(Outcome::expected_fail);
  if (!is_whole) {
    const std::string passing =
        report.summary.cases == 1 ? "Selected case passes" : "Selected cases pass";
    return set_conclusion(report, Conclusion::selection_passes,
                          expected == 0 ? passing : "Selection is as the baseline expects",
                          selection_text(report));
  }
  if (expected == 0) {
    return set_conclusion(report, Conclusion::conforms, "Conforms", clauses.holding_text());
  }
  set_conclusion(report, Conclusion::conforms, "As the baseline expects",
                 fmt::format("{} {} {} as the baseline expects.", clauses.holding_text(),
                             counted(expected, "case"), expected == 1 ? "fails" : "fail"));
}

}  // namespace

void conclude(Report& report) {
  const MustClauses clauses(report);
  if (!report.footer) {
    return set_conclusion(report, Conclusion::cut_short, "Cut short", interrupted_text(report));
  }
  switch (report.exit_code) {
    case core::ExitCode::conforms:
      return conclude_good(report, clauses);
    case core::ExitCode::baseline_stale:
      return set_conclusion(report, Conclusion::baseline_stale, "Baseline is stale",
                            stale_text(report));
    case core::ExitCode::target_unreachable:
      return set_conclusion(report, Conclusion::not_proven,
                            report.summary.cases == 0 ? "Not reached" : "Stopped",
                            report.footer->stopped.empty() ? "The target never answered."
                                                           : report.footer->stopped + ".");
    case core::ExitCode::unexpected_findings:
      if (count_unexcused(report, core::Verdict::fail) > 0) {
        const std::string broken = failing_text(report) + " " + clauses.broken_text();
        const bool has_flaky = report.summary.count(Outcome::flaky) > 0;
        return set_conclusion(report, Conclusion::broken, "Does not conform",
                              has_flaky ? broken + " " + flaky_text(report) + "." : broken);
      }
      break;
    default:
      break;
  }
  conclude_not_proven(report);
}

}  // namespace assay::reports
