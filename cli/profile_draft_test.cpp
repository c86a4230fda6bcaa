#include "cli/profile_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "cli/testing/fuzz.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/schemas.h"
#include "reference_impl/model/testing/mutator.h"

namespace assay::cli::profile_draft_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

wire::ApiDocument document_of(const std::string& file) {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  auto read = wire::read_openapi(text.str(), file);
  if (!read) {
    ADD_FAILURE() << core::diagnostic_text(read.error());
    return {};
  }
  return std::move(read).value();
}

/// The profile of a text that lint has nothing against.
core::Profile linted(std::string_view text) {
  auto result = wire::read_profile(text, "draft.yaml", nullptr);
  if (!result) {
    for (const core::Diagnostic& problem : result.error()) {
      ADD_FAILURE() << core::diagnostic_text(problem);
    }
    ADD_FAILURE() << text;
    return {};
  }
  return std::move(result).value();
}

const core::PointerMapping& member_of(const core::OperationTemplate& form, const char* name) {
  return std::get<core::PointerMapping>(form.read->members().at(name).from);
}

core::Profile drafted(const std::string& file, Surface surface) {
  return linted(draft_profile(document_of(file), surface, file));
}

std::vector<std::string> names(const core::Profile& profile) {
  std::vector<std::string> all;
  for (const auto& [name, form] : profile.operations) all.push_back(name);
  return all;
}

std::string request_of(const core::Profile& profile, std::string_view operation) {
  const auto found = profile.operations.find(operation);
  return found == profile.operations.end() ? "none"
                                           : found->second.method + " " + found->second.path;
}

const std::string reference = "reference_impl/service/openapi.json";
const std::string airflow = "cli/testing/openapi/airflow.json";
const std::string prefect = "cli/testing/openapi/prefect.json";
const std::string conductor = "cli/testing/openapi/conductor.json";

TEST(DraftProfile, RecognisesTheReferencesOwnDocument) {
  const core::Profile runs = drafted(reference, Surface::runs);
  EXPECT_THAT(names(runs),
              ElementsAre("runs.audit", "runs.create", "runs.get", "runs.list", "runs.next_action",
                          "runs.retry", "runs.transition", "server.health"));
  EXPECT_EQ(request_of(runs, "runs.transition"), "POST /runs/${run_id}/transitions");
  EXPECT_TRUE(runs.missing_states.empty());
  EXPECT_EQ(runs.state_names.at("success"), "success");
  const core::Profile executions = drafted(reference, Surface::executions);
  EXPECT_EQ(request_of(executions, "executions.start"), "POST /executions");
  EXPECT_EQ(request_of(executions, "executions.status"), "GET /executions/${execution_id}/status");
  EXPECT_EQ(request_of(executions, "events.post_batch"),
            "POST /executions/${execution_id}/events/batch");
  const core::Profile workflows = drafted(reference, Surface::workflows);
  EXPECT_EQ(request_of(workflows, "workflow.get"), "GET /workflow-execution/id/${uuid}");
  EXPECT_EQ(request_of(workflows, "workflow.abort"), "DELETE /workflow-execution/${uuid}");
  EXPECT_EQ(request_of(workflows, "jobs.push"), "POST /blackboard/jobs/${job_id}/result");
}

