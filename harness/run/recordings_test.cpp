#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/core/verdict.h"
#include "harness/run/testing/recorded_server.h"

namespace assay::run {
namespace {

using testing::recorded_server;
using testing::RecordedServer;

/// Verdicts and differences of a case, one line a check.
std::string findings(const core::CaseResult& result) {
  std::string text(core::verdict_words[result.verdict]);
  for (const core::Check& check : result.checks) {
    text += "\n";
    text += core::verdict_words[check.verdict];
    for (const std::string& clause : check.clauses) text += " " + clause;
    if (!check.expected.empty()) text += " | " + check.expected + " | " + check.actual;
  }
  return text;
}

/// What the real server answered, judged again by today's profile, scenario and judge, comes to
/// what it came to then.
class Recordings : public ::testing::TestWithParam<const char*> {};

TEST_P(Recordings, AreJudgedAsTheServerWas) {
  const RecordedServer server = recorded_server(GetParam());
  ASSERT_GE(server.record.cases.size(), 8U);
  std::map<core::Verdict, int> seen;
  for (const core::CaseResult& recorded : server.record.cases) {
    SCOPED_TRACE(recorded.id);
    const core::Scenario scenario = testing::recorded_scenario(recorded.id);
    const core::CaseResult result = testing::judge_again(
        server, testing::recorded_row(scenario, recorded.id), recorded.exchanges);
    EXPECT_EQ(findings(result), findings(recorded));
    ++seen[result.verdict];
  }
  EXPECT_GT(seen[core::Verdict::pass], 0);
  EXPECT_GT(seen[core::Verdict::fail], 0);
}

INSTANTIATE_TEST_SUITE_P(All, Recordings,
                         ::testing::Values("mlflow", "noetl-py", "noetl-py-driven", "noetl-rs",
                                           "noetl-rs-driven", "prefect", "temporal"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace assay::run
