#include "reports/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/visible.h"
#include "harness/check/cause.h"
#include "harness/check/coverage.h"
#include "harness/check/judge.h"
#include "harness/core/secrets.h"
#include "harness/core/undeclared.h"
#include "reports/causes.h"
#include "reports/collateral.h"
#include "reports/conclusion.h"
#include "reports/curl.h"
#include "reports/outline.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

constexpr std::size_t limit_line_bytes = 400;
constexpr std::size_t limit_step_bytes = 160;

/// Makes text of a record safe to show.
class Cleaner {
 public:
  Cleaner(core::Secrets secrets, const Limits& limits)
      : secrets_(std::move(secrets)), limits_(limits) {}

  /// From now on its secrets are masked too.
  void learn(const core::CaseResult& result) { secrets_.add(core::Secrets(std::span(&result, 1))); }

  [[nodiscard]] std::string line(const std::string& raw) const {
    return visible(secrets_.masked(raw), limit_line_bytes, Lines::one);
  }

  [[nodiscard]] std::vector<std::string> lines(const std::vector<std::string>& raw) const {
    std::vector<std::string> clean;
    clean.reserve(raw.size());
    for (const std::string& each : raw) clean.push_back(line(each));
    return clean;
  }

  [[nodiscard]] std::string text(const std::string& raw) const {
    return visible(secrets_.masked(raw), limits_.limit_bytes, Lines::many);
  }

  [[nodiscard]] StepReport step(const core::Exchange& raw) const {
    const Outline outline = outline_of(raw);
    return {short_line(outline.request), short_line(outline.sent), short_line(outline.answer)};
  }

  [[nodiscard]] ExchangeReport exchange(const core::Exchange& raw,
                                        const std::string& base_url) const {
    ExchangeReport clean;
    clean.operation = line(raw.operation);
    clean.curl = text(curl_command(raw.request, base_url, secrets_, limits_.limit_bytes));
    clean.called_ms = raw.called_ms;
    clean.returned_ms = raw.returned_ms;
    if (raw.response) {
      clean.answer = answer_word(raw);
      clean.body = text(raw.response->body);
      for (const core::Header& header : raw.response->headers) {
        if (header.name == "Content-Type" || header.name == "content-type") {
          clean.content_type = line(header.value);
        }
      }
    } else if (raw.error) {
      clean.answer = fmt::format("no answer: {}", core::transport_fault_texts[raw.error->fault]);
      if (!raw.error->detail.empty()) clean.answer += " (" + line(raw.error->detail) + ")";
    } else {
      clean.answer = "no answer";
    }
    return clean;
  }

 private:
  [[nodiscard]] std::string short_line(const std::string& raw) const {
    return visible(secrets_.masked(raw), limit_step_bytes, Lines::one);
  }

  core::Secrets secrets_;
  Limits limits_;
};

Outcome outcome_of(const core::CaseResult& result) {
  if (result.unexpected_pass) return Outcome::unexpected_pass;
  if (result.expected_fail) return Outcome::expected_fail;
  if (check::is_flaky(result)) return Outcome::flaky;
  switch (result.verdict) {
    case core::Verdict::pass:
      return Outcome::pass;
    case core::Verdict::fail:
      return Outcome::fail;
    case core::Verdict::error:
      return Outcome::error;
    case core::Verdict::not_applicable:
      return Outcome::not_applicable;
    case core::Verdict::inconclusive:
      break;
  }
  return Outcome::inconclusive;
}

/// Whether a check is told of: one that passed is not, nor beside a fail one that the target has no
/// words for.
bool is_news(const core::Check& check, const core::CaseResult& result) {
  return check.verdict != core::Verdict::pass &&
         (check.verdict != core::Verdict::not_applicable || result.verdict != core::Verdict::fail);
}

/// The exchanges of a troubled case that are shown: what its findings point at, then from the
/// start.
std::vector<std::size_t> shown_exchanges(const core::CaseResult& result, std::size_t limit) {
  std::set<std::size_t> shown;
  for (const core::Check& check : result.checks) {
    if (!is_news(check, result)) continue;
    for (const std::size_t index : check.evidence) {
      if (index < result.exchanges.size() && shown.size() < limit) shown.insert(index);
    }
  }
  for (std::size_t index = 0; index < result.exchanges.size() && shown.size() < limit; ++index) {
    shown.insert(index);
  }
  return {shown.begin(), shown.end()};
}

