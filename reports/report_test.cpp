#include "reports/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reports/render.h"
#include "reports/sample_record.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

using core::ExitCode;
using core::Verdict;

core::RunRecord record_of(std::vector<core::CaseResult> cases) {
  core::RunRecord record;
  record.cases = std::move(cases);
  record.footer = core::RecordFooter{};
  return record;
}

core::CaseResult result_of(const std::string& clause, Verdict verdict) {
  core::CaseResult result;
  result.id = "family/" + clause;
  result.clauses = {clause};
  result.verdict = verdict;
  if (verdict != Verdict::not_applicable) {
    result.checks.emplace_back();
    result.checks.back().clauses = {clause};
    result.checks.back().verdict = verdict;
  }
  return result;
}

Report report_of(const core::RunRecord& record) {
  return make_report(record, sample_clauses(), {});
}

TEST(Report, CountsEachCaseOnce) {
  const Report report = report_of(sample_record());
  EXPECT_EQ(report.summary.cases, sample_record().cases.size());
  EXPECT_EQ(
      std::accumulate(report.summary.counts.begin(), report.summary.counts.end(), std::size_t{0}),
      report.summary.cases);
  EXPECT_EQ(report.summary.count(Outcome::fail), 2U);
  EXPECT_EQ(report.summary.count(Outcome::pass), 1U);
  EXPECT_EQ(report.summary.count(Outcome::expected_fail), 1U);
  EXPECT_EQ(report.summary.count(Outcome::unexpected_pass), 1U);
}

TEST(Report, AllPassedConforms) {
  const Report report = report_of(record_of({result_of("STM-CORE-1", Verdict::pass)}));
  EXPECT_EQ(report.conclusion, Conclusion::conforms);
  EXPECT_EQ(report.exit_code, ExitCode::conforms);
}

TEST(Report, ASelectionThatPassesIsNotCalledConforming) {
  core::RunRecord record =
      record_of({result_of("STM-CORE-1", Verdict::pass), result_of("STM-STATE-1", Verdict::pass)});
  record.header.suite_cases = 1339;
  record.header.selection = {"status/*"};
  const Report report = report_of(record);
  EXPECT_EQ(report.conclusion, Conclusion::selection_passes);
  EXPECT_EQ(report.explanation, "2 of 2 selected cases pass; 1,337 not run.");
  EXPECT_EQ(report.exit_code, ExitCode::conforms);
  for (const Format& format : formats()) {
    const std::string text = format.render(report, {});
    EXPECT_EQ(text.find("Conforms"), std::string::npos) << format.name;
    // GitLab reads a list of findings, which has no place for what the run comes to.
    const bool has_place = format.name != "gitlab";
    EXPECT_EQ(text.find("selected") != std::string::npos, has_place) << format.name;
    EXPECT_EQ(text.find("#1a7f37\"/>"), std::string::npos) << format.name;
  }
  record.header.suite_cases = 2;
  EXPECT_EQ(report_of(record).conclusion, Conclusion::conforms);
  record.header.scenarios = "mine/";
  EXPECT_EQ(report_of(record).conclusion, Conclusion::selection_passes);
}

TEST(Report, CasesThatDoNotApplyAreNoneOfThoseThatFailOrPass) {
  std::vector<core::CaseResult> cases = {result_of("STM-CORE-1", Verdict::pass),
                                         result_of("STM-STATE-1", Verdict::pass)};
  for (int number = 0; number < 1171; ++number) {
    cases.push_back(result_of("WFX-INIT", Verdict::not_applicable));
    cases.back().id += std::to_string(number);
  }
  core::RunRecord record = record_of(cases);
  record.header.selection = {"family/*"};
  EXPECT_EQ(report_of(record).explanation, "2 of 2 selected cases pass; 1,171 not applicable.");
  record.cases.push_back(result_of("WFX-TERMINAL", Verdict::fail));
  EXPECT_EQ(report_of(record).explanation,
            "1 of 3 selected cases fails; 1,171 not applicable. 1 of 3 tested MUST clauses is "
            "broken.");
  record.header.selection.clear();
  const Report report = report_of(record);
  EXPECT_EQ(report.explanation,
            "1 of 3 cases fails; 1,171 not applicable. 1 of 3 tested MUST clauses is broken.");
  EXPECT_EQ(counted(report.summary.cases, "case") + ": " + summary_text(report.summary),
            "1,174 cases: 1 fail · 2 pass · 1,171 not applicable");
}