TEST(DraftProfile, MapsAirflowsDagRuns) {
  EXPECT_EQ(likely_surface(document_of(airflow)), Surface::runs);
  const core::Profile profile = drafted(airflow, Surface::runs);
  EXPECT_THAT(names(profile), ElementsAre("runs.create", "runs.get", "runs.list", "runs.transition",
                                          "server.health"));
  EXPECT_EQ(request_of(profile, "runs.transition"),
            "PATCH /api/v2/dags/EDIT_ME_dagid/dagRuns/${run_id}");
  EXPECT_THAT(profile.missing_states, ElementsAre("canceled", "denied", "timeout", "waiting"));
  EXPECT_EQ(profile.state_names.at("queued"), "created");
  const core::OperationTemplate& create = profile.operations.at("runs.create");
  EXPECT_EQ(member_of(create, "run_id").pointer, "/dag_run_id");
  EXPECT_EQ(*create.body, Value(Object{{"dag_run_id", "${run_id?}"}, {"logical_date", "EDIT_ME"}}));
  EXPECT_THAT(create.refused, ElementsAre(400, 409, 422));
  const core::OperationTemplate& get = profile.operations.at("runs.get");
  EXPECT_EQ(member_of(get, "ended_at").pointer, "/end_date");
  EXPECT_EQ(member_of(get, "status").conversion.spelling.at("success"), "success");
  EXPECT_TRUE(get.unobserved.contains("error_code"));
  const core::OperationTemplate& list = profile.operations.at("runs.list");
  EXPECT_EQ(list.paging.style, core::Paging::Style::offset);
  EXPECT_EQ(list.paging.items, "/dag_runs");
}

TEST(DraftProfile, ReadsAStateThatIsAnObjectOfPrefect) {
  const std::string text = draft_profile(document_of(prefect), Surface::runs, prefect);
  const core::Profile profile = linted(text);
  EXPECT_THAT(names(profile), ElementsAre("runs.create", "runs.get", "runs.list", "runs.transition",
                                          "server.health"));
  EXPECT_EQ(profile.state_names.at("SCHEDULED"), "created");
  const core::OperationTemplate& move = profile.operations.at("runs.transition");
  EXPECT_EQ(*move.body, Value(Object{{"state", Object{{"type", "${to|target_state}"},
                                                      {"message", "${diagnostic.message?}"}}}}));
  EXPECT_EQ(member_of(move, "run_id").pointer, "/state/state_details/flow_run_id");
  EXPECT_EQ(member_of(move, "status").pointer, "/state/type");
  ASSERT_EQ(move.outcomes.size(), 2U);
  EXPECT_EQ(move.outcomes[0].means, core::Acceptance::refused);
  EXPECT_THAT(text, HasSubstr("outcomes: [{at: \"/status\", is: \"REJECT\", means: refused}, "
                              "{at: \"/status\", is: \"ABORT\", means: refused}]"));
  const core::OperationTemplate& list = profile.operations.at("runs.list");
  EXPECT_EQ(request_of(profile, "runs.list"), "POST /flow_runs/filter");
  EXPECT_EQ(*list.body, Value(Object{{"limit", 100}, {"offset", "${after?}"}}));
  EXPECT_EQ(list.paging.style, core::Paging::Style::offset);
  EXPECT_EQ(list.paging.items, "");
}

TEST(DraftProfile, SaysWhatHasToBeMadeBeforeARunAndThatThePathsMayBeBelowAnother) {
  const std::string text = draft_profile(document_of(prefect), Surface::runs, prefect);
  EXPECT_THAT(text, HasSubstr("# runs.create needs a flow_id. To make one before the first case, "
                              "and write \"${setup.flow_id}\" there:\n"
                              "# setup:\n"
                              "#   - request: POST /flows/\n"
                              "#     body: {\"name\": EDIT_ME}\n"
                              "#     capture: {flow_id: /id}\n"));
  EXPECT_THAT(text, HasSubstr("# Where every request is answered 404, the paths stand below one "
                              "such as /api: add it.\n"));
}

