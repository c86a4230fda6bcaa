#include "harness/core/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "harness/core/case_name.h"
#include "harness/core/failure.h"

namespace assay::core {
namespace {

/// Of the cases and signatures that a message names; the rest is counted.
constexpr std::size_t limit_named = 5;

constexpr std::string_view generated_prefix = "properties/";

bool is_expired(const BaselineEntry& entry, const BaselineContext& context) {
  return !entry.expires.empty() && entry.expires < context.today;
}

bool is_about_this_run(const BaselineEntry& entry, const BaselineContext& context) {
  if (!entry.profile.empty() && !matches_glob(entry.profile, context.profile)) return false;
  return entry.target.empty() || !context.target_identity ||
         matches_glob(entry.target, *context.target_identity);
}

bool matches_any(const std::vector<std::string>& globs, std::string_view text) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [text](const auto& glob) {
           return glob == text || matches_glob(glob, text);
         });
}

/// Whether the entry expects that failure of a case that it matches.
bool expects(const BaselineEntry& entry, const Failure& failure) {
  return entry.clause == failure.clause &&
         entry.verdict.value_or(failure.verdict) == failure.verdict &&
         (matches_any(entry.seen, failure.signature) ||
          matches_any(entry.seen, whole_signature(failure)));
}

bool names(const BaselineEntry& entry, std::string_view case_id) {
  return entry.case_glob == case_id || matches_glob(entry.case_glob, case_id);
}

/// A case that passed or failed shows whether an entry is right; one that was not decided does not.
bool is_judged(const CaseResult& result) {
  return result.verdict == Verdict::pass || result.verdict == Verdict::fail;
}

std::string reason_text(const BaselineEntry& entry) {
  std::string text = entry.reason;
  if (!entry.reference.empty()) text += fmt::format(" ({})", entry.reference);
  if (!entry.expires.empty()) text += fmt::format("; expires {}", entry.expires);
  return text;
}

std::string lines_of(const BaselineEntry& entry) {
  return entry.last_line <= entry.at.line
             ? fmt::format("line {}", entry.at.line)
             : fmt::format("lines {} to {}", entry.at.line, entry.last_line);
}

Diagnostic about(const BaselineEntry& entry, std::string_view what) {
  return {entry.at, fmt::format("{} ({}) {}", entry.case_glob, entry.clause, what)};
}

std::string listed(const std::vector<std::string>& names) {
  const std::size_t named = std::min(names.size(), limit_named);
  const auto last = names.begin() + static_cast<std::ptrdiff_t>(named);
  std::string text = fmt::format("{}", fmt::join(names.begin(), last, ", "));
  if (named < names.size()) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

/// "properties/run-walks" of "properties/run-walks-3", "status/x" of "status/x[step.enter]": one
/// thing that somebody can have looked at.
std::string subject_of(std::string_view case_id) {
  if (!case_id.starts_with(generated_prefix)) return std::string(scenario_of_id(case_id));
  const std::size_t dash = case_id.rfind('-');
  const bool is_numbered =
      dash != std::string_view::npos && dash + 1 < case_id.size() &&
      case_id.find_first_not_of("0123456789", dash + 1) == std::string_view::npos;
  return std::string(is_numbered ? case_id.substr(0, dash) : case_id);
}

/// Why an entry would excuse what nobody has looked at; empty where it would not.
std::string why_too_wide(const BaselineEntry& entry, const std::set<std::string>& subjects,
                         const BaselineContext& context) {
  const Clause* clause = context.clauses == nullptr ? nullptr : context.clauses->find(entry.clause);
  if (clause != nullptr && clause->level == Level::must && entry.expires.empty()) {
    return fmt::format("needs an \"expires\": {} is a MUST, which may be broken only for a time",
                       entry.clause);
  }
  if (std::any_of(entry.seen.begin(), entry.seen.end(),
                  [](const auto& glob) { return glob.find_first_not_of('*') == glob.npos; })) {
    return "is too wide: a \"seen\" of * excuses every failure; write what is seen";
  }
  if (subjects.size() > 1) {
    return fmt::format("is too wide: it matches {}; write one entry for each",
                       listed({subjects.begin(), subjects.end()}));
  }
  if (!subjects.empty() && subjects.begin()->starts_with(generated_prefix) && entry.seen.empty()) {
    return "is too wide: a generated case is excused by its family and what is \"seen\", never by "
           "the clause alone";
  }
  return "";
}

std::set<std::string> subjects_of(const BaselineEntry& entry,
                                  std::span<const std::string> known_cases,
                                  const std::vector<CaseResult>& cases) {
  std::set<std::string> subjects;
  for (const std::string& id : known_cases) {
    if (names(entry, id)) subjects.insert(subject_of(id));
  }
  for (const CaseResult& result : cases) {
    if (names(entry, result.id)) subjects.insert(subject_of(result.id));
  }
  return subjects;
}

/// What the cases that an entry matches show of it.
struct Seen {
  std::vector<std::string> otherwise;
  std::set<std::string> other_signatures;
  bool excuses = false;
  bool is_overlapped = true;
};

bool is_covered_before(const Baseline& baseline, const BaselineEntry& entry, std::string_view id,
                       const Failure& failure, const BaselineContext& context) {
  for (const BaselineEntry& before : baseline.entries) {
    if (&before == &entry) return false;
    if (!is_expired(before, context) && is_about_this_run(before, context) && names(before, id) &&
        expects(before, failure)) {
      return true;
    }
  }
  return false;
}

void look(const BaselineEntry& entry, const Baseline& baseline, CaseResult& result,
          const BaselineContext& context, Seen& seen) {
  bool fails_as_said = false;
  for (const Failure& failure : failures_of(result)) {
    if (expects(entry, failure)) {
      fails_as_said = true;
      seen.excuses = true;
      seen.is_overlapped &= is_covered_before(baseline, entry, result.id, failure, context);
    } else if (failure.clause == entry.clause) {
      seen.other_signatures.insert(whole_signature(failure));
    }
  }
  if (entry.sometimes || fails_as_said || !is_judged(result)) return;
  seen.otherwise.push_back(result.id);
  result.unexpected_pass |= result.verdict == Verdict::pass;
}

std::string stale_text(const BaselineEntry& entry, const Seen& seen) {
  const bool names_one = seen.otherwise.size() == 1 && seen.otherwise.front() == entry.case_glob;
  std::string text =
      names_one ? "does not fail as it says any more"
                : fmt::format("does not fail as it says any more in {}", listed(seen.otherwise));
  if (!seen.other_signatures.empty()) {
    const std::vector<std::string> others(seen.other_signatures.begin(),
                                          seen.other_signatures.end());
    return text + fmt::format("; seen now: {}", listed(others));
  }
  if (!names_one && seen.excuses) {
    return text + "; write entries for those that still fail instead of " + lines_of(entry);
  }
  return text + "; delete " + lines_of(entry);
}

/// Judges an entry by the cases that it matches, and marks those that pass against its word.
void review(const BaselineEntry& entry, const Baseline& baseline, RunRecord& record,
            const std::set<std::string>& subjects, const BaselineContext& context,
            BaselineFindings& findings) {
  if (is_expired(entry, context)) {
    findings.expired.push_back(
        about(entry, fmt::format("expired on {}; mend the fault and delete {}, or set another day",
                                 entry.expires, lines_of(entry))));
    return;
  }
  if (!is_about_this_run(entry, context)) return;
  if (subjects.empty()) {
    findings.unmatched.push_back(about(entry, "matches no case; delete " + lines_of(entry)));
    return;
  }
  Seen seen;
  for (CaseResult& result : record.cases) {
    if (names(entry, result.id)) look(entry, baseline, result, context, seen);
  }
  if (!seen.otherwise.empty()) findings.stale.push_back(about(entry, stale_text(entry, seen)));
  if (seen.excuses && seen.is_overlapped) {
    findings.overlapping.push_back(
        about(entry, "excuses only what entries before it excuse; delete " + lines_of(entry)));
  }
}

void review_width(const BaselineEntry& entry, const std::set<std::string>& subjects,
                  const BaselineContext& context, BaselineFindings& findings) {
  const std::string why = why_too_wide(entry, subjects, context);
  if (!why.empty()) findings.too_wide.push_back(about(entry, why));
}

}  // namespace