TEST(Report, ARecordWithoutFooterProvesNothingEvenWhereAllPassed) {
  core::RunRecord record = record_of({result_of("STM-CORE-1", Verdict::pass)});
  record.footer.reset();
  const Report report = report_of(record);
  EXPECT_EQ(report.conclusion, Conclusion::cut_short);
  EXPECT_EQ(report.explanation, "Interrupted after 1 case; incomplete, so nothing is proven.");
  record.header.suite_cases = 1394;
  EXPECT_EQ(report_of(record).explanation,
            "Interrupted after 1 of 1,394 cases; incomplete, so nothing is proven.");
  EXPECT_EQ(report.exit_code, ExitCode::nothing_proven);
}

TEST(Report, WhatARecordWithoutFooterShowsBrokenIsProven) {
  core::RunRecord record =
      record_of({result_of("STM-CORE-1", Verdict::pass), result_of("STM-ONCE-1", Verdict::fail)});
  record.footer.reset();
  const Report report = report_of(record);
  EXPECT_EQ(report.conclusion, Conclusion::cut_short);
  EXPECT_EQ(report.explanation,
            "Interrupted after 2 cases; incomplete, so only what is broken is proven.");
  EXPECT_EQ(report.exit_code, ExitCode::unexpected_findings);
}

TEST(Report, WhatTheTargetCannotShowIsNoNewsBesideAFail) {
  core::CaseResult failed = result_of("STM-CORE-1", Verdict::fail);
  failed.checks.push_back(failed.checks.front());
  failed.checks.back().verdict = Verdict::not_applicable;
  core::CaseResult undecided = failed;
  undecided.id = "family/other";
  undecided.checks.front().verdict = undecided.verdict = Verdict::inconclusive;
  const Report report = report_of(record_of({failed, undecided}));
  EXPECT_EQ(report.cases.at(0).findings.size(), 1U);
  EXPECT_EQ(report.cases.at(1).findings.size(), 2U);
}

TEST(Report, NoCasesAndNoApplicableCasesProveNothing) {
  EXPECT_EQ(report_of(record_of({})).exit_code, ExitCode::nothing_proven);
  EXPECT_EQ(report_of(record_of({result_of("WFX-INIT", Verdict::not_applicable)})).exit_code,
            ExitCode::nothing_proven);
}

TEST(Report, InconclusiveAndErrorNeverConform) {
  for (const Verdict verdict : {Verdict::inconclusive, Verdict::error}) {
    const Report report = report_of(
        record_of({result_of("STM-CORE-1", Verdict::pass), result_of("STM-STATE-1", verdict)}));
    EXPECT_EQ(report.conclusion, Conclusion::not_proven);
    EXPECT_EQ(report.headline, "Not proven");
    EXPECT_NE(report.exit_code, ExitCode::conforms);
  }
}

TEST(Report, ABrokenShouldWarnsAndABrokenMustDecides) {
  EXPECT_EQ(report_of(record_of({result_of("STM-API-VIEW", Verdict::fail)})).exit_code,
            ExitCode::conforms);
  EXPECT_EQ(report_of(record_of({result_of("STM-CORE-1", Verdict::fail)})).exit_code,
            ExitCode::unexpected_findings);
}

TEST(Report, AFailureOfAClauseThatTheTableLacksDecides) {
  EXPECT_EQ(report_of(record_of({result_of("NEW-CLAUSE", Verdict::fail)})).exit_code,
            ExitCode::unexpected_findings);
}

TEST(Report, AnExpectedFailureConformsAndAnUnexpectedPassIsStale) {
  core::CaseResult expected = result_of("STM-CORE-1", Verdict::fail);
  expected.expected_fail = true;
  EXPECT_EQ(report_of(record_of({expected})).exit_code, ExitCode::conforms);
  core::CaseResult gone = result_of("STM-CORE-1", Verdict::pass);
  gone.unexpected_pass = true;
  EXPECT_EQ(report_of(record_of({gone})).exit_code, ExitCode::baseline_stale);
}

TEST(Report, ExpectedFailuresAreNotCalledConformance) {
  core::CaseResult expected = result_of("STM-CORE-1", Verdict::fail);
  expected.expected_fail = true;
  const Report report = report_of(record_of({expected, result_of("STM-STATE-1", Verdict::pass)}));
  EXPECT_EQ(report.headline, "As the baseline expects");
  EXPECT_EQ(report.explanation,
            "1 of 2 tested MUST clauses holds; 1 is broken. 1 case fails as the baseline expects.");
}

