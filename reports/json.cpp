#include <nlohmann/json.hpp>
#include <string>

#include "harness/check/coverage.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

Json summary_json(const Summary& summary) {
  Json json = {{"cases", summary.cases}};
  for (const Outcome outcome : outcome_words.values()) {
    json[std::string(outcome_words[outcome])] = summary.count(outcome);
  }
  return json;
}

/// null where it was not measured, or the clause does not pass.
Json sensitivity_json(const ClauseReport& each) {
  if (!each.sensitivity) return nullptr;
  return {{"caught", each.sensitivity->caught.size()},
          {"known", each.sensitivity->known},
          {"faults", each.sensitivity->caught},
          {"hidden_by", each.sensitivity->hidden_by}};
}

Json clauses_json(const Report& report) {
  Json clauses = Json::array();
  for (const ClauseReport& each : report.clauses) {
    clauses.push_back({{"id", each.clause.id},
                       {"level", core::level_words[each.clause.level]},
                       {"verdict", clause_word(each)},
                       {"checks", each.checks},
                       {"cases", each.cases},
                       {"follows", each.follows.empty() ? Json(nullptr) : Json(each.follows)},
                       {"sensitivity", sensitivity_json(each)}});
  }
  return clauses;
}

Json evidence_json(const Finding& finding, const CaseReport& result) {
  Json evidence = Json::array();
  for (const std::size_t index : finding.evidence) {
    const ExchangeReport& exchange = result.exchanges[index];
    evidence.push_back({{"operation", exchange.operation},
                        {"curl", exchange.curl},
                        {"answer", exchange.answer},
                        {"body", exchange.body},
                        {"called_ms", exchange.called_ms},
                        {"returned_ms", exchange.returned_ms}});
  }
  return evidence;
}

/// One entry for each clause that the check speaks of, so that a reader can group by clause.
void add_findings(Json& findings, const Finding& finding, const CaseReport& result) {
  std::vector<std::string> clauses = finding.clauses;
  if (clauses.empty()) clauses.emplace_back();
  for (const std::string& clause : clauses) {
    findings.push_back({{"clause", clause.empty() ? Json(nullptr) : Json(clause)},
                        {"verdict", core::verdict_words[finding.verdict]},
                        {"expected", finding.expected},
                        {"actual", finding.actual},
                        {"reason", finding.reason},
                        {"at", finding.at},
                        {"looked_ms", finding.looked_ms},
                        {"looks", finding.looks},
                        {"evidence", evidence_json(finding, result)},
                        {"repro", result.repro}});
  }
}

/// null where the case was not run again.
Json retries_json(const CaseReport& each) {
  if (each.retries.empty()) return nullptr;
  Json verdicts = Json::array();
  for (const core::Verdict verdict : each.retries) verdicts.push_back(core::verdict_words[verdict]);
  return {{"verdicts", std::move(verdicts)},
          {"failed", each.rate.failed},
          {"played", each.rate.played},
          {"lowest_rate", each.rate.lowest},
          {"highest_rate", each.rate.highest}};
}

Json cases_json(const Report& report) {
  Json cases = Json::array();
  for (const CaseReport& each : report.cases) {
    Json findings = Json::array();
    for (const Finding& finding : each.findings) add_findings(findings, finding, each);
    cases.push_back({{"id", each.id},
                     {"title", each.title},
                     {"verdict", outcome_words[each.outcome]},
                     {"reason", each.reason},
                     {"clauses", each.clauses},
                     {"duration_ms", each.duration_ms},
                     {"findings", std::move(findings)},
                     {"retries", retries_json(each)},
                     {"baseline_reasons", each.baseline_reasons}});
  }
  return cases;
}

Json coverage_json(const Report& report) {
  Json coverage = Json::array();
  if (!report.footer) return coverage;
  for (const core::LayerCoverage& layer : report.footer->coverage) {
    coverage.push_back({{"layer", layer.layer},
                        {"states", layer.states},
                        {"states_seen", layer.states_seen},
                        {"transitions", layer.transitions},
                        {"transitions_seen", layer.transitions_seen},
                        {"attempts", layer.attempts},
                        {"attempts_seen", layer.attempts_seen}});
  }
  return coverage;
}

Json baseline_json(const Report& report) {
  if (report.header.baseline.empty()) return nullptr;
  return {
      {"file", report.header.baseline},
      {"digest", report.header.baseline_digest},
      {"findings", report.footer ? report.footer->baseline_findings : std::vector<std::string>()}};
}

/// How much of the model was exercised in all, and what was not; null where nothing was counted.
Json model_coverage_json(const Report& report) {
  if (!report.footer || report.footer->coverage.empty()) return nullptr;
  const core::RecordFooter& footer = *report.footer;
  const check::CoverageTotal total = check::coverage_total(footer.coverage);
  Json json = {{"seen", total.seen},
               {"defined", total.defined},
               {"percent", total.percent()},
               {"required_percent", nullptr},
               {"never", check::never_exercised(footer.coverage)}};
  if (footer.required_coverage) json["required_percent"] = *footer.required_coverage;
  return json;
}

}  // namespace

std::string render_json(const Report& report, const Style& /*style*/) {
  const core::RecordHeader& header = report.header;
  const Json json = {
      {"summary", summary_json(report.summary)},
      {"conclusion", report.headline},
      {"explanation", report.explanation},
      {"cut_short", !report.footer.has_value()},
      {"exit_code", static_cast<int>(report.exit_code)},
      {"target",
       {{"url", header.target},
        {"identity", header.target_identity},
        {"profile", header.profile},
        {"profile_digest", header.profile_digest},
        {"interpretations", header.interpretations}}},
      {"run",
       {{"assay_version", header.assay_version},
        {"suite_digest", header.suite_digest},
        {"seed", header.seed},
        {"run_id", header.run_id},
        {"label", header.label},
        {"started_at", header.started_at},
        {"duration_ms", report.footer ? Json(report.footer->duration_ms) : Json(nullptr)},
        {"selection", header.selection},
        {"scenarios", header.scenarios},
        {"notes", notes_of(report)},
        {"suite_cases", header.suite_cases}}},
      {"clauses", clauses_json(report)},
      {"cases", cases_json(report)},
      {"coverage", coverage_json(report)},
      {"baseline", baseline_json(report)},
      {"model_coverage", model_coverage_json(report)},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
