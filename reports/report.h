#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "harness/check/flakiness.h"
#include "harness/core/clause_table.h"
#include "harness/core/record.h"
#include "harness/core/secrets.h"
#include "harness/core/verdict.h"

namespace assay::reports {

/// How much of a record its report keeps.
struct Limits {
  /// Of one body, expectation or command; what is longer is cut and says so.
  std::size_t limit_bytes = 4096;
  /// Of one case; the rest stays in the record.
  std::size_t limit_exchanges = 40;
  /// Whether cases that passed keep their steps, as the evidence of what they show.
  bool steps_of_passes = false;
  /// Of the exchanges and steps of all cases together. What comes then stays in the record, but for
  /// the first cases of a cause, which may take as much again.
  std::size_t limit_evidence_bytes = std::size_t{16} * 1024 * 1024;
};

/// How a case counts, once a baseline had its say. Each case counts once.
enum class Outcome {
  pass,
  fail,
  inconclusive,
  error,
  not_applicable,
  expected_fail,
  unexpected_pass,
  /// Did not pass the first time, and passed when it was run again.
  flaky,
};

/// "not_applicable", as machines read it; "not applicable", as people do.
inline constexpr Words<Outcome::flaky> outcome_words = {
    "pass",           "fail",          "inconclusive",    "error",
    "not_applicable", "expected_fail", "unexpected_pass", "flaky"};
[[nodiscard]] std::string outcome_phrase(Outcome outcome);

/// How the cases of a record came out; the outcomes add up to `cases`.
struct Summary {
  std::size_t cases = 0;
  EnumTable<Outcome::flaky, std::size_t> counts;

  [[nodiscard]] std::size_t count(Outcome outcome) const { return counts[outcome]; }
};

/// A clause and what the cases of the record say of it.
struct ClauseReport {
  core::Clause clause;
  /// The worst of its checks; not_applicable where nothing was judged.
  core::Verdict verdict = core::Verdict::not_applicable;
  std::size_t checks = 0;
  std::size_t cases = 0;
  /// Indices of the report's cases that have a check of it.
  std::vector<std::size_t> judged_by;
  /// The longest that an absence was looked for.
  std::int64_t looked_ms = 0;
  /// Ids of the cases whose checks of it did not pass.
  std::vector<std::string> troubled;
  /// The clause to mend first, where every failure of this one only follows from a failure of that
  /// (reports/collateral.h); else empty.
  std::string follows = {};
  /// What its passes would have noticed; nothing where that was not measured, or it does not pass.
  std::optional<core::Sensitivity> sensitivity;

