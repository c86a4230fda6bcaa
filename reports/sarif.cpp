#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/render.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view level_of(core::Level level) {
  switch (level) {
    case core::Level::must:
      return "error";
    case core::Level::should:
      return "warning";
    case core::Level::may:
      break;
  }
  return "note";
}

/// "file:line:column", as far as it is one.
Json locations(const std::string& at) {
  const std::size_t column_mark = at.rfind(':');
  const std::size_t line_mark =
      column_mark == std::string::npos ? column_mark : at.rfind(':', column_mark - 1);
  if (line_mark == std::string::npos || line_mark == 0) return Json::array();
  int line = 0;
  int column = 0;
  std::from_chars(at.data() + line_mark + 1, at.data() + column_mark, line);
  std::from_chars(at.data() + column_mark + 1, at.data() + at.size(), column);
  if (line < 1 || column < 1) return Json::array();
  return Json::array({{{"physicalLocation",
                        {{"artifactLocation", {{"uri", at.substr(0, line_mark)}}},
                         {"region", {{"startLine", line}, {"startColumn", column}}}}}}});
}

Json rule_json(const core::Clause& clause) {
  return {{"id", clause.id},
          {"shortDescription", {{"text", clause.statement}}},
          {"defaultConfiguration", {{"level", level_of(clause.level)}}},
          {"properties", {{"level", core::level_word(clause.level)}, {"source", clause.source}}}};
}

std::string message_of(const CaseReport& each, const Finding& finding) {
  std::string text = each.id + ": ";
  if (finding.verdict != core::Verdict::fail) {
    text += std::string(core::verdict_word(finding.verdict)) + ", ";
  }
  text += finding.reason.empty() ? "expected " + finding.expected + ", got " + finding.actual
                                 : finding.reason;
  return each.repro.empty() ? text : text + "\nAgain: " + each.repro;
}

Json result_json(const CaseReport& each, const Finding& finding, const ClauseReport* clause) {
  const bool decided = finding.verdict == core::Verdict::fail;
  Json result = {{"kind", decided ? "fail" : "open"},
                 {"level", decided && clause ? level_of(clause->clause.level) : "none"},
                 {"message", {{"text", message_of(each, finding)}}},
                 {"locations", locations(finding.at)},
                 {"partialFingerprints", {{"case/v1", each.id + " " + finding.at}}}};
  if (clause != nullptr) result["ruleId"] = clause->clause.id;
  if (each.outcome == Outcome::expected_fail) {
    const std::string why = each.baseline_reasons.empty()
                                ? "the baseline expects it"
                                : fmt::format("{}", fmt::join(each.baseline_reasons, "; "));
    result["suppressions"] = Json::array({{{"kind", "external"}, {"justification", why}}});
  }
  return result;
}

}  // namespace

std::string render_sarif(const Report& report, const Style& /*style*/) {
  Json rules = Json::array();
  for (const ClauseReport& each : report.clauses) rules.push_back(rule_json(each.clause));
  Json results = Json::array();
  for (const CaseReport& each : report.cases) {
    for (const Finding& finding : each.findings) {
      if (finding.clauses.empty()) results.push_back(result_json(each, finding, nullptr));
      for (const std::string& id : finding.clauses) {
        results.push_back(result_json(each, finding, report.find_clause(id)));
      }
    }
  }
  Json invocation = {{"executionSuccessful", report.footer.has_value()},
                     {"exitCode", static_cast<int>(report.exit_code)}};
  if (!report.footer) {
    invocation["toolExecutionNotifications"] =
        Json::array({{{"level", "error"},
                      {"message", {{"text", report.headline + ": " + report.explanation}}}}});
  }
  const Json json = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Json::array({{{"tool",
                                             {{"driver",
                                               {{"name", "assay"},
                                                {"semanticVersion", report.header.assay_version},
                                                {"rules", std::move(rules)}}}}},
                                            {"invocations", Json::array({std::move(invocation)})},
                                            {"results", std::move(results)}}})}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