std::size_t bytes_of(const StepReport& step) {
  return sizeof(step) + step.request.size() + step.sent.size() + step.answer.size();
}

std::size_t judged_bytes(std::size_t clauses) {
  return sizeof(JudgedReport) + clauses * sizeof(std::string);
}

/// A case's steps, and for each exchange how many steps there are up to it.
struct Steps {
  std::vector<StepReport> steps;
  std::vector<std::size_t> until;
  /// What they and the checks take in memory.
  std::size_t bytes = 0;

  [[nodiscard]] std::size_t before(const core::Check& check) const {
    std::size_t steps_before = 0;
    for (const std::size_t index : check.evidence) {
      if (index < until.size()) steps_before = std::max(steps_before, until[index]);
    }
    return steps_before;
  }
};

/// Ends with the step that goes over `room`: the case's evidence is left out then.
Steps steps_of(const core::CaseResult& raw, const Cleaner& clean, std::size_t room) {
  Steps made;
  for (const core::Check& check : raw.checks) made.bytes += judged_bytes(check.clauses.size());
  for (const core::Exchange& exchange : raw.exchanges) {
    if (!made.steps.empty() && made.bytes > room) break;
    StepReport step = clean.step(exchange);
    const auto is_like = [&step](const StepReport& last) {
      return std::tie(last.request, last.sent, last.answer) ==
             std::tie(step.request, step.sent, step.answer);
    };
    if (!made.steps.empty() && is_like(made.steps.back())) {
      ++made.steps.back().times;
    } else {
      made.bytes += bytes_of(step);
      made.steps.push_back(std::move(step));
    }
    made.until.push_back(made.steps.size());
  }
  return made;
}

std::vector<JudgedReport> judged_of(const core::CaseResult& raw, const Steps& steps,
                                    const Cleaner& clean) {
  std::vector<JudgedReport> judged;
  judged.reserve(raw.checks.size());
  for (const core::Check& check : raw.checks) {
    judged.push_back(
        {clean.lines(check.clauses), check.verdict, steps.before(check), check.looked_ms});
  }
  return judged;
}

/// What of a case its exchanges are needed for. The rest is told when the record is whole.
/// Steps of more than `room` bytes are not made to their end: the caller leaves them out.
CaseReport case_report(const core::CaseResult& raw, const core::RecordHeader& header,
                       const Cleaner& clean, const Limits& limits, std::size_t room) {
  CaseReport result{.id = clean.line(raw.id),
                    .title = clean.line(raw.title),
                    .seed = clean.line(raw.seed),
                    .family = clean.line(raw.id.substr(0, raw.id.find('/'))),
                    .clauses = clean.lines(raw.clauses),
                    .verdict = raw.verdict,
                    .reason = clean.line(raw.reason),
                    .baseline_reasons = {},
                    .duration_ms = raw.duration_ms,
                    .checks = raw.checks.size(),
                    .findings = {},
                    .exchanges = {},
                    .exchange_count = raw.exchanges.size(),
                    .following = following_checks(raw),
                    .steps = {},
                    .judged = {},
                    .repro = clean.line(raw.repro)};
  for (const core::Retry& retry : raw.retries) result.retries.push_back(retry.verdict);
  const std::vector<std::size_t> shown = shown_exchanges(raw, limits.limit_exchanges);
  const bool troubled =
      raw.verdict != core::Verdict::pass && raw.verdict != core::Verdict::not_applicable;
  Steps made;
  if (troubled || limits.steps_of_passes) made = steps_of(raw, clean, room);
  if (!made.steps.empty()) result.judged = judged_of(raw, made, clean);
  for (const core::Check& check : raw.checks) {
    if (!is_news(check, raw)) continue;
    Finding finding{.clauses = clean.lines(check.clauses),
                    .verdict = check.verdict,
                    .at = clean.line(check.at),
                    .expected = clean.text(check.expected),
                    .actual = clean.text(check.actual),
                    .reason = clean.line(check.reason),
                    .looked_ms = check.looked_ms,
                    .looks = check.looks,
                    .evidence = {},
                    .steps = made.before(check)};
    for (const std::size_t index : check.evidence) {
      const auto found = std::lower_bound(shown.begin(), shown.end(), index);
      if (found != shown.end() && *found == index) {
        finding.evidence.push_back(static_cast<std::size_t>(found - shown.begin()));
      }
    }
    result.findings.push_back(std::move(finding));
  }
  if (troubled || !result.findings.empty()) {
    for (const std::size_t index : shown) {
      result.exchanges.push_back(clean.exchange(raw.exchanges[index], header.target));
    }
    result.exchanges_left_out = raw.exchanges.size() - shown.size();
  }
  result.steps = std::move(made.steps);
  return result;
}

