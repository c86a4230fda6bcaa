#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "base/encoding.h"
#include "reports/render.h"
#include "reports/wording.h"

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

/// A path as a relative reference: what a URI cannot have is encoded.
std::string uri_of(std::string_view path) {
  std::string uri;
  while (true) {
    const std::size_t end = path.find('/');
    uri += percent_encoded(path.substr(0, end));
    if (end == std::string_view::npos) return uri;
    uri += '/';
    path.remove_prefix(end + 1);
  }
}

Json location(std::string_view file, int line, int column) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(file)}}},
            {"region", {{"startLine", line}, {"startColumn", column}}}}}};
}

/// "file:line:column" as a place, where it is one.
Json place_of(const std::string& at) {
  const std::size_t column_mark = at.rfind(':');
  const std::size_t line_mark =
      column_mark == std::string::npos ? column_mark : at.rfind(':', column_mark - 1);
  if (line_mark == std::string::npos || line_mark == 0) return nullptr;
  int line = 0;
  int column = 0;
  std::from_chars(at.data() + line_mark + 1, at.data() + column_mark, line);
  std::from_chars(at.data() + column_mark + 1, at.data() + at.size(), column);
  if (line < 1 || column < 1) return nullptr;
  return location(std::string_view(at).substr(0, line_mark), line, column);
}

/// Where the reader can change something: the scenario, where it is the reader's own and not one
/// that is compiled in, else the baseline; and always the case by its name.
Json locations(const Report& report, const CaseReport& each, const Finding* finding) {
  Json place = nullptr;
  const bool has_own_scenarios = each.repro.find(" --scenarios ") != std::string::npos;
  if (finding != nullptr && has_own_scenarios) place = place_of(finding->at);
  if (place.is_null() && !report.header.baseline.empty()) {
    place = location(report.header.baseline, 1, 1);
  }
  if (place.is_null()) place = Json::object();
  place["logicalLocations"] = Json::array({{{"fullyQualifiedName", each.id}, {"kind", "member"}}});
  return Json::array({std::move(place)});
}

Json rule_json(const core::Clause& clause) {
  return {{"id", clause.id},
          {"shortDescription", {{"text", clause.statement}}},
          {"defaultConfiguration", {{"level", level_of(clause.level)}}},
          {"properties", {{"level", core::level_words[clause.level]}, {"source", clause.source}}}};
}

const Finding* deciding(const CaseReport& each) {
  const auto found =
      std::find_if(each.findings.begin(), each.findings.end(),
                   [&each](const Finding& finding) { return finding.verdict == each.verdict; });
  return found == each.findings.end() ? nullptr : &*found;
}

std::string message_of(const CauseReport& cause, const CaseReport& each, const Finding* finding) {
  std::string text = fmt::format("{}: {} ({})", outcome_phrase(cause.outcome), cause.text,
                                 counted(cause.cases.size(), "case"));
  text += fmt::format("\n{}: {}", each.id, each.title);
  if (finding != nullptr && !finding->expected.empty()) {
    text += fmt::format("\nexpected {}, got {}", finding->expected, finding->actual);
  }
  if (!each.retries.empty()) text += fmt::format("\n{}", retries_text(each));
  return each.repro.empty() ? text : text + "\nRun it again: " + each.repro;
}

/// One result a cause, which is the same in each run that has it.
Json result_json(const Report& report, const CauseReport& cause) {
  const CaseReport& each = report.cases[cause.cases.front()];
  const Finding* finding = deciding(each);
  const ClauseReport* clause =
      cause.clauses.empty() ? nullptr : report.find_clause(cause.clauses.front());
  const bool decided =
      each.verdict == core::Verdict::fail || cause.outcome == Outcome::unexpected_pass;
  Json result = {{"kind", decided && !each.is_let_through ? "fail" : "open"},
                 {"level", decided && clause != nullptr && !each.is_let_through
                               ? level_of(clause->clause.level)
                               : "none"},
                 {"message", {{"text", message_of(cause, each, finding)}}},
                 {"locations", locations(report, each, finding)},
                 {"occurrenceCount", cause.cases.size()},
                 {"partialFingerprints", {{"cause/v1", cause.anchor}}}};
  if (clause != nullptr) result["ruleId"] = clause->clause.id;
  if (cause.outcome == Outcome::expected_fail) {
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
  for (const CauseReport& cause : report.causes) results.push_back(result_json(report, cause));
  Json invocation = {
      {"executionSuccessful", report.footer.has_value()},
      {"exitCode", static_cast<int>(report.exit_code)},
      {"properties", {{"conclusion", report.headline}, {"explanation", report.explanation}}}};
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
