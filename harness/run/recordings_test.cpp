#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>

#include "harness/core/case_name.h"
#include "harness/core/clause_table.h"
#include "harness/run/case_runner.h"
#include "harness/run/identity.h"
#include "harness/run/testing/scripted_target.h"
#include "harness/target/replay_target.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/record.h"
#include "harness/wire/scenario_reader.h"

namespace assay::run {
namespace {

namespace fs = std::filesystem;
const fs::path source = ASSAY_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

core::RunRecord recording(const std::string& name) {
  const auto read = wire::read_record(content(source / "fixtures/recordings" / (name + ".ndjson")),
                                      name + ".ndjson");
  if (const auto* record = std::get_if<core::RunRecord>(&read)) return *record;
  ADD_FAILURE() << core::diagnostic_text(std::get<std::vector<core::Diagnostic>>(read).front());
  return {};
}

core::Profile profile(const std::string& name) {
  const auto read =
      wire::read_profile(wire::embedded_profile(name).value_or(""), name + ".yaml", nullptr);
  if (const auto* found = std::get_if<core::Profile>(&read)) return *found;
  ADD_FAILURE() << core::diagnostic_text(std::get<std::vector<core::Diagnostic>>(read).front());
  return {};
}

core::Scenario recorded_scenario(const std::string& case_id) {
  static const core::ClauseTable clauses(content(source / "fixtures/spec/clauses.tsv"));
  const std::string id(core::scenario_of_id(case_id));
  const std::string file = "scenarios/" + id + ".yaml";
  const auto read = wire::read_scenario(content(source / file), file, clauses);
  if (const auto* found = std::get_if<core::Scenario>(&read)) return *found;
  ADD_FAILURE() << core::diagnostic_text(std::get<std::vector<core::Diagnostic>>(read).front());
  return {};
}

/// The row of a recorded case, under the id of then: the names that it sent were made of that.
std::vector<core::Case> recorded_rows(const core::Scenario& scenario, const std::string& case_id) {
  std::vector<std::string> ids;
  const std::vector<core::Case> cases = core::cases_of(scenario);
  ids.reserve(cases.size());
  for (const core::Case& one : cases) ids.push_back(one.id);
  const std::string id = core::id_of_index(case_id, ids).value_or(case_id);
  std::vector<core::Case> rows;
  for (const core::Case& one : cases) {
    if (one.id == id) rows.push_back({case_id, one.scenario, one.variables});
  }
  EXPECT_EQ(rows.size(), 1U);
  return rows;
}

/// Verdicts and differences of a case, one line a check.
std::string findings(const core::CaseResult& result) {
  std::string text(core::verdict_word(result.verdict));
  for (const core::Check& check : result.checks) {
    text += "\n";
    text += core::verdict_word(check.verdict);
    for (const std::string& clause : check.clauses) text += " " + clause;
    if (!check.expected.empty()) text += " | " + check.expected + " | " + check.actual;
  }
  return text;
}

/// What the real server answered, judged again by today's profile, scenario and judge, comes to
/// what it came to then. `setup` is what the profile's setup had captured.
void expect_recorded_findings(const std::string& name, const Object& setup) {
  const core::RunRecord record = recording(name);
  const core::Profile spoken = profile(name);
  ASSERT_GE(record.cases.size(), 8U);
  std::map<core::Verdict, int> seen;
  for (const core::CaseResult& recorded : record.cases) {
    SCOPED_TRACE(recorded.id);
    const core::Scenario scenario = recorded_scenario(recorded.id);
    target::ReplayTarget target(recorded.exchanges);
    target::ManualClock clock;
    testing::SteppingWaiter waiter(clock);
    const std::string prefix = prefix_of_run(run_id_of_seed(record.header.seed));
    const RunContext context{target,
                             spoken,
                             clock,
                             waiter,
                             record.header.seed,
                             prefix,
                             "",
                             {{"mark", prefix}, {"setup", setup}}};
    for (const core::Case& one : recorded_rows(scenario, recorded.id)) {
      boost::asio::io_context io;
      core::CaseResult result;
      boost::asio::co_spawn(io, run_case(context, one),
                            [&](const std::exception_ptr& fault, core::CaseResult made) {
                              EXPECT_FALSE(fault);
                              result = std::move(made);
                            });
      io.run();
      EXPECT_EQ(findings(result), findings(recorded));
      ++seen[result.verdict];
    }
  }
  EXPECT_GT(seen[core::Verdict::pass], 0);
  EXPECT_GT(seen[core::Verdict::fail], 0);
}

TEST(Recordings, OfNoetlAreJudgedAsTheServerWas) {
  expect_recorded_findings("noetl-py", {{"path", "assay/assay-1"}});
}

TEST(Recordings, OfNoetlInRustAreJudgedAsTheServerWas) {
  expect_recorded_findings("noetl-rs", {{"path", "assay/assay-1"}});
}

TEST(Recordings, OfPrefectAreJudgedAsTheServerWas) {
  const core::RunRecord record = recording("prefect");
  ASSERT_FALSE(record.cases.empty());
  const auto created = wire::parse_json(*record.cases.front().exchanges.front().request.body);
  expect_recorded_findings("prefect", {{"flow_id", *std::get<Value>(created).find("flow_id")}});
}

}  // namespace
}  // namespace assay::run