std::size_t bytes_of(const ExchangeReport& each) {
  return sizeof(each) + each.operation.size() + each.curl.size() + each.answer.size() +
         each.content_type.size() + each.body.size();
}

/// What the exchanges, the steps and the checks of a case take in memory.
std::size_t evidence_bytes(const CaseReport& result) {
  std::size_t bytes = 0;
  for (const StepReport& step : result.steps) bytes += bytes_of(step);
  for (const ExchangeReport& exchange : result.exchanges) bytes += bytes_of(exchange);
  for (const JudgedReport& judged : result.judged) bytes += judged_bytes(judged.clauses.size());
  return bytes;
}

void leave_evidence_out(CaseReport& result) {
  result.exchanges_left_out += result.exchanges.size();
  result.is_cut = result.exchange_count > 0;
  result.exchanges = {};
  result.steps = {};
  result.judged = {};
  for (Finding& finding : result.findings) {
    finding.evidence.clear();
    finding.steps = 0;
  }
}

void add_sensitivity(std::vector<ClauseReport>& reports,
                     const std::map<std::string, std::size_t>& index, const core::RunRecord& record,
                     const Cleaner& clean) {
  if (!record.footer || !record.footer->sensitivity) return;
  for (ClauseReport& report : reports) {
    if (report.verdict == core::Verdict::pass) {
      report.sensitivity.emplace().clause = report.clause.id;
      report.sensitivity->hidden_by = {"the record does not say what would have been noticed"};
    }
  }
  for (const core::Sensitivity& measured : *record.footer->sensitivity) {
    const auto at = index.find(measured.clause);
    if (at == index.end() || !reports[at->second].sensitivity) continue;
    core::Sensitivity& shown = *reports[at->second].sensitivity;
    shown.known = measured.known;
    shown.caught = clean.lines(measured.caught);
    shown.hidden_by = clean.lines(measured.hidden_by);
  }
}

/// How many checks each clause has.
using CheckCounts = std::map<std::string, std::size_t>;

void count_checks(const core::CaseResult& result, CheckCounts& counts) {
  for (const core::Check& check : result.checks) {
    for (auto id = check.clauses.begin(); id != check.clauses.end(); ++id) {
      if (std::find(check.clauses.begin(), id, *id) == id) ++counts[*id];
    }
  }
}

/// What the cases say of each clause: those of the table, then those that only the record names.
std::vector<ClauseReport> clause_reports(const core::RunRecord& record,
                                         const std::vector<CaseReport>& cases,
                                         const CheckCounts& checks, const core::ClauseTable& table,
                                         const Cleaner& clean) {
  std::vector<ClauseReport> reports;
  std::map<std::string, std::size_t> index;
  for (const core::Clause& clause : table.clauses()) {
    index.emplace(clause.id, reports.size());
    reports.emplace_back().clause = clause;
  }
  for (const check::ClauseVerdict& verdict : check::clause_verdicts(record)) {
    const auto [at, added] = index.try_emplace(verdict.clause, reports.size());
    if (added) {
      reports.emplace_back().clause = {clean.line(verdict.clause), core::Level::must, "",
                                       "(not in this version's clause table)"};
    }
    ClauseReport& report = reports[at->second];
    report.verdict = verdict.verdict;
    if (const auto counted = checks.find(verdict.clause); counted != checks.end()) {
      report.checks = counted->second;
    }
    report.cases = verdict.cases.size();
  }
  add_sensitivity(reports, index, record, clean);
  for (const auto& [id, first] : following_clauses(record, cases, table)) {
    reports[index.at(id)].follows = clean.line(first);
  }
  for (std::size_t number = 0; number < record.cases.size(); ++number) {
    const core::CaseResult& result = record.cases[number];
    for (const core::Check& check : result.checks) {
      for (const std::string& id : check.clauses) {
        ClauseReport& report = reports[index.at(id)];
        if (report.judged_by.empty() || report.judged_by.back() != number) {
          report.judged_by.push_back(number);
        }
        report.looked_ms = std::max(report.looked_ms, check.looked_ms);
        const std::string& shown = cases[number].id;
        if (check.verdict > core::Verdict::pass &&
            (report.troubled.empty() || report.troubled.back() != shown)) {
          report.troubled.push_back(shown);
        }
      }
    }
  }
  return reports;
}

