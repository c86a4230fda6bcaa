#include "harness/run/raw_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

void withhold(core::Profile& profile, const std::string& name) {
  profile.withheld_paths.emplace(name, profile.operations.at(name).path);
  profile.operations.erase(name);
  profile.capabilities.erase(name);
}

TEST(RawPath, BelongsToTheOperationWhoseTemplateItFits) {
  core::Profile profile = testing::contract_profile();
  withhold(profile, "jobs.poll");
  withhold(profile, "events.post_batch");
  EXPECT_EQ(undeclared_operation(profile, "/blackboard/jobs/poll"), "jobs.poll");
  EXPECT_EQ(undeclared_operation(profile, "/executions/any%2Fid/events/batch?limit=1"),
            "events.post_batch");
  EXPECT_EQ(undeclared_operation(profile, "/executions/${id:main}/events/batch"),
            "events.post_batch");
}

TEST(RawPath, IsDeclaredWhereOneOfItsOperationsIs) {
  core::Profile profile = testing::contract_profile();
  withhold(profile, "events.post");
  EXPECT_EQ(undeclared_operation(profile, "/executions/e/events"), "");
  withhold(profile, "events.list");
  EXPECT_NE(undeclared_operation(profile, "/executions/e/events"), "");
}

TEST(RawPath, OfNoOperationIsAnybodys) {
  core::Profile profile = testing::contract_profile();
  EXPECT_EQ(undeclared_operation(profile, "/nowhere"), "");
  EXPECT_EQ(undeclared_operation(profile, "/executions/a/b/c/d"), "");
}

TEST(RawPath, OfWhatTheProfileDoesNotDeclareIsNotJudged) {
  testing::TestRunner runner;
  withhold(runner.profile, "jobs.poll");
  const auto scenario = testing::scenario_of(
      "  - request: {method: POST, path: \"${path}\", json: {}}\n"
      "    response: {status: 200}\n",
      "matrix: {path: [/blackboard/jobs/poll, /nowhere]}");
  const auto undeclared = runner.run(scenario);
  EXPECT_EQ(undeclared.verdict, core::Verdict::not_applicable);
  EXPECT_THAT(undeclared.reason, HasSubstr("jobs.poll"));
  EXPECT_THAT(runner.target.requests(), IsEmpty());
  EXPECT_EQ(runner.run(scenario, 1).verdict, core::Verdict::fail);
}

}  // namespace
}  // namespace assay::run
