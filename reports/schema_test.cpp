#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/core/clause_table.h"
#include "reports/render.h"
#include "reports/sample_record.h"

namespace assay::reports {
namespace {

using Json = nlohmann::json;

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// The JSON report has exactly the members of its published schema, so that the two cannot drift.
TEST(ReportSchema, NamesTheMembersOfTheJsonReport) {
  std::ifstream file(ASSAY_SOURCE_DIR "/fixtures/schemas/report.json");
  const Json schema = Json::parse(file);
  const core::ClauseTable table("STM-INF-BATCH\tMUST\t000 x\tText.\n");
  const Json report = Json::parse(render_json(make_report(sample_record(), table), {}));
  EXPECT_EQ(keys_of(report), keys_of(schema["properties"]));
  const auto expect_keys = [&schema](const Json& value, const char* definition) {
    EXPECT_EQ(keys_of(value), keys_of(schema["$defs"][definition]["properties"])) << definition;
  };
  expect_keys(report["summary"], "summary");
  expect_keys(report["target"], "target");
  expect_keys(report["run"], "run");
  expect_keys(report["clauses"].at(0), "clause");
  expect_keys(report["coverage"].at(0), "layer");
  std::size_t evidence = 0;
  for (const Json& result : report["cases"]) {
    expect_keys(result, "case");
    for (const Json& finding : result["findings"]) {
      expect_keys(finding, "finding");
      for (const Json& one : finding["evidence"]) {
        expect_keys(one, "evidence");
        ++evidence;
      }
    }
  }
  EXPECT_GT(evidence, 0U);
}

}  // namespace
}  // namespace assay::reports