TEST(DraftProfile, SaysWhatOfConductorIsOfNoUse) {
  const std::string text = draft_profile(document_of(conductor), Surface::executions, conductor);
  const core::Profile profile = linted(text);
  EXPECT_EQ(profile.base_url, "http://localhost:8080");
  EXPECT_EQ(request_of(profile, "executions.status"), "GET /api/workflow/${execution_id}");
  EXPECT_EQ(request_of(profile, "executions.pause"), "PUT /api/workflow/${execution_id}/pause");
  EXPECT_EQ(request_of(profile, "executions.start"), "none");
  EXPECT_THAT(text, HasSubstr("# POST /api/workflow: looks like executions.start, and its answer "
                              "does not show execution_id"));
  EXPECT_THAT(text, HasSubstr("# Words of theirs that are none of ours: TIMED_OUT, PAUSED"));
  EXPECT_THAT(text, HasSubstr("#   POST /api/workflow/{workflowId}/retry"));
}

TEST(DraftProfile, EachSkeletonIsAProfile) {
  for (const Surface surface : {Surface::executions, Surface::workflows, Surface::runs}) {
    EXPECT_GE(linted(skeleton(surface)).operations.size(), 6U);
  }
}

TEST(ReadOpenapi, RefusesWhatIsNoneAndEndsWhereASchemaDoesNot) {
  const auto problem = [](std::string_view text) {
    const auto read = wire::read_openapi(text, "x.json");
    return read ? "none" : core::diagnostic_text(read.error());
  };
  EXPECT_THAT(problem("{}"), HasSubstr("x.json:1:1: is not an OpenAPI document"));
  EXPECT_THAT(problem("a: [\n"), HasSubstr("x.json:"));
  const std::string endless =
      R"({"openapi":"3","paths":{"/runs":{"get":{"responses":{"200":{"content":)"
      R"({"application/json":{"schema":{"$ref":"#/s"}}}}}}}},)"
      R"("s":{"properties":{"a":{"$ref":"#/s"},"b":{"$ref":"#/s"},"c":{"$ref":"#/c"}}},)"
      R"("c":{"$ref":"#/c"}})";
  const auto read = wire::read_openapi(endless, "x.json");
  ASSERT_TRUE(read);
  EXPECT_LT(read.value().calls.at(0).answer.size(), 1'000U);
  // A name may hold what ends a comment or a quoted text.
  const auto odd = wire::read_openapi(
      R"({"openapi":"3","info":{"title":"a\n\"b: }"},"paths":{"/runs/{run\n: x}":{"get":)"
      R"({"responses":{"200":{"content":{"application/json":{"schema":{"properties":)"
      R"({"run_id\"":{},"st'atus":{"enum":["RUNN\ning","run: ning"]}}}}}}}}}}})",
      "x.json");
  const std::string text = draft_profile(odd.value(), Surface::runs, "a\nb");
  if (!text.empty()) (void)linted(text);
}

TEST(DraftProfile, TakesNoPlaceholderFromADocument) {
  const auto read = wire::read_openapi(
      R"({"openapi":"3","servers":[{"url":"http://h/${env:HOME}"}],"paths":{"/runs":{"post":)"
      R"({"requestBody":{"content":{"application/json":{"schema":{"required":["a","b"],"properties":)"
      R"({"a":{"example":"${env:HOME}"},"b":{"enum":["${env:HOME}"]}}}}}},"responses":{"201":)"
      R"({"content":{"application/json":{"schema":{"properties":{"run_id":{},"status":{}}}}}}}}},)"
      R"("/runs/${env:HOME}/{run_id}":{"get":{"responses":{"200":{"content":{"application/json":)"
      R"({"schema":{"properties":{"run_id":{},"status":{}}}}}}}}},"runs/{run_id}":{"get":{}}}})",
      "x.json");
  const std::string text = draft_profile(read.value(), Surface::runs, "x.json");
  EXPECT_THAT(text, HasSubstr("runs.create"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("${env")));
  EXPECT_EQ(linted(text).base_url, "http://127.0.0.1:8080");
}

TEST(Fuzz, OpenapiDocumentsAreTakenOrRefused) {
  fuzzing::over_mutations(fuzzing::kept_corpus("openapi"), 200, fuzz_openapi);
}

}  // namespace
}  // namespace assay::cli::profile_draft_test