TEST(Report, AnEntryOfTheBaselineThatFitsNoLongerIsCounted) {
  core::RunRecord record = record_of({result_of("STM-CORE-1", Verdict::pass)});
  record.footer->baseline_findings = {"b.yaml:2:5: s/x (STM-CORE-1) matches no case"};
  const Report report = report_of(record);
  EXPECT_EQ(report.exit_code, ExitCode::baseline_stale);
  EXPECT_EQ(report.explanation, "1 baseline entry no longer matches this run.");
}

TEST(Report, AClauseHasTheWorstVerdictOfItsChecks) {
  const Report report = report_of(record_of(
      {result_of("STM-CORE-1", Verdict::pass), result_of("STM-CORE-1", Verdict::inconclusive)}));
  const ClauseReport* clause = report.find_clause("STM-CORE-1");
  ASSERT_NE(clause, nullptr);
  EXPECT_EQ(clause->verdict, Verdict::inconclusive);
  EXPECT_EQ(clause->checks, 2U);
  EXPECT_EQ(clause->cases, 2U);
}

TEST(Report, AClauseThatACaseNeverCameToIsNotBrokenByIt) {
  core::CaseResult result = result_of("STM-CORE-1", Verdict::fail);
  result.clauses.emplace_back("STM-STATE-1");
  const Report report = report_of(record_of({result}));
  EXPECT_EQ(report.find_clause("STM-CORE-1")->verdict, Verdict::fail);
  EXPECT_EQ(report.find_clause("STM-STATE-1")->verdict, Verdict::inconclusive);
}

TEST(Report, EveryClauseIsProvenBrokenOrNamedAsUnproven) {
  const Report report = report_of(sample_record());
  std::size_t unproven = 0;
  for (const Unproven& group : report.unproven) unproven += group.clauses.size();
  std::size_t decided = 0;
  for (const ClauseReport& each : report.clauses) {
    if (each.verdict == Verdict::pass || each.verdict == Verdict::fail) ++decided;
  }
  EXPECT_EQ(unproven + decided, report.clauses.size());
}

/// A case of that clause which needs what the profile does not declare.
core::CaseResult not_applicable(const std::string& clause, const std::string& needs) {
  core::CaseResult result = result_of(clause, Verdict::not_applicable);
  result.reason = "the profile does not declare " + needs;
  return result;
}

TEST(Report, ASpecificationThatTheProfileDoesNotReachIsOneReason) {
  const auto reasons_for = [](const Report& report, const std::string& clause) {
    std::string why;
    for (const Unproven& group : report.unproven) {
      const auto& named = group.clauses;
      if (std::find(named.begin(), named.end(), clause) != named.end()) why += group.why;
    }
    return why;
  };
  const core::CaseResult workflow = not_applicable("WFX-INIT", "workflow.start");
  const core::CaseResult jobs = not_applicable("WFX-TERMINAL", "jobs.poll");
  const std::string none =
      "not applicable: the profile declares nothing that specification 002 is judged by";
  const Report unreached = report_of(record_of({workflow, jobs}));
  EXPECT_EQ(reasons_for(unreached, "WFX-INIT"), none);
  EXPECT_EQ(reasons_for(unreached, "WFX-TERMINAL"), none);
  // Where one of its clauses is reached, what the others need is said.
  const Report reached = report_of(record_of({workflow, result_of("WFX-TERMINAL", Verdict::pass)}));
  EXPECT_EQ(reasons_for(reached, "WFX-INIT"),
            "not applicable: the profile does not declare workflow.start");
}

