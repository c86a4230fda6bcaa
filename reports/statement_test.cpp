#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "reports/matrix_report.h"
#include "reports/render.h"
#include "reports/sample_record.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string statement(const core::RunRecord& record, const Style& style = {}) {
  Report report = make_report(record, sample_clauses());
  report.record_digest = "sha256:5eed";
  return render_statement(report, style);
}

TEST(Statement, SaysWhatWasJudgedByWhatWhenAndByWhom) {
  const std::string text = statement(sample_record());
  for (const char* part :
       {"**Does not conform.**", "| Identifies itself as | `sample server 1.0` |",
        "| Profile | `reference, sha256:fedcba9876543210` |",
        "| Judged by | `assay 0.1.0, suite sha256:0123456789abcdef` |",
        "| Baseline | `baseline.yaml, sha256:00112233` |", "| Duration | `1.83 s` |",
        "| Run by | `ci <job> 7` |", "| Seed | `42` |", "| Record | `sha256:5eed` |"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Statement, SaysHowMuchOfTheSuiteWasJudged) {
  core::RunRecord record = sample_record();
  record.header.suite_cases = 1'788;
  EXPECT_THAT(statement(record), HasSubstr("8 of the 1,788 of the suite"));
  record.header.suite_cases = 8;
  EXPECT_THAT(statement(record), HasSubstr("all 8 of the suite"));
}

TEST(Statement, CountsTheClausesOfEachLevel) {
  const std::string text = statement(sample_record());
  EXPECT_THAT(text, HasSubstr("| level | holds | not shown | broken | undecided | not applicable | "
                              "not tested |"));
  EXPECT_THAT(text, HasSubstr("| SHOULD | 0 | 0 | 0 | 1 | 0 | 0 |"));
}

TEST(Statement, TellsWhatTheBaselineAcceptsFromWhatItDoesNot) {
  const std::string text = statement(sample_record());
  EXPECT_THAT(text, HasSubstr("| EVT-ALIAS-1 | MAY | event_alias is the PascalCase form of "
                              "event_type. | by the baseline |"));
  EXPECT_THAT(text, HasSubstr("| STM-INF-BATCH | MUST | "));
  EXPECT_THAT(text, HasSubstr("not even with pending_count 0. | no |"));
  EXPECT_THAT(text, HasSubstr("| Aliases are &#60;i&#62;snake_case&#60;/i&#62; "
                              "(https&#58;//example.org/1) | EVT-ALIAS-1 | 1 |"));
}

/// A record in which so many clauses are broken, STM-X1 and so on: each second one as a baseline
/// expects.
Report report_of_broken(std::size_t count) {
  std::string clauses;
  core::RunRecord record = sample_record();
  core::CaseResult failed = record.cases.front();
  record.cases.clear();
  for (std::size_t number = 1; number <= count; ++number) {
    const std::string clause = "STM-X" + std::to_string(number);
    clauses += clause + "\tMUST\t000 X\tSays " + std::to_string(number) + ".\n";
    failed.id = "status/case-" + std::to_string(number);
    failed.clauses = {clause};
    failed.checks.resize(1);
    failed.checks.front().verdict = core::Verdict::fail;
    failed.checks.front().clauses = failed.clauses;
    failed.verdict = core::Verdict::fail;
    failed.expected_fail = number % 2 == 0;
    record.cases.push_back(failed);
  }
  return make_report(record, core::ClauseTable(clauses));
}

TEST(Statement, NamesEveryBrokenClauseAndThoseFirstThatNothingAccepts) {
  const Report report = report_of_broken(20);
  for (const bool is_page : {false, true}) {
    const std::string text = render_statement(report, {.page = is_page});
    EXPECT_THAT(
        text,
        HasSubstr("and 4 more: STM-X13, STM-X15, STM-X17, STM-X19; and 10 more, accepted by the "
                  "baseline: STM-X2, STM-X4, STM-X6, STM-X8, STM-X10, STM-X12, "
                  "STM-X14, STM-X16, STM-X18, STM-X20"));
    EXPECT_THAT(text, HasSubstr("Says 11."));
    EXPECT_THAT(text, Not(HasSubstr("Says 2.")));
  }
}

TEST(Statement, SaysWhatWasNotShownAndWhy) {
  EXPECT_THAT(statement(sample_record()),
              HasSubstr("| not applicable: needs workflow.start | WFX-INIT |"));
}

TEST(Statement, SaysHowToDoItAgain) {
  core::RunRecord record = sample_record();
  record.header.selection = {"status/*", "clause=STM-CORE-1", "shard=2/3", "cases=9"};
  EXPECT_THAT(statement(record),
              HasSubstr("assay run --profile reference --target http://127.0.0.1:8080 --seed 42 "
                        "--baseline baseline.yaml 'status/*' --clause STM-CORE-1 --shard 2/3 "
                        "--record run.ndjson\n"));
  record.header.target_source = core::target_source::in_process;
  EXPECT_THAT(statement(record), HasSubstr("--in-process"));
  EXPECT_THAT(statement(record), Not(HasSubstr("--target")));
}

TEST(Statement, SaysThatNoRecordWasKept) {
  const Report report = make_report(sample_record(), sample_clauses());
  EXPECT_THAT(render_statement(report, {}), HasSubstr("| Record | `not kept` |"));
}

TEST(Statement, IsAPageWhereItsFileIsOne) {
  EXPECT_TRUE(is_page("out/statement.html"));
  EXPECT_FALSE(is_page("statement.md"));
  const std::string page = statement(sample_record(), {.page = true});
  EXPECT_THAT(page, HasSubstr("<h1 class=\"broken\">Does not conform</h1>"));
  EXPECT_THAT(page, HasSubstr("<dt>Record</dt><dd>sha256:5eed</dd>"));
  EXPECT_THAT(page, HasSubstr("STM-INF-BATCH</th><td class=\"level\">MUST</td>"));
  EXPECT_THAT(page, HasSubstr("<td>Aliases are &lt;i&gt;snake_case&lt;/i&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<i>")));
  EXPECT_THAT(page, Not(HasSubstr(sample_secret)));
}

TEST(Statement, CallsNoFlakyFailureAcceptedByTheBaseline) {
  core::RunRecord record = sample_record();
  record.cases = {record.cases.at(1)};
  record.footer->cases = 1;
  record.footer->baseline_findings.clear();
  record.cases[0].retries.resize(2);
  for (core::Retry& retry : record.cases[0].retries) retry.verdict = core::Verdict::pass;
  record.header.flaky = core::flaky_policy::fail;
  EXPECT_THAT(statement(record), HasSubstr("not even with pending_count 0. | no |"));
  record.header.flaky = core::flaky_policy::warn;
  EXPECT_THAT(statement(record), HasSubstr("not even with pending_count 0. | flaky |"));
}

TEST(Matrix, SaysOfEachRunWhatWasJudgedAndWhatCameOfIt) {
  const std::vector<MatrixColumn> columns = {
      {"first", make_report(sample_record(), sample_clauses())}};
  EXPECT_THAT(matrix_html(columns),
              HasSubstr("<tr><th scope=\"row\">first</th><td>Does not conform</td>"));
}

}  // namespace
}  // namespace assay::reports
