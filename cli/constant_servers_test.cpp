// Servers that give every request the same answer. Whatever a case makes of one of them, it is not
// what the specifications ask: no case passes, and so no clause holds and no selection conforms.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/generated.h"
#include "cli/suite.h"
#include "harness/check/judge.h"
#include "harness/core/clause_table.h"
#include "harness/run/scheduler.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/target.h"

namespace assay::cli {
namespace {

struct ConstantServer {
  std::string name;
  int status = 200;
  /// Nothing: what the request brought.
  std::optional<std::string> body;
};

std::ostream& operator<<(std::ostream& out, const ConstantServer& one) { return out << one.name; }

class ConstantTarget final : public target::Target {
 public:
  explicit ConstantTarget(ConstantServer server) : server_(std::move(server)) {}

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override {
    core::HttpResponse response;
    response.status = server_.status;
    response.headers = {{"Content-Type", "application/json"}};
    response.body = server_.body ? *server_.body : request.body.value_or("{}");
    co_return core::HttpResult(std::move(response));
  }
  [[nodiscard]] bool is_immediate() const override { return true; }
  [[nodiscard]] std::string location() const override { return "constant"; }

 private:
  ConstantServer server_;
};

/// Every member that an answer of CONTRACT.md has, with one word for each state and empty lists.
std::string whole_body(const std::string& word) {
  const std::string empty_lists =
      R"("steps":[],"commands":[],"tools":[],"anomalies":[],"executions":[],"events":[],"runs":[],)"
      R"("jobs":[],"tokens":[],"in_flight":[],"fan_in":[],"entities":[],"history":[],"results":[],)";
  return R"({"execution_id":"x","uuid":"x","run_id":"x","event_id":"x","job_id":"x","state":")" +
         word + R"(","status":")" + word + R"(","workflow_state":")" + word + R"(",)" +
         empty_lists +
         R"("next":null,"workload":{},"ctx":{},"seq":1,"duplicate":false,"outcome":null,)"
         R"("reason":null,"current_step":null,"started_at":null,"ended_at":null,)"
         R"("terminal_event":null,"completion_inferred":false,"vocabulary":"v10",)"
         R"("error_code":null,"retryable":null,"diagnostic":null,"parent_run_id":null,)"
         R"("root_run_id":"x","created_at":"2026-01-01T00:00:00Z","action":"wait","because":{},)"
         R"("already_terminal":false,"isPureExecution":true,"type":"EXECUTE","label":"a",)"
         R"("functionBlock":"f","now":"2026-01-01T00:00:00Z","name":"x","version":"1"})";
}

std::vector<ConstantServer> constant_servers() {
  std::vector<ConstantServer> servers = {
      {"empty_object", 200, "{}"},
      {"null", 200, "null"},
      {"empty_list", 200, "[]"},
      {"ok", 200, "\"ok\""},
      {"zero", 200, "0"},
      {"true", 200, "true"},
      {"no_body", 204, ""},
      {"echo", 200, std::nullopt},
      {"echo_created", 201, std::nullopt},
      {"created", 201, "{}"},
      {"created_whole", 201, whole_body("PENDING")},
      {"accepted", 202, "{}"},
      {"problem", 422, R"({"type":"x","title":"x","status":422,"detail":"x","code":"INVALID"})"},
  };
  for (const int status : {400, 401, 403, 404, 405, 409, 413, 415, 422, 500}) {
    servers.push_back({"status_" + std::to_string(status), status, "{}"});
  }
  for (const char* word : {"PENDING",
                           "RUNNING",
                           "COMPLETED",
                           "FAILED",
                           "CANCELLED",
                           "NEW",
                           "VALID",
                           "BLOCKED_WAITING",
                           "READY",
                           "RESOURCE_DISCOVERY",
                           "RESOURCES_DISCOVERED",
                           "SCHEDULED",
                           "LOCKING",
                           "LOCKED",
                           "ERROR",
                           "ROLLBACK",
                           "FAILED_SAFE",
                           "FAILED_UNSAFE",
                           "COMPLETED_ACK",
                           "FAILED_SAFE_ACK",
                           "FAILED_UNSAFE_ACK",
                           "created",
                           "running",
                           "waiting",
                           "success",
                           "failed",
                           "denied",
                           "timeout",
                           "canceled"}) {
    servers.push_back({std::string("always_") + word, 200, whole_body(word)});
  }
  return servers;
}

/// All of them, or a few where a sanitizer watches how answers are judged: how many kinds of them
/// there are makes no difference to it.
std::vector<ConstantServer> judged_servers() {
  std::vector<ConstantServer> servers = constant_servers();
#ifdef ASSAY_SANITIZED
  constexpr std::size_t kept = 3;
  servers.resize(std::min(kept, servers.size()));
#endif
  return servers;
}

const Suite& suite() {
  static const Suite whole = whole_suite("", reference_profile(), {});
  return whole;
}

core::RunRecord judge(const ConstantServer& server) {
  std::vector<core::Case> cases;
  for (const core::Scenario& scenario : suite().scenarios) {
    for (core::Case& each : core::cases_of(scenario)) cases.push_back(std::move(each));
  }
  boost::asio::io_context io(1);
  ConstantTarget target(server);
  target::SystemClock clock;
  run::TimerWaiter waiter;
  const run::RunContext context{.target = target,
                                .profile = reference_profile(),
                                .clock = clock,
                                .waiter = waiter,
                                .seed = 1,
                                .prefix = "assay-1"};
  run::RunOptions options;
  // Each would be turned away before its first case: here its cases are judged all the same.
  options.asks_first = false;
  options.asks_for_control = true;
  options.counts_coverage = false;
  return run::run_cases(io, context, cases, options).record;
}

/// What a server may pass that says 201 and echoes: that what no server may decline is accepted is
/// all that these families ask, and each echo differs from the last.
bool is_all_that_can_be_asked(const ConstantServer& server, const std::string& case_id) {
  return server.name == "echo_created" && case_id.starts_with("properties/allowed-requests-");
}

class ConstantServers : public ::testing::TestWithParam<ConstantServer> {};

TEST_P(ConstantServers, PassNoCaseAndHoldNoClause) {
  const core::RunRecord record = judge(GetParam());
  EXPECT_GT(record.cases.size(), 1'000U);
  for (const core::CaseResult& result : record.cases) {
    if (!is_all_that_can_be_asked(GetParam(), result.id)) {
      EXPECT_NE(result.verdict, core::Verdict::pass) << result.id;
    }
    // What a target answers is never the harness's own fault.
    EXPECT_NE(result.verdict, core::Verdict::error)
        << result.id << ": " << (result.checks.empty() ? "" : result.checks.back().reason);
  }
  for (const check::ClauseVerdict& clause : check::clause_verdicts(record)) {
    EXPECT_NE(clause.verdict, core::Verdict::pass) << clause.clause;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ConstantServers, ::testing::ValuesIn(judged_servers()),
                         [](const auto& one) { return one.param.name; });

TEST(ConstantServerList, HasFiftyTwo) { EXPECT_EQ(constant_servers().size(), 52U); }

}  // namespace
}  // namespace assay::cli
