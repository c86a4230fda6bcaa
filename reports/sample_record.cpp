#include "reports/sample_record.h"

#include <string>
#include <utility>

namespace assay::reports {
namespace {

using core::Verdict;

core::Exchange exchange(std::string operation, std::string method, std::string target,
                        std::optional<std::string> body, int status, std::string answer) {
  core::Exchange made;
  made.operation = std::move(operation);
  made.request = {std::move(method), std::move(target), {}, std::move(body)};
  if (made.request.body) made.request.headers.push_back({"Content-Type", "application/json"});
  made.request.headers.push_back({"Authorization", std::string("Bearer ") + sample_secret, true});
  made.response = core::HttpResponse{status, {{"Content-Type", "application/json"}}, {}};
  made.response->body = std::move(answer);
  return made;
}

core::CaseResult one_case(std::string id, std::string title, std::vector<std::string> clauses,
                          Verdict verdict) {
  core::CaseResult result;
  result.repro = "assay run --profile reference --case '" + id + "' --seed 42";
  result.id = std::move(id);
  result.title = std::move(title);
  result.seed = "000";
  result.clauses = std::move(clauses);
  result.verdict = verdict;
  result.duration_ms = 12.5;
  result.checks.emplace_back();
  result.checks.back().clauses = result.clauses;
  result.checks.back().verdict = verdict;
  result.checks.back().at = "scenarios/status/sample.yaml:9:5";
  return result;
}

core::CaseResult broken_case() {
  core::CaseResult result =
      one_case("status/batch-completed-zero-pending",
               "A batch that completes with nothing pending leaves the execution running",
               {"STM-INF-BATCH"}, Verdict::fail);
  core::Check& check = result.checks.front();
  check.expected = R"({"ended_at": null, "state": "RUNNING"})";
  check.actual = R"({"ended_at": "2026-01-01T00:00:04Z", "state": "COMPLETED"})";
  check.looked_ms = 100;
  check.looks = 5;
  check.evidence = {2};
  result.exchanges = {
      exchange("executions.start", "POST", "/executions", R"({"execution_id":"it's 1"})", 201,
               R"({"execution_id":"it's 1","state":"PENDING"})"),
      exchange("events.post", "POST", "/executions/it%27s%201/events",
               R"({"event_id":"e1","event_type":"batch.completed"})", 201, R"({"seq":1})"),
      exchange("executions.status", "GET", "/executions/it%27s%201/status", std::nullopt, 200,
               R"({"state":"COMPLETED","ended_at":"2026-01-01T00:00:04Z"})")};
  return result;
}

core::CaseResult hostile_case() {
  core::CaseResult result = one_case("api/hostile-answer", "An answer of <b>markup</b> & worse",
                                     {"API-PROBLEM"}, Verdict::fail);
  core::Check& check = result.checks.front();
  check.expected = "a JSON body";
  check.actual =
      "<script>alert('x')</script> ]]> --> ``` | \x1b[31mred\x1b[0m \xE2\x80\xAE gnp.exe "
      "\xFF\xFE \x01";
  check.evidence = {0};
  result.exchanges = {
      exchange("server.health", "GET", "/healthz", std::nullopt, 500, check.actual)};
  result.exchanges.front().response->body +=
      std::string("\nyou sent ") + sample_secret + std::string("\0", 1) + std::string(9'000, 'x');
  return result;
}

core::CaseResult unanswered_case() {
  core::CaseResult result = one_case("status/no-answer", "A target that does not answer",
                                     {"STM-STATE-1"}, Verdict::error);
  result.checks.front().reason = "timeout: no complete response within the request limit";
  result.checks.front().evidence = {0};
  result.exchanges = {
      exchange("executions.status", "GET", "/executions/1/status", std::nullopt, 0, "")};
  result.exchanges.front().response.reset();
  result.exchanges.front().error =
      core::TransportError{core::TransportFault::request_timeout, "5000 ms", true};
  return result;
}

}  // namespace

core::ClauseTable sample_clauses() {
  return core::ClauseTable(
      "STM-CORE-1\tMUST\t000 Core Rule\tOverall execution status comes only from the lifecycle.\n"
      "STM-INF-BATCH\tMUST\t000 Ownership\tNo fallback infers a terminal status from "
      "batch.completed, not even with pending_count 0.\n"
      "STM-STATE-1\tMUST\t000 Authoritative Model\tThe status API exposes exactly one state.\n"
      "STM-API-VIEW\tSHOULD\t000 Validation\tVariables are served by a view of their own.\n"
      "EVT-ALIAS-1\tMAY\t001 1.2\tevent_alias is the PascalCase form of event_type.\n"
      "WFX-INIT\tMUST\t002 State Machine\tAn execution begins as NEW.\n"
      "WFX-TERMINAL\tMUST\t002 State Machine\tThree states end an execution.\n"
      "API-PROBLEM\tMUST\tCONTRACT general\tErrors are problem details.\n");
}

core::RunRecord sample_record() {
  core::RunRecord record;
  record.header = {.assay_version = "0.1.0",
                   .suite_digest = "sha256:0123456789abcdef",
                   .profile = "reference",
                   .profile_digest = "sha256:fedcba9876543210",
                   .target = "http://127.0.0.1:8080",
                   .target_source = "",
                   .target_identity = "sample server 1.0",
                   .seed = 42,
                   .run_id = "2a-5f3a91c2",
                   .label = "ci <job> 7",
                   .started_at = "2026-01-02T03:04:05Z",
                   .selection = {"status/*", "api/*"},
                   .scenarios = "",
                   .interpretations = {{"closed_gate", "hold"}},
                   .baseline = "baseline.yaml",
                   .baseline_digest = "sha256:00112233"};
  record.cases = {one_case("status/lifecycle-completes", "playbook.completed completes",
                           {"STM-CORE-1", "STM-STATE-1"}, Verdict::pass),
                  broken_case(), hostile_case(), unanswered_case()};
  record.cases.push_back(one_case("status/set-up-refused", "The set-up was refused",
                                  {"STM-API-VIEW"}, Verdict::inconclusive));
  record.cases.back().checks.front().reason = "executions.start was refused with 422";
  record.cases.push_back(one_case("workflow/starts-as-new", "A workflow begins as NEW",
                                  {"WFX-INIT"}, Verdict::not_applicable));
  record.cases.back().checks.clear();
  record.cases.back().reason = "needs workflow.start";
  record.cases.push_back(
      one_case("events/alias", "The alias is PascalCase", {"EVT-ALIAS-1"}, Verdict::fail));
  record.cases.back().expected_fail = true;
  record.cases.back().baseline_reasons = {"Aliases are <i>snake_case</i> (https://example.org/1)"};
  record.cases.back().checks.front().expected = "StepDone";
  record.cases.back().checks.front().actual = "step_done";
  record.cases.push_back(
      one_case("status/was-broken", "A failure that is gone", {"STM-CORE-1"}, Verdict::pass));
  record.cases.back().unexpected_pass = true;
  record.footer = core::RecordFooter{
      .cases = record.cases.size(),
      .duration_ms = 1'834,
      .coverage = {{.layer = "execution",
                    .states = {"PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"},
                    .states_seen = {"PENDING", "RUNNING", "COMPLETED"},
                    .transitions = {"PENDING -> RUNNING: playbook.initialized",
                                    "RUNNING -> COMPLETED: playbook.completed",
                                    "RUNNING -> FAILED: playbook.failed",
                                    "RUNNING -> CANCELLED: execution.cancelled"},
                    .transitions_seen = {"PENDING -> RUNNING: playbook.initialized",
                                         "RUNNING -> COMPLETED: playbook.completed"}}},
      .baseline_findings =
          {"baseline.yaml:6:5: status/was-broken (STM-CORE-1) does not fail under this clause any "
           "more",
           "baseline.yaml:9:5: <b>no</b>/such (STM-CORE-1) matches no case"},
      .sensitivity = {{{.clause = "STM-CORE-1",
                        .known = 4,
                        .caught = {"batch-completes", "late-work-reopens", "step-exit-completes"},
                        .hidden_by = {}},
                       {.clause = "STM-STATE-1",
                        .known = 2,
                        .caught = {},
                        .hidden_by = {"`state` is unobserved in executions.list",
                                      "the target has no word for `<PENDING>`"}}}}};
  return record;
}

}  // namespace assay::reports
