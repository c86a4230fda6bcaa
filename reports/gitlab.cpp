#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/digest.h"
#include "harness/core/failure.h"
#include "reports/places.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

/// Code quality wants a file of the repository; the baseline is the one that a finding leads to
/// where the scenario is assay's own.
Place file_of(const Finding& finding, const Report& report) {
  Place place = users_place(finding.at);
  if (place.file.empty()) {
    place.file = report.header.baseline.empty() ? finding.at.substr(0, finding.at.find(':'))
                                                : report.header.baseline;
    place.line = 1;
  }
  return place;
}

/// A name for a finding that stays between runs.
std::string fingerprint_of(std::string_view text) {
  return fmt::format("{:016x}", digest_of(text));
}

std::string_view severity_of(const Finding& finding, const CaseReport& each, const Report& report) {
  if (each.outcome == Outcome::expected_fail || each.is_let_through) return "info";
  if (finding.verdict != core::Verdict::fail) return "minor";
  for (const std::string& id : finding.clauses) {
    const ClauseReport* clause = report.find_clause(id);
    if (clause == nullptr || clause->clause.level == core::Level::must) return "critical";
  }
  return "minor";
}

Json issue(const std::string& description, const std::string& check, const std::string& print,
           std::string_view severity, const Place& place) {
  return {{"description", description},
          {"check_name", check},
          {"fingerprint", print},
          {"severity", severity},
          {"location", {{"path", place.file}, {"lines", {{"begin", std::max(place.line, 1)}}}}}};
}

}  // namespace

std::string render_gitlab(const Report& report, const Style&) {
  Json issues = Json::array();
  std::set<std::string> known;
  for (const CaseReport* each : troubled_cases(report)) {
    for (const Finding& finding : each->findings) {
      if (finding.verdict == core::Verdict::not_applicable) continue;
      const std::string clauses = fmt::format("{}", fmt::join(finding.clauses, ", "));
      const std::string what =
          finding.expected.empty() && finding.actual.empty()
              ? finding.reason
              : fmt::format("expected {}, got {}", finding.expected, finding.actual);
      const std::string print = fingerprint_of(
          fmt::format("{}\n{}\n{}", each->id, clauses, core::without_identifiers(what)));
      if (!known.insert(print).second) continue;
      issues.push_back(issue(fmt::format("{} {}: {}", clauses, each->id, what), clauses, print,
                             severity_of(finding, *each, report), file_of(finding, report)));
    }
  }
  if (report.footer) {
    for (const std::string& finding : report.footer->baseline_findings) {
      const Place place = parsed_place(finding);
      const std::string print = fingerprint_of("baseline\n" + place.rest);
      if (!known.insert(print).second) continue;
      issues.push_back(
          issue("Baseline is stale: " + place.rest, "baseline", print, "major", place));
    }
  } else {
    issues.push_back(issue(report.headline + ": " + report.explanation, "run",
                           fingerprint_of("cut short"), "blocker", {"assay", 1, 1, ""}));
  }
  return issues.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
