#include "reports/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/visible.h"
#include "base/words.h"
#include "harness/check/coverage.h"

namespace assay::reports {
namespace {

/// The worst first: what a person must look at.
constexpr std::array<Outcome, count_of<Outcome::flaky>> worst_first = {
    Outcome::fail,          Outcome::unexpected_pass, Outcome::flaky,
    Outcome::error,         Outcome::inconclusive,    Outcome::pass,
    Outcome::expected_fail, Outcome::not_applicable};

}  // namespace

std::string count_text(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string duration_text(double duration_ms) {
  if (duration_ms < 1'000) return fmt::format("{:.0f} ms", duration_ms);
  if (duration_ms < 60'000) return fmt::format("{:.2f} s", duration_ms / 1'000);
  const auto seconds = static_cast<long long>(duration_ms / 1'000);
  return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

std::string with_digest(const std::string& name, const std::string& digest) {
  return name.empty() || digest.empty() ? name : fmt::format("{}, {}", name, digest);
}

std::string_view specification_of(const core::Clause& clause) {
  const std::string_view source = clause.source;
  return source.substr(0, source.find(' '));
}

std::string specification_title(std::string_view specification) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> titles = {{
      {"000", "000 Status transition matrix"},
      {"001", "001 Runtime event model"},
      {"002", "002 Workflow execution lifecycle"},
      {"003", "003 Entry, routing, termination"},
      {"004", "004 Run status contract"},
      {"CONTRACT", "HTTP binding of the reference"},
  }};
  for (const auto& [key, title] : titles) {
    if (key == specification) return std::string(title);
  }
  return specification.empty() ? "Other" : std::string(specification);
}

std::string summary_text(const Summary& summary) {
  std::vector<std::string> parts;
  for (const Outcome outcome : worst_first) {
    if (summary.count(outcome) > 0) {
      parts.push_back(
          fmt::format("{} {}", count_text(summary.count(outcome)), outcome_phrase(outcome)));
    }
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, " · "));
}

Standing standing_of(const ClauseReport& clause) {
  if (clause.cases == 0) return Standing::not_tested;
  switch (clause.verdict) {
    case core::Verdict::pass:
      return clause.is_not_shown() ? Standing::not_shown : Standing::holds;
    case core::Verdict::fail:
      return Standing::broken;
    case core::Verdict::inconclusive:
    case core::Verdict::error:
      return Standing::undecided;
    case core::Verdict::not_applicable:
      break;
  }
  return Standing::not_applicable;
}

std::string standing_phrase(Standing standing) {
  std::string phrase(standing_words[standing]);
  std::replace(phrase.begin(), phrase.end(), '_', ' ');
  return phrase;
}

StandingCounts count_standings(const Report& report, core::Level level) {
  StandingCounts counts;
  for (const ClauseReport& each : report.clauses) {
    if (each.clause.level == level) ++counts[standing_of(each)];
  }
  return counts;
}

std::vector<std::string> clause_names(const std::vector<std::string>& ids, const Report& report) {
  std::map<std::string_view, std::size_t> all;
  for (const ClauseReport& each : report.clauses) ++all[specification_of(each.clause)];
  std::map<std::string_view, std::vector<std::string>> among;
  for (const std::string& id : ids) {
    const ClauseReport* clause = report.find_clause(id);
    among[clause == nullptr ? "" : specification_of(clause->clause)].push_back(id);
  }
  std::vector<std::string> names;
  for (auto& [specification, members] : among) {
    if (members.size() > 1 && members.size() == all[specification]) {
      names.push_back(
          fmt::format("all {} of {}", members.size(), specification_title(specification)));
    } else {
      std::move(members.begin(), members.end(), std::back_inserter(names));
    }
  }
  return names;
}

std::vector<std::string> notes_of(const Report& report) {
  return report.footer ? report.footer->notes : std::vector<std::string>();
}

std::string coverage_text(const core::RecordFooter& footer) {
  const check::CoverageTotal total = check::coverage_total(footer.coverage);
  // Rounded down: what is short of a bound must not look as if it met it.
  std::string text = fmt::format("{} of {} states and transitions of the model ({:g} %)",
                                 total.seen, total.defined, std::floor(total.percent() * 10) / 10);
  if (footer.required_coverage) text += fmt::format(", {:g} % required", *footer.required_coverage);
  return text;
}

std::string repeated_text(const StepReport& step) {
  return fmt::format("({} {} times, same answer)",
                     step.request.starts_with("GET ") ? "asked" : "sent", step.times);
}

std::string title_of(const CauseReport& cause) {
  constexpr std::size_t limit_bytes = 200;
  const std::string text = visible(cause.text, limit_bytes, Lines::one);
  return cause.clauses.empty() ? text : fmt::format("{}: {}", cause.clauses.front(), text);
}

std::vector<std::string> following_of(const CauseReport& cause) {
  std::vector<std::string> following = cause.clauses;
  if (!following.empty()) following.erase(following.begin());
  following.insert(following.end(), cause.following.begin(), cause.following.end());
  return following;
}

std::vector<const ClauseReport*> broken_clauses(const Report& report) {
  std::vector<const ClauseReport*> broken;
  for (const ClauseReport& each : report.clauses) {
    if (standing_of(each) == Standing::broken) broken.push_back(&each);
  }
  std::stable_partition(broken.begin(), broken.end(),
                        [](const ClauseReport* each) { return each->follows.empty(); });
  return broken;
}

std::string broken_count_text(const std::vector<const ClauseReport*>& broken) {
  const auto following = static_cast<std::size_t>(std::count_if(
      broken.begin(), broken.end(), [](const auto* each) { return !each->follows.empty(); }));
  const std::size_t own = broken.size() - following;
  if (following == 0) return counted(own, "clause");
  return fmt::format("{}, and {} that {} from {}", counted(own, "clause"), following,
                     following == 1 ? "follows" : "follow", own == 1 ? "it" : "them");
}

std::string broken_text(const ClauseReport& clause) {
  return clause.follows.empty()
             ? clause.clause.statement
             : fmt::format("{} (follows from {})", clause.clause.statement, clause.follows);
}

std::string looking_text(const Finding& finding) {
  if (finding.looks < 2 && finding.looked_ms == 0) return "";
  return fmt::format("looked for {} ms, {}", finding.looked_ms,
                     counted(static_cast<std::size_t>(finding.looks), "time"));
}

std::string retries_text(const CaseReport& each) {
  if (each.retries.empty()) return "";
  const auto passed = static_cast<std::size_t>(
      std::count(each.retries.begin(), each.retries.end(), core::Verdict::pass));
  const std::string again = counted(each.retries.size(), "time");
  if (passed == 0) return fmt::format("run again {}, never passed", again);
  if (each.rate.failed == 0) return fmt::format("run again {}, passed {}", again, passed);
  return fmt::format("run again {}, passed {}: does not pass in {}", again, passed,
                     check::rate_text(each.rate));
}

std::vector<ExpectedFailures> expected_failures(const Report& report) {
  std::vector<ExpectedFailures> groups;
  for (const CaseReport& each : report.cases) {
    if (each.outcome != Outcome::expected_fail) continue;
    for (const std::string& reason : each.baseline_reasons) {
      auto group = std::find_if(groups.begin(), groups.end(), [&reason](const auto& candidate) {
        return candidate.reason == reason;
      });
      if (group == groups.end()) group = groups.insert(groups.end(), {reason, {}});
      group->cases.push_back(each.id);
    }
  }
  return groups;
}

std::vector<const CaseReport*> troubled_cases(const Report& report) {
  std::vector<const CaseReport*> troubled;
  for (const Outcome outcome : {Outcome::fail, Outcome::unexpected_pass, Outcome::flaky,
                                Outcome::error, Outcome::inconclusive, Outcome::expected_fail}) {
    for (const CaseReport& each : report.cases) {
      if (each.outcome == outcome) troubled.push_back(&each);
    }
  }
  return troubled;
}

std::string_view clause_word(const ClauseReport& clause) {
  return clause.is_not_shown() ? "not_shown" : core::verdict_words[clause.verdict];
}

std::string not_shown_text(const core::Sensitivity& sensitivity) {
  constexpr std::size_t limit = 4;
  const std::vector<std::string>& reasons = sensitivity.hidden_by;
  const std::vector<std::string> first(
      reasons.begin(),
      reasons.begin() + static_cast<std::ptrdiff_t>(std::min(limit, reasons.size())));
  return fmt::format("not shown: {}{}", fmt::join(first, "; "),
                     reasons.size() > limit ? "; …" : "");
}

std::string sensitivity_text(const ClauseReport& clause) {
  if (!clause.sensitivity) return "";
  return fmt::format("would have caught {} of {} known {} to break it",
                     clause.sensitivity->caught.size(), clause.sensitivity->known,
                     clause.sensitivity->known == 1 ? "way" : "ways");
}

std::string sensitivity_text(const Report& report) {
  std::size_t caught = 0;
  std::size_t known = 0;
  std::size_t holding = 0;
  std::size_t not_shown = 0;
  bool is_measured = false;
  for (const ClauseReport& each : report.clauses) {
    if (!each.sensitivity) continue;
    is_measured = true;
    if (each.is_not_shown()) ++not_shown;
    if (!each.holds()) continue;
    ++holding;
    caught += each.sensitivity->caught.size();
    known += each.sensitivity->known;
  }
  if (!is_measured) return "";
  std::string text = fmt::format(
      "the cases that passed would have caught {} of {} known ways to break the {} "
      "that {}",
      caught, known, counted(holding, "clause"), holding == 1 ? "holds" : "hold");
  if (not_shown > 0) {
    text += fmt::format("; {} {} not shown", counted(not_shown, "clause"),
                        not_shown == 1 ? "is" : "are");
  }
  return text;
}

namespace {

constexpr std::size_t limit_news = 8;

bool knows_failures(const Report& report) {
  return !report.header.baseline.empty() || report.summary.count(Outcome::expected_fail) > 0;
}

std::vector<const CauseReport*> new_causes(const Report& report) {
  std::vector<const CauseReport*> causes;
  if (!knows_failures(report)) return causes;
  for (const CauseReport& cause : report.causes) {
    if (cause.outcome != Outcome::expected_fail && cause.outcome != Outcome::unexpected_pass) {
      causes.push_back(&cause);
    }
  }
  return causes;
}

}  // namespace

std::string news_heading(const Report& report) {
  const std::size_t count = new_causes(report).size();
  if (count == 0) return "";
  return fmt::format("New, not {}: {}",
                     report.header.baseline.empty() ? "in the record before" : "in the baseline",
                     counted(count, "cause"));
}

std::vector<std::string> news_of(const Report& report) {
  std::vector<std::string> lines;
  const auto add = [&lines](std::string line) { lines.push_back(std::move(line)); };
  for (const CauseReport* cause : new_causes(report)) {
    const std::size_t others = cause->cases.size() - 1;
    add(fmt::format("new: {}: {}{}", title_of(*cause), report.cases[cause->cases.front()].id,
                    others == 0 ? "" : fmt::format(" and {}", counted(others, "other case"))));
  }
  if (report.footer) {
    for (const std::string& finding : report.footer->baseline_findings) add("baseline: " + finding);
  }
  if (lines.size() <= limit_news) return lines;
  const std::size_t left_out = lines.size() - limit_news;
  lines.resize(limit_news);
  lines.push_back(fmt::format("and {} more; assay report says which", left_out));
  return lines;
}

}  // namespace assay::reports
