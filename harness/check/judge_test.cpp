#include "harness/check/judge.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace assay::check {
namespace {

using core::CaseResult;
using core::Check;
using core::Exchange;
using core::ExitCode;
using core::RunRecord;
using core::TransportError;
using core::TransportFault;
using core::Verdict;

Check check_of(std::vector<std::string> clauses, Verdict verdict) {
  Check check;
  check.clauses = std::move(clauses);
  check.verdict = verdict;
  return check;
}

CaseResult result_of(std::string id, Verdict verdict, std::vector<Check> checks = {}) {
  CaseResult result;
  result.id = std::move(id);
  result.verdict = verdict;
  result.checks = std::move(checks);
  return result;
}

CaseResult expected_fail() {
  CaseResult result = result_of("known", Verdict::fail);
  result.expected_fail = true;
  return result;
}

CaseResult unexpected_pass() {
  CaseResult result = result_of("mended", Verdict::pass);
  result.unexpected_pass = true;
  return result;
}

CaseResult unreached(TransportFault fault = TransportFault::refused) {
  CaseResult result = result_of("dead", Verdict::error);
  Exchange exchange;
  exchange.error = TransportError{fault, "", false};
  result.exchanges.push_back(exchange);
  return result;
}

RunRecord record_of(std::vector<CaseResult> cases, bool has_footer = true) {
  RunRecord record;
  record.cases = std::move(cases);
  if (has_footer) record.footer.emplace();
  return record;
}

TEST(CaseVerdict, IsTheWorstOfItsChecks) {
  EXPECT_EQ(case_verdict(std::vector{check_of({}, Verdict::pass), check_of({}, Verdict::fail),
                                     check_of({}, Verdict::error)}),
            Verdict::fail);
  EXPECT_EQ(case_verdict(std::vector{check_of({}, Verdict::pass)}), Verdict::pass);
}

TEST(CaseVerdict, ACaseWithoutACheckIsNoPass) {
  EXPECT_EQ(case_verdict({}), Verdict::inconclusive);
}

TEST(ExitCode, IsDecidedByTheFirstRuleThatHolds) {
  const CaseResult pass = result_of("a", Verdict::pass);
  const CaseResult fail = result_of("b", Verdict::fail);
  const CaseResult inconclusive = result_of("c", Verdict::inconclusive);
  const CaseResult error = result_of("d", Verdict::error);
  const CaseResult skipped = result_of("e", Verdict::not_applicable);
  struct Row {
    std::vector<CaseResult> cases;
    bool has_footer;
    ExitCode code;
  };
  const std::vector<Row> rows = {
      {{pass}, true, ExitCode::conforms},
      {{pass, skipped}, true, ExitCode::conforms},
      {{pass, expected_fail()}, true, ExitCode::conforms},
      {{pass, fail}, true, ExitCode::unexpected_findings},
      {{pass, error, fail}, true, ExitCode::unexpected_findings},
      {{fail}, false, ExitCode::unexpected_findings},
      {{fail, unreached()}, true, ExitCode::unexpected_findings},
      {{pass, error}, true, ExitCode::harness_fault},
      {{inconclusive, error}, true, ExitCode::harness_fault},
      {{pass, unreached()}, true, ExitCode::harness_fault},
      {{unreached()}, true, ExitCode::target_unreachable},
      {{unreached(), skipped}, false, ExitCode::target_unreachable},
      {{unreached(TransportFault::request_timeout)}, true, ExitCode::harness_fault},
      {{pass, inconclusive}, true, ExitCode::unexpected_findings},
      {{pass, inconclusive, unexpected_pass()}, true, ExitCode::unexpected_findings},
      {{}, true, ExitCode::nothing_proven},
      {{skipped, skipped}, true, ExitCode::nothing_proven},
      {{pass}, false, ExitCode::nothing_proven},
      {{unexpected_pass()}, false, ExitCode::nothing_proven},
      {{pass, unexpected_pass()}, true, ExitCode::baseline_stale},
  };
  for (std::size_t index = 0; index < rows.size(); ++index) {
    EXPECT_EQ(exit_code_of(record_of(rows[index].cases, rows[index].has_footer)), rows[index].code)
        << "row " << index;
  }
}

TEST(ExitCode, AnEntryOfTheBaselineThatNoLongerFitsIsStale) {
  core::RunRecord record = record_of({result_of("a", Verdict::pass)}, true);
  record.footer->baseline_findings = {"b.yaml:2:5: s/a (A) matches no case"};
  EXPECT_EQ(exit_code_of(record), ExitCode::baseline_stale);
  record.cases.push_back(result_of("b", Verdict::fail));
  EXPECT_EQ(exit_code_of(record), ExitCode::unexpected_findings);
}

TEST(ExitCode, AShouldWarnsAndAMustDecides) {
  const core::ClauseTable table("M-1\tMUST\t000 x\ty\nS-1\tSHOULD\t000 x\ty\nY-1\tMAY\t000 x\ty\n");
  const auto code_for = [&table](std::vector<std::string> clauses) {
    return exit_code_of(
        record_of({result_of("a", Verdict::fail, {check_of(std::move(clauses), Verdict::fail)})}),
        &table);
  };
  EXPECT_EQ(code_for({"S-1", "Y-1"}), ExitCode::conforms);
  EXPECT_EQ(code_for({"S-1", "M-1"}), ExitCode::unexpected_findings);
  EXPECT_EQ(code_for({"UNHEARD-OF"}), ExitCode::unexpected_findings);
  EXPECT_EQ(code_for({}), ExitCode::unexpected_findings);
}

TEST(ClauseVerdicts, MergeTheChecksOfAClauseOverAllCases) {
  CaseResult first = result_of(
      "a", Verdict::fail, {check_of({"C-1"}, Verdict::pass), check_of({"C-2"}, Verdict::fail)});
  CaseResult second = result_of("b", Verdict::pass, {check_of({"C-1"}, Verdict::pass)});
  second.clauses = {"C-1"};
  const auto verdicts = clause_verdicts(record_of({first, second}));
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].clause, "C-1");
  EXPECT_EQ(verdicts[0].verdict, Verdict::pass);
  EXPECT_EQ(verdicts[0].checks, 2U);
  EXPECT_EQ(verdicts[0].cases, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(verdicts[1].verdict, Verdict::fail);
  EXPECT_FALSE(verdicts[1].expected_fail);
}

TEST(ClauseVerdicts, AClauseWithoutItsCheckIsNeverAPass) {
  CaseResult result = result_of("a", Verdict::pass, {check_of({"C-1"}, Verdict::pass)});
  result.clauses = {"C-1", "C-2"};
  EXPECT_EQ(clause_verdicts(record_of({result}))[1].verdict, Verdict::inconclusive);
  CaseResult skipped = result_of("b", Verdict::not_applicable);
  skipped.clauses = {"C-3"};
  EXPECT_EQ(clause_verdicts(record_of({skipped}))[0].verdict, Verdict::not_applicable);
}

TEST(ClauseVerdicts, AnExpectedFailIsOneOnlyWhereAllAre) {
  CaseResult known = expected_fail();
  known.checks = {check_of({"C-1"}, Verdict::fail)};
  const CaseResult fresh = result_of("b", Verdict::fail, {check_of({"C-1"}, Verdict::fail)});
  EXPECT_TRUE(clause_verdicts(record_of({known}))[0].expected_fail);
  EXPECT_FALSE(clause_verdicts(record_of({known, fresh}))[0].expected_fail);
  EXPECT_FALSE(clause_verdicts(record_of({fresh, known}))[0].expected_fail);
}

}  // namespace
}  // namespace assay::check
