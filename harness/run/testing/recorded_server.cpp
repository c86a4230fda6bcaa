#include "harness/run/testing/recorded_server.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

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

namespace assay::run::testing {
namespace {

namespace fs = std::filesystem;
const fs::path source = ASSAY_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What was read; where it has faults the test fails.
template <typename T>
T sound(const Result<T, std::vector<core::Diagnostic>>& read) {
  if (read) return *read;
  ADD_FAILURE() << core::diagnostic_text(read.error().front());
  return {};
}

/// What the setup had captured; of a server that was recorded before records had that, as its own
/// requests show.
Object setup_of(const std::string& name, const core::RunRecord& record) {
  const auto recorded = record.header.setup.find(record.header.run_id);
  if (recorded != record.header.setup.end()) return recorded->second.as_object();
  if (!record.header.run_id.empty()) return {};
  if (name != "prefect") return {{"path", "assay/assay-1"}};
  const auto created = wire::parse_json(*record.cases.front().exchanges.front().request.body);
  return {{"flow_id", *created.value().find("flow_id")}};
}

}  // namespace

RecordedServer recorded_server(const std::string& name) {
  RecordedServer server;
  const std::string file = name + ".ndjson";
  server.record = sound(wire::read_record(content(source / "fixtures/recordings" / file), file));
  server.profile =
      sound(wire::read_profile(wire::embedded_profile(name).value_or(""), name + ".yaml", nullptr));
  server.setup = setup_of(name, server.record);
  return server;
}

core::Scenario recorded_scenario(const std::string& case_id) {
  static const core::ClauseTable clauses(content(source / "fixtures/spec/clauses.tsv"));
  const std::string file = "scenarios/" + std::string(core::scenario_of_id(case_id)) + ".yaml";
  return sound(wire::read_scenario(content(source / file), file, clauses));
}

core::Case recorded_row(const core::Scenario& scenario, const std::string& case_id) {
  std::vector<std::string> ids;
  const std::vector<core::Case> cases = core::cases_of(scenario);
  ids.reserve(cases.size());
  for (const core::Case& one : cases) ids.push_back(one.id);
  const std::string id = core::id_of_index(case_id, ids).value_or(case_id);
  for (const core::Case& one : cases) {
    if (one.id == id) return {case_id, one.scenario, one.variables};
  }
  ADD_FAILURE() << "no row " << case_id;
  return cases.front();
}

core::CaseResult judge_again(const RecordedServer& server, const core::Case& one,
                             const std::vector<core::Exchange>& exchanges) {
  target::ReplayTarget target(exchanges);
  target::ManualClock clock;
  SteppingWaiter waiter(clock);
  const std::uint64_t seed = server.record.header.seed;
  const std::string& run_id = server.record.header.run_id;
  const std::string prefix = prefix_of_run(run_id.empty() ? run_id_of_seed(seed) : run_id);
  const RunContext context{
      target, server.profile, clock, waiter,
      seed,   prefix,         "",    {{"mark", prefix}, {"setup", server.setup}}};
  boost::asio::io_context io;
  core::CaseResult result;
  boost::asio::co_spawn(io, run_case(context, one),
                        [&](const std::exception_ptr& fault, core::CaseResult made) {
                          EXPECT_FALSE(fault);
                          result = std::move(made);
                        });
  io.run();
  return result;
}

}  // namespace assay::run::testing
