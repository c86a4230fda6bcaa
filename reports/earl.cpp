#include <nlohmann/json.hpp>
#include <string>

#include "reports/render.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view outcome_of(const ClauseReport& each, bool cut_short) {
  if (each.cases == 0) return "earl:untested";
  if (each.is_not_shown()) return "earl:cantTell";
  switch (each.verdict) {
    case core::Verdict::fail:
      return "earl:failed";
    // What a run had proven when it was cut short, the rest of it might have disproved.
    case core::Verdict::pass:
      return cut_short ? "earl:cantTell" : "earl:passed";
    case core::Verdict::not_applicable:
      return "earl:inapplicable";
    case core::Verdict::inconclusive:
    case core::Verdict::error:
      break;
  }
  return "earl:cantTell";
}

}  // namespace

std::string render_earl(const Report& report, const Style& /*style*/) {
  const core::RecordHeader& header = report.header;
  Json graph = Json::array();
  graph.push_back({{"@id", "_:assay"},
                   {"@type", Json::array({"earl:Assertor", "earl:Software"})},
                   {"doap:name", "assay"},
                   {"doap:revision", header.assay_version},
                   {"dct:description", report.headline + ": " + report.explanation}});
  graph.push_back(
      {{"@id", "_:target"},
       {"@type", "earl:TestSubject"},
       {"dct:title", header.target_identity.empty() ? header.target : header.target_identity},
       {"dct:description", header.target}});
  for (const ClauseReport& each : report.clauses) {
    Json result = {{"@type", "earl:TestResult"},
                   {"earl:outcome", {{"@id", outcome_of(each, !report.footer)}}}};
    if (!report.footer) result["earl:info"] = report.headline + ": " + report.explanation;
    graph.push_back({{"@type", "earl:Assertion"},
                     {"earl:assertedBy", {{"@id", "_:assay"}}},
                     {"earl:subject", {{"@id", "_:target"}}},
                     {"earl:mode", {{"@id", "earl:automatic"}}},
                     {"earl:test",
                      {{"@id", "urn:assay:clause:" + each.clause.id},
                       {"@type", "earl:TestRequirement"},
                       {"dct:title", each.clause.statement}}},
                     {"earl:result", std::move(result)}});
  }
  const Json json = {{"@context",
                      {{"earl", "http://www.w3.org/ns/earl#"},
                       {"dct", "http://purl.org/dc/terms/"},
                       {"doap", "http://usefulinc.com/ns/doap#"}}},
                     {"@graph", std::move(graph)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