  /// Whether its checks pass, and would have passed had the target broken it in any known way.
  [[nodiscard]] bool is_not_shown() const {
    return verdict == core::Verdict::pass && sensitivity && sensitivity->caught.empty();
  }
  [[nodiscard]] bool holds() const { return verdict == core::Verdict::pass && !is_not_shown(); }
};

/// An exchange, safe to show.
struct ExchangeReport {
  std::string operation;
  std::string curl;
  /// "201", or why there was no answer.
  std::string answer;
  std::string content_type;
  std::string body;
  double called_ms = 0;
  double returned_ms = 0;
};

/// An exchange in a line, safe to show; as many in a row as are alike are one.
struct StepReport {
  std::string request;
  std::string sent;
  std::string answer;
  std::size_t times = 1;
};

/// A check that did not pass, safe to show.
struct Finding {
  std::vector<std::string> clauses;
  core::Verdict verdict = core::Verdict::fail;
  std::string at;
  std::string expected;
  std::string actual;
  std::string reason;
  std::int64_t looked_ms = 0;
  std::int64_t looks = 0;
  /// Indices into the case's exchanges, as far as those are shown.
  std::vector<std::size_t> evidence;
  /// How many of the case's steps led to it.
  std::size_t steps = 0;
};

/// A check by what it judged, whatever came of it.
struct JudgedReport {
  std::vector<std::string> clauses;
  core::Verdict verdict = core::Verdict::inconclusive;
  /// How many of the case's steps led to it.
  std::size_t steps = 0;
  std::int64_t looked_ms = 0;
};

/// A case, safe to show. Exchanges are there only where it has findings; steps where they were
/// asked for too.
struct CaseReport {
  std::string id;
  std::string title;
  std::string seed;
  /// The id up to its first slash.
  std::string family;
  std::vector<std::string> clauses;
  Outcome outcome = Outcome::inconclusive;
  core::Verdict verdict = core::Verdict::inconclusive;
  std::string reason;
  /// Of an expected failure: why the baseline accepts it.
  std::vector<std::string> baseline_reasons;
  double duration_ms = 0;
  std::size_t checks = 0;
  std::vector<Finding> findings;
  std::vector<ExchangeReport> exchanges;
  std::size_t exchanges_left_out = 0;
  /// Whether exchanges and steps were all left out, because the report has too many of them.
  bool is_cut = false;
  /// How many exchanges the record has.
  std::size_t exchange_count = 0;
  /// Which of the record's checks only follow from the one that decided (reports/collateral.h).
  std::vector<std::size_t> following = {};
  std::vector<StepReport> steps;
  std::vector<JudgedReport> judged;
  std::string repro;
  /// What it came to when it was run again, and how often it does not pass; nothing: it was not.
  std::vector<core::Verdict> retries = {};
  check::FailureRate rate = {};
  /// Flaky, in a run that was told to let such cases through.
  bool is_let_through = false;
};

/// Cases that came out alike for the same cause (check::Cause).
struct CauseReport {
  /// "executions.status /state is "RUNNING"": the same in each run that has it.
  std::string text;
  /// A name for links, made of the clause and the text: the same in each run too.
  std::string anchor;
  Outcome outcome = Outcome::inconclusive;
  /// What the deciding checks accuse of, the one that the cause is about first; what follows from
  /// it in the same cases; and what else did not pass there.
  std::vector<std::string> clauses;
  std::vector<std::string> following;
  std::vector<std::string> other_clauses;
  /// Indices into the report's cases, the one that shows it best first.
  std::vector<std::size_t> cases;
};

/// Clauses that the run says nothing good or bad of, and why.
struct Unproven {
  std::string why;
  std::vector<std::string> clauses;
};

/// What the run comes to.
enum class Conclusion {
  conforms,
  broken,
  not_proven,
  baseline_stale,
  cut_short,
  /// All went well that was run, which was not the whole suite: that says nothing of the rest.
  selection_passes,
  /// Some cases passed only when they were run again, and the run was told to let them through.
  flaky,
};

/// A record, counted and made safe: secrets masked, control characters visible, long text cut.
/// Renderers only lay it out and escape it for their format.
struct Report {
  core::RecordHeader header;
  /// Nothing where the record was cut short.
  std::optional<core::RecordFooter> footer;
  Conclusion conclusion = Conclusion::not_proven;
  core::ExitCode exit_code = core::ExitCode::nothing_proven;
  /// The conclusion in a few words, and the sentence under it.
  std::string headline;
  std::string explanation;
  Summary summary;
  /// In the table's order; ids that the table does not have follow.
  std::vector<ClauseReport> clauses;
  std::vector<Unproven> unproven;
  std::vector<CaseReport> cases;
  /// Why cases did not pass, failures of a MUST first.
  std::vector<CauseReport> causes;
  /// The digest of the record's file ("sha256:…"), where its caller has one; else empty.
  std::string record_digest = {};

  [[nodiscard]] const ClauseReport* find_clause(std::string_view id) const;
};

/// Makes the report of a record that is read case by case, so that no more than one case of it has
/// to be in memory with all that was asked and answered.
class ReportMaker {
 public:
  /// `secrets` are masked besides those of the cases that came so far.
  explicit ReportMaker(const Limits& limits = {}, core::Secrets secrets = {});
  ReportMaker(const ReportMaker&) = delete;
  ReportMaker& operator=(const ReportMaker&) = delete;
  ~ReportMaker();

  /// Takes what the report shows of the exchanges of the next case.
  void add(const core::RecordHeader& header, const core::CaseResult& result);
  /// The report of the cases that were added, in that order; of `record`, which has the same cases,
  /// come the verdicts, and what a baseline said of them meanwhile. Its exchanges are not read, and
  /// of a case's checks that passed alike it may have one.
  [[nodiscard]] Report finish(const core::RunRecord& record, const core::ClauseTable& table);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The same of a record that is in memory.
[[nodiscard]] Report make_report(const core::RunRecord& record, const core::ClauseTable& table,
                                 const Limits& limits = {});

}  // namespace assay::reports