std::vector<Diagnostic> BaselineFindings::in_order() const {
  std::vector<Diagnostic> all;
  for (const auto* each : {&stale, &unmatched, &expired, &too_wide, &overlapping}) {
    all.insert(all.end(), each->begin(), each->end());
  }
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& left, const Diagnostic& right) {
    return std::tie(left.at.file, left.at.line, left.at.column) <
           std::tie(right.at.file, right.at.line, right.at.column);
  });
  return all;
}

std::vector<Diagnostic> use_row_names(Baseline& baseline,
                                      std::span<const std::string> known_cases) {
  std::vector<Diagnostic> hints;
  for (BaselineEntry& entry : baseline.entries) {
    std::optional<std::string> name = id_of_index(entry.case_glob, known_cases);
    if (!name) continue;
    hints.push_back({entry.at, fmt::format("{} is now called {}", entry.case_glob, *name)});
    entry.case_glob = std::move(*name);
  }
  return hints;
}

void excuse(CaseResult& result, const Baseline& baseline, const BaselineContext& context) {
  std::vector<Failure> open = failures_of(result);
  if (open.empty()) return;
  std::vector<std::string> reasons;
  for (const BaselineEntry& entry : baseline.entries) {
    if (is_expired(entry, context) || !is_about_this_run(entry, context)) continue;
    if (!names(entry, result.id)) continue;
    const auto is_expected = [&entry](const Failure& failure) { return expects(entry, failure); };
    if (std::erase_if(open, is_expected) == 0) continue;
    std::string reason = reason_text(entry);
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(std::move(reason));
    }
  }
  if (!open.empty() || reasons.empty()) return;
  result.expected_fail = true;
  result.baseline_reasons = std::move(reasons);
}

BaselineFindings apply_baseline(RunRecord& record, const Baseline& baseline,
                                std::span<const std::string> known_cases,
                                const BaselineContext& context) {
  BaselineContext of_run = context;
  of_run.profile = record.header.profile;
  of_run.target_identity = record.header.target_identity;
  for (CaseResult& result : record.cases) {
    result.expected_fail = false;
    result.unexpected_pass = false;
    result.baseline_reasons.clear();
    excuse(result, baseline, of_run);
  }
  BaselineFindings findings;
  for (const BaselineEntry& entry : baseline.entries) {
    const std::set<std::string> subjects = subjects_of(entry, known_cases, record.cases);
    review(entry, baseline, record, subjects, of_run, findings);
    review_width(entry, subjects, of_run, findings);
  }
  return findings;
}

BaselineFindings review_baseline(const Baseline& baseline, std::span<const std::string> known_cases,
                                 const BaselineContext& context) {
  BaselineFindings findings;
  for (const BaselineEntry& entry : baseline.entries) {
    review_width(entry, subjects_of(entry, known_cases, {}), context, findings);
  }
  return findings;
}

}  // namespace assay::core