TEST(RenderText, SumsUpManyReasonsUnlessAllIsAskedFor) {
  std::vector<core::CaseResult> cases;
  for (int number = 10; number < 40; ++number) {
    cases.push_back(result_of("X-" + std::to_string(number), Verdict::not_applicable));
    cases.back().reason = "lacks r" + std::to_string(number);
  }
  const Report report = report_of(record_of(std::move(cases)));
  const std::string text = render_text(report, {});
  EXPECT_NE(text.find("not applicable: lacks r21: 1 clause (X-21)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("lacks r22"), std::string::npos) << text;
  // The table's own eight clauses are not tested: one more reason.
  EXPECT_NE(text.find("\n  26 more clauses for 19 more reasons (--verbose lists them)\n"),
            std::string::npos)
      << text;
  const std::string all = render_text(report, {.verbose = true});
  EXPECT_NE(all.find("not applicable: lacks r39: 1 clause\n"), std::string::npos) << all;
  EXPECT_EQ(all.find("--verbose"), std::string::npos) << all;
}

TEST(Report, EvidenceOfAnotherExchangeThanThereIsIsLeftOut) {
  core::CaseResult result = result_of("STM-CORE-1", Verdict::fail);
  result.checks.front().evidence = {7};
  EXPECT_TRUE(report_of(record_of({result})).cases.front().findings.front().evidence.empty());
}

TEST(Report, EvidenceKeepsItsPlaceWhenExchangesAreCut) {
  core::CaseResult result = result_of("STM-CORE-1", Verdict::fail);
  for (int index = 0; index < 100; ++index) {
    core::Exchange exchange;
    exchange.operation = "operation " + std::to_string(index);
    result.exchanges.push_back(exchange);
  }
  result.checks.front().evidence = {90};
  const Report report = make_report(record_of({result}), sample_clauses(), {.limit_exchanges = 3});
  const CaseReport& shown = report.cases.front();
  EXPECT_EQ(shown.exchanges.size(), 3U);
  EXPECT_EQ(shown.exchanges_left_out, 97U);
  EXPECT_EQ(shown.exchanges.at(shown.findings.front().evidence.front()).operation, "operation 90");
}

TEST(Report, EvidenceBeyondTheLimitStaysInTheRecord) {
  std::vector<core::CaseResult> cases;
  for (const char* actual : {"", "x", "x", "x", "", "y", "x"}) {
    const Verdict verdict = *actual == '\0' ? Verdict::pass : Verdict::fail;
    core::CaseResult& result = cases.emplace_back(result_of("STM-CORE-1", verdict));
    result.id += "/" + std::to_string(cases.size());
    if (verdict == Verdict::fail) result.checks.front().actual = actual;
    result.checks.front().evidence = {0};
    result.exchanges.emplace_back().operation = "runs.get";
    result.exchanges.front().response = core::HttpResponse{200, {}, std::string(400, 'x')};
  }
  // Enough for two failures; only the first three of each cause may take twice as much.
  const Report report = make_report(record_of(cases), sample_clauses(),
                                    {.steps_of_passes = true, .limit_evidence_bytes = 2'200});
  std::vector<bool> cut;
  for (const CaseReport& each : report.cases) cut.push_back(each.is_cut);
  EXPECT_EQ(cut, (std::vector<bool>{false, false, false, false, true, false, true}));
  for (const CaseReport& each : report.cases) {
    EXPECT_EQ(each.exchange_count, 1U);
    if (!each.is_cut) continue;
    EXPECT_TRUE(each.exchanges.empty() && each.steps.empty() && each.judged.empty());
    EXPECT_EQ(each.exchanges_left_out, each.findings.size());
    for (const Finding& finding : each.findings) EXPECT_TRUE(finding.evidence.empty());
  }
  for (const Format& format : formats()) EXPECT_FALSE(format.render(report, {}).empty());
}

TEST(Report, AnotherCaseMayFitWhereOneDidNot) {
  std::vector<core::CaseResult> cases;
  for (const std::size_t requests : {1U, 90U, 1U}) {
    core::CaseResult& result = cases.emplace_back(result_of("STM-CORE-1", Verdict::pass));
    result.id += "/" + std::to_string(cases.size());
    for (std::size_t number = 0; number < requests; ++number) {
      result.exchanges.emplace_back().request.target = "/" + std::to_string(number);
    }
  }
  const Report report = make_report(record_of(cases), sample_clauses(),
                                    {.steps_of_passes = true, .limit_evidence_bytes = 1'000});
  ASSERT_EQ(report.cases.size(), 3U);
  EXPECT_EQ(report.cases[0].steps.size(), 1U);
  EXPECT_TRUE(report.cases[1].is_cut);
  EXPECT_TRUE(report.cases[1].steps.empty() && report.cases[1].judged.empty());
  EXPECT_EQ(report.cases[2].steps.size(), 1U);
}

TEST(Wording, NamesAWholeSpecificationInsteadOfItsClauses) {
  const Report report = report_of(record_of({}));
  EXPECT_EQ(clause_names({"WFX-INIT", "WFX-TERMINAL", "STM-CORE-1"}, report),
            (std::vector<std::string>{"STM-CORE-1", "all 2 of 002 Workflow execution lifecycle"}));
}

TEST(Wording, DurationsAreShort) {
  EXPECT_EQ(duration_text(12.4), "12 ms");
  EXPECT_EQ(duration_text(1'834), "1.83 s");
  EXPECT_EQ(duration_text(250'000), "4 min 10 s");
}

}  // namespace
}  // namespace assay::reports