/// Why the cases of each clause that none of them judged are not applicable.
std::map<std::string, std::set<std::string>> missing_by_clause(const core::RunRecord& record,
                                                               const Cleaner& clean) {
  std::map<std::string, std::set<std::string>> missing;
  for (const core::CaseResult& result : record.cases) {
    if (result.verdict != core::Verdict::not_applicable || result.reason.empty()) continue;
    for (const std::string& id : result.clauses) {
      missing[clean.line(id)].insert(clean.line(result.reason));
    }
  }
  return missing;
}

/// "specification 000", or "the binding": what the clause is of.
std::string origin_of(const core::Clause& clause) {
  const std::string first = clause.source.substr(0, clause.source.find(' '));
  return first.starts_with("00") ? "specification " + first : "the reference binding";
}

/// What a profile declares nothing of: each of its clauses has cases, and none of them applied.
std::set<std::string> out_of_reach(const std::vector<ClauseReport>& reports) {
  std::set<std::string> all;
  std::set<std::string> reached;
  for (const ClauseReport& report : reports) {
    const std::string origin = origin_of(report.clause);
    all.insert(origin);
    const bool has_applied = report.cases == 0 || report.verdict != core::Verdict::not_applicable;
    if (has_applied) reached.insert(origin);
  }
  std::erase_if(all, [&reached](const std::string& origin) { return reached.contains(origin); });
  return all;
}

std::string why_unproven(const ClauseReport& report,
                         const std::map<std::string, std::set<std::string>>& missing,
                         const std::set<std::string>& unreached) {
  if (const std::string origin = origin_of(report.clause); unreached.contains(origin)) {
    return fmt::format("not applicable: the profile declares nothing that {} is judged by", origin);
  }
  if (report.cases == 0) return "not tested in this run";
  if (report.is_not_shown()) return not_shown_text(*report.sensitivity);
  if (report.verdict != core::Verdict::not_applicable) {
    return std::string(core::verdict_words[report.verdict]);
  }
  const auto reasons = missing.find(report.clause.id);
  return reasons == missing.end() ? "not applicable"
                                  : "not applicable: " + core::shortest_reasons(reasons->second);
}

/// The clauses that are neither proven nor broken, by the reason; those that were tried come first.
std::vector<Unproven> unproven_groups(const std::vector<ClauseReport>& reports,
                                      const std::map<std::string, std::set<std::string>>& missing) {
  std::vector<const ClauseReport*> open;
  for (const ClauseReport& report : reports) {
    if (!report.holds() && report.verdict != core::Verdict::fail) {
      open.push_back(&report);
    }
  }
  // Ties keep the table's order: the reports stand in one vector.
  const auto rank = [](const ClauseReport* report) {
    return std::tuple(report->cases == 0, -static_cast<int>(report->verdict), report);
  };
  std::sort(open.begin(), open.end(),
            [rank](const auto* left, const auto* right) { return rank(left) < rank(right); });
  const std::set<std::string> unreached = out_of_reach(reports);
  std::vector<Unproven> groups;
  for (const ClauseReport* report : open) {
    const std::string why = why_unproven(*report, missing, unreached);
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&why](const Unproven& each) { return each.why == why; });
    Unproven& into = group == groups.end() ? groups.emplace_back(Unproven{why, {}}) : *group;
    into.clauses.push_back(report->clause.id);
  }
  return groups;
}

core::RecordHeader clean_header(core::RecordHeader header, const Cleaner& clean) {
  for (std::string* field :
       {&header.assay_version, &header.suite_digest, &header.profile, &header.profile_digest,
        &header.target, &header.target_source, &header.target_identity, &header.scenarios,
        &header.run_id, &header.label, &header.started_at, &header.baseline,
        &header.baseline_digest}) {
    *field = clean.line(*field);
  }
  header.selection = clean.lines(header.selection);
  std::map<std::string, std::string> interpretations;
  for (const auto& [key, choice] : header.interpretations) {
    interpretations[clean.line(key)] = clean.line(choice);
  }
  header.interpretations = std::move(interpretations);
  return header;
}

