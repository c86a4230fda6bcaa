#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "reports/render.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

/// CTRF knows passed, failed, skipped, pending and other. What was not decided is "other": no
/// reader takes that for a pass.
std::string_view status_of(const CaseReport& each) {
  switch (each.outcome) {
    case Outcome::pass:
      return "passed";
    case Outcome::fail:
    case Outcome::unexpected_pass:
      return "failed";
    case Outcome::not_applicable:
    case Outcome::expected_fail:
      return "skipped";
    case Outcome::flaky:
      // Where it fails the run, who reads this has to see a failure.
      return each.verdict == core::Verdict::fail && !each.is_let_through ? "failed" : "other";
    case Outcome::inconclusive:
    case Outcome::error:
      break;
  }
  return "other";
}

/// Milliseconds since 1970 of an RFC 3339 time in UTC; 0 where it is none.
std::int64_t epoch_ms(const std::string& time) {
  std::istringstream stream(time);
  std::chrono::year_month_day date{};
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  double second = 0;
  char mark = 0;
  stream >> year >> mark >> month >> mark >> day >> mark >> hour >> mark >> minute >> mark >>
      second;
  date = std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(day);
  if (!stream || !date.ok()) return 0;
  const std::chrono::sys_days days(date);
  const auto whole = days + std::chrono::hours(hour) + std::chrono::minutes(minute);
  return std::chrono::duration_cast<std::chrono::milliseconds>(whole.time_since_epoch()).count() +
         static_cast<std::int64_t>(second * 1'000);
}

Json test_json(const CaseReport& each) {
  Json test = {{"name", each.id},
               {"status", status_of(each)},
               {"duration", static_cast<std::int64_t>(each.duration_ms)},
               {"rawStatus", outcome_words[each.outcome]},
               {"suite", Json::array({each.family})},
               {"tags", each.clauses}};
  std::string message = each.baseline_reasons.empty() ? each.reason : each.baseline_reasons.front();
  std::string trace;
  for (const Finding& finding : each.findings) {
    if (message.empty()) message = finding.reason;
    if (message.empty()) message = "expected " + finding.expected + ", got " + finding.actual;
    trace += finding.at + ": expected " + finding.expected + ", got " + finding.actual + "\n";
  }
  if (!message.empty()) test["message"] = message;
  if (!trace.empty()) test["trace"] = trace;
  if (!each.retries.empty()) {
    test["retries"] = each.retries.size();
    test["flaky"] = each.outcome == Outcome::flaky;
  }
  if (!each.repro.empty()) test["extra"] = {{"repro", each.repro}};
  return test;
}

}  // namespace

std::string render_ctrf(const Report& report, const Style& /*style*/) {
  Json tests = Json::array();
  for (const CaseReport& each : report.cases) tests.push_back(test_json(each));
  if (!report.footer) {
    tests.push_back({{"name", "run record"},
                     {"status", "other"},
                     {"duration", 0},
                     {"rawStatus", "cut_short"},
                     {"message", report.headline + ": " + report.explanation}});
  }
  const auto count = [&tests](std::string_view status) {
    return std::count_if(tests.begin(), tests.end(),
                         [status](const Json& test) { return test["status"] == status; });
  };
  const std::int64_t start = epoch_ms(report.header.started_at);
  const double duration_ms = report.footer ? report.footer->duration_ms : 0;
  const Json json = {{"reportFormat", "CTRF"},
                     {"specVersion", "0.0.0"},
                     {"results",
                      {{"tool", {{"name", "assay"}, {"version", report.header.assay_version}}},
                       {"summary",
                        {{"tests", tests.size()},
                         {"passed", count("passed")},
                         {"failed", count("failed")},
                         {"skipped", count("skipped")},
                         {"pending", count("pending")},
                         {"other", count("other")},
                         {"start", start},
                         {"stop", start + static_cast<std::int64_t>(duration_ms)}}},
                       {"tests", tests},
                       {"environment",
                        {{"testEnvironment", report.header.target},
                         {"extra",
                          {{"profile", report.header.profile},
                           {"seed", report.header.seed},
                           {"conclusion", report.headline},
                           {"explanation", report.explanation},
                           {"exit_code", static_cast<int>(report.exit_code)}}}}}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
