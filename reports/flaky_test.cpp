// What each format says of a case that passed only when it was run again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/render.h"
#include "reports/sample_record.h"

namespace assay::reports::flaky_test {
namespace {

using core::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

/// The second case of the sample fails; here it alone is left, and passes twice when it is run
/// again.
Report flaky_report(std::string_view policy) {
  core::RunRecord record = sample_record();
  record.cases = {record.cases.at(1)};
  record.footer->cases = 1;
  record.footer->baseline_findings.clear();
  record.footer->sensitivity.reset();
  record.header.flaky = policy;
  record.cases[0].retries.resize(2);
  for (core::Retry& retry : record.cases[0].retries) retry.verdict = Verdict::pass;
  return make_report(record, sample_clauses());
}

constexpr const char* rate = "run again 2 times, passed 2: does not pass in 33 % (95 % interval 6";

TEST(Flaky, FailsTheRunWhereNothingElseIsSaid) {
  const Report report = flaky_report(core::flaky_policy::fail);
  EXPECT_EQ(report.exit_code, core::ExitCode::unexpected_findings);
  EXPECT_EQ(report.headline, "Does not conform");
  EXPECT_THAT(report.explanation, HasSubstr("1 case passed only when it was run again."));
  EXPECT_EQ(report.summary.count(Outcome::flaky), 1U);
  EXPECT_THAT(render_text(report, {}), HasSubstr(rate));
  EXPECT_THAT(render_junit(report, {}), HasSubstr("<failure type=\"flaky\" message=\"flaky: run"));
  EXPECT_THAT(render_tap(report, {}),
              HasSubstr("not ok 1 - status/batch-completed-zero-pending\n"));
  EXPECT_THAT(render_github(report, {}), HasSubstr("::error title=STM-INF-BATCH"));
}

TEST(Flaky, IsSaidAndFailsNothingWhereItIsTolerated) {
  const Report report = flaky_report(core::flaky_policy::warn);
  EXPECT_EQ(report.exit_code, core::ExitCode::conforms);
  EXPECT_EQ(report.headline, "Flaky");
  EXPECT_THAT(report.explanation, HasSubstr("1 case passed only when it was run again, which "
                                            "--flaky warn lets through."));
  // The clause was broken once: that stays said.
  EXPECT_EQ(report.find_clause("STM-INF-BATCH")->verdict, Verdict::fail);
  EXPECT_THAT(render_text(report, {}), HasSubstr(rate));
  EXPECT_THAT(render_junit(report, {}), HasSubstr("<skipped message=\"flaky: run again"));
  EXPECT_THAT(render_junit(report, {}), HasSubstr("failures=\"0\""));
  EXPECT_THAT(render_tap(report, {}), HasSubstr("# TODO flaky: run again 2 times"));
  EXPECT_THAT(render_github(report, {}), Not(HasSubstr("::error")));
  EXPECT_THAT(render_github(report, {}), HasSubstr("::warning title=assay%3A Flaky"));
  EXPECT_THAT(render_markdown(report, {}), HasSubstr("does not pass in 33 %"));
  EXPECT_THAT(render_html(report, {}), HasSubstr("does not pass in 33 %"));
  EXPECT_THAT(render_badge(report, {}), HasSubstr("Flaky"));
}

TEST(Flaky, WhatWasNotDecidedAtFirstIsNoFailureOfTheTarget) {
  Report report = flaky_report(core::flaky_policy::fail);
  report.cases[0].verdict = Verdict::inconclusive;
  EXPECT_THAT(render_junit(report, {}), HasSubstr("<error type=\"flaky\""));
  const auto ctrf = nlohmann::json::parse(render_ctrf(report, {}));
  EXPECT_EQ(ctrf["results"]["tests"][0]["status"], "other");
}

TEST(Flaky, HasItsCountsInJson) {
  const auto json = nlohmann::json::parse(render_json(flaky_report(core::flaky_policy::fail), {}));
  EXPECT_EQ(json["summary"]["flaky"], 1);
  const auto& flaky = json["cases"][0];
  EXPECT_EQ(flaky["verdict"], "flaky");
  EXPECT_EQ(flaky["retries"]["verdicts"], nlohmann::json({"pass", "pass"}));
  EXPECT_EQ(flaky["retries"]["failed"], 1);
  EXPECT_EQ(flaky["retries"]["played"], 3);
  const auto ctrf = nlohmann::json::parse(render_ctrf(flaky_report(core::flaky_policy::fail), {}));
  EXPECT_EQ(ctrf["results"]["tests"][0]["flaky"], true);
  EXPECT_EQ(ctrf["results"]["tests"][0]["status"], "failed");
  const auto warned =
      nlohmann::json::parse(render_ctrf(flaky_report(core::flaky_policy::warn), {}));
  EXPECT_EQ(warned["results"]["tests"][0]["status"], "other");
  EXPECT_EQ(ctrf["results"]["tests"][0]["retries"], 2);
}

}  // namespace
}  // namespace assay::reports::flaky_test