core::RecordFooter clean_footer(core::RecordFooter footer, const Cleaner& clean) {
  footer.baseline_findings = clean.lines(footer.baseline_findings);
  footer.stopped = clean.line(footer.stopped);
  footer.notes = clean.lines(footer.notes);
  for (core::LayerCoverage& layer : footer.coverage) {
    layer.layer = clean.line(layer.layer);
    for (auto* names : {&layer.states, &layer.states_seen, &layer.transitions,
                        &layer.transitions_seen, &layer.attempts, &layer.attempts_seen}) {
      *names = clean.lines(*names);
    }
  }
  return footer;
}

}  // namespace

std::string outcome_phrase(Outcome outcome) {
  std::string phrase(outcome_words[outcome]);
  std::replace(phrase.begin(), phrase.end(), '_', ' ');
  return phrase;
}

const ClauseReport* Report::find_clause(std::string_view id) const {
  const auto found = std::find_if(clauses.begin(), clauses.end(),
                                  [id](const ClauseReport& each) { return each.clause.id == id; });
  return found == clauses.end() ? nullptr : &*found;
}

struct ReportMaker::Parts {
  Limits limits;
  Cleaner clean;
  std::vector<CaseReport> cases;
  std::size_t evidence_bytes = 0;
  CheckCounts checks = {};
  /// How many cases of a cause came so far.
  std::map<std::string, std::size_t> of_cause = {};

  /// Whether this is one of the first cases of its cause.
  bool shows_a_cause(const core::CaseResult& result) {
    constexpr std::size_t most_cases_of_cause = 3;
    if (result.verdict <= core::Verdict::pass) return false;
    return ++of_cause[check::cause_text(check::cause_of(result))] <= most_cases_of_cause;
  }
};

ReportMaker::ReportMaker(const Limits& limits, core::Secrets secrets)
    : parts_(std::make_unique<Parts>(Parts{limits, {std::move(secrets), limits}, {}})) {}

ReportMaker::~ReportMaker() = default;

void ReportMaker::add(const core::RecordHeader& header, const core::CaseResult& result) {
  parts_->clean.learn(result);
  count_checks(result, parts_->checks);
  const std::size_t limit =
      parts_->limits.limit_evidence_bytes * (parts_->shows_a_cause(result) ? 2 : 1);
  const std::size_t room = limit - std::min(limit, parts_->evidence_bytes);
  CaseReport& made =
      parts_->cases.emplace_back(case_report(result, header, parts_->clean, parts_->limits, room));
  const std::size_t bytes = evidence_bytes(made);
  if (parts_->evidence_bytes + bytes > limit) {
    leave_evidence_out(made);
  } else {
    parts_->evidence_bytes += bytes;
  }
}

Report ReportMaker::finish(const core::RunRecord& record, const core::ClauseTable& table) {
  const Cleaner& clean = parts_->clean;
  Report report;
  report.header = clean_header(record.header, clean);
  if (record.footer) report.footer = clean_footer(*record.footer, clean);
  report.cases = std::move(parts_->cases);
  for (std::size_t number = 0; number < report.cases.size(); ++number) {
    const core::CaseResult& raw = record.cases.at(number);
    CaseReport& result = report.cases[number];
    result.outcome = outcome_of(raw);
    result.baseline_reasons = clean.lines(raw.baseline_reasons);
    result.rate = check::failure_rate(raw);
    result.is_let_through = check::is_let_through(raw, record.header);
    ++report.summary.counts[result.outcome];
  }
  report.summary.cases = record.cases.size();
  report.clauses = clause_reports(record, report.cases, parts_->checks, table, clean);
  report.unproven = unproven_groups(report.clauses, missing_by_clause(record, clean));
  report.causes = group_causes(record, report.cases, table,
                               [&clean](const std::string& raw) { return clean.line(raw); });
  report.exit_code = check::exit_code_of(record, &table);
  conclude(report);
  return report;
}

Report make_report(const core::RunRecord& record, const core::ClauseTable& table,
                   const Limits& limits) {
  ReportMaker maker(limits, core::Secrets(record));
  for (const core::CaseResult& result : record.cases) maker.add(record.header, result);
  return maker.finish(record, table);
}

}  // namespace assay::reports
