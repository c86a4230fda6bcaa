#include "cli/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/testing/scratch_folder.h"
#include "cli/specification.h"
#include "harness/run/plan.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

struct SensitivityTest : ::testing::Test {
  SensitivityTest() {
    terminal.environment = [this](std::string_view name) -> std::optional<std::string> {
      if (name == "XDG_CACHE_HOME") return scratch.path("cache");
      return std::nullopt;
    };
  }

  /// The cases that these globs choose, as if all of them had passed under that clause alone.
  std::vector<core::Sensitivity> measured(const std::string& clause,
                                          const std::vector<std::string>& globs,
                                          const core::Profile& profile,
                                          const SensitivityCache& cache) {
    const run::Plan plan =
        run::make_plan(suite.scenarios, {.globs = globs, .clauses = {clause}}, clause_table());
    core::RunRecord record;
    for (const core::Case& one : plan.cases) {
      core::CaseResult& result = record.cases.emplace_back();
      result.id = one.id;
      result.clauses = {clause};
      result.verdict = core::Verdict::pass;
      core::Check& check = result.checks.emplace_back();
      check.clauses = {clause};
      check.verdict = core::Verdict::pass;
    }
    record.footer.emplace().cases = record.cases.size();
    EXPECT_THAT(record.cases, Not(IsEmpty()));
    return measure_sensitivity(record, plan.cases, profile, cache, {}, terminal)
        .value_or(std::vector<core::Sensitivity>());
  }

  core::Sensitivity of_one(const std::string& clause, const std::vector<std::string>& globs,
                           const std::string& profile) {
    const LoadedProfile target = load_profile(profile, terminal);
    const SensitivityCache unused(terminal, false, suite.digest, target.digest);
    const auto all = measured(clause, globs, target.profile, unused);
    return all.size() == 1 ? all.front() : core::Sensitivity();
  }

  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err, false, false, {}};
  base::testing::ScratchFolder scratch;
  Suite suite = load_suite("");
};

TEST_F(SensitivityTest, OnTheReferenceCommandsAreShown) {
  const core::Sensitivity shown = of_one("STM-CMD-T2", {}, "reference");
  EXPECT_EQ(shown.caught.size(), shown.known);
  EXPECT_GE(shown.known, 2U);
}

/// What was left of these cases on NoETL's server was that a post was accepted.
TEST_F(SensitivityTest, WhereCommandsAreNotShownAPassOfThemShowsNothing) {
  for (const char* clause : {"STM-CMD-T2", "STM-CMD-T4", "STM-CMD-T6"}) {
    const core::Sensitivity hidden = of_one(clause, {}, "noetl-py");
    EXPECT_THAT(hidden.caught, IsEmpty()) << clause;
    EXPECT_THAT(hidden.hidden_by, Contains("`commands` is unobserved in executions.detail"));
  }
}

/// Of the way to RUNNING Conductor has no state and no history: that it is RUNNING is all that a
/// case sees of it.
TEST_F(SensitivityTest, WhereTheStatesHaveNoWordsTheWayThroughThemIsNotShown) {
  LoadedProfile target = load_profile("reference", terminal);
  target.profile.missing_states = {
      "NEW",       "VALID",   "READY", "RESOURCE_DISCOVERY", "RESOURCES_DISCOVERED",
      "SCHEDULED", "LOCKING", "LOCKED"};
  target.profile.operations.at("workflow.get").unobserved = {"entities", "history"};
  const SensitivityCache unused(terminal, false, suite.digest, target.digest);
  for (const char* clause : {"WFX-NEW-VALID", "WFX-READY-DISC", "WFX-LOCK-OK"}) {
    const auto hidden =
        measured(clause, {"lifecycle/same-states-without-entities"}, target.profile, unused);
    ASSERT_EQ(hidden.size(), 1U) << clause;
    EXPECT_THAT(hidden.front().caught, IsEmpty()) << clause;
  }
}

/// RUN-INVALID-CODE is about a member that Prefect does not have.
TEST_F(SensitivityTest, WhereNoErrorCodeIsShownNothingIsShownOfIt) {
  const core::Sensitivity hidden = of_one("RUN-INVALID-CODE", {}, "prefect");
  EXPECT_THAT(hidden.caught, IsEmpty());
  EXPECT_THAT(hidden.hidden_by, Contains("`error_code` is unobserved in runs.get"));
}

/// The row that enters timeout says nothing of the transition to denied.
TEST_F(SensitivityTest, ARowOfAMatrixSpeaksOnlyForItself) {
  const std::vector<std::string> row = {"runs/complete-diagnostics[timeout-critical]"};
  EXPECT_THAT(of_one("RUN-T6", row, "reference").caught, IsEmpty());
  EXPECT_THAT(of_one("RUN-DIAG", row, "reference").caught, Not(IsEmpty()));
}

TEST_F(SensitivityTest, WhatWasTriedIsKeptAndABrokenFileIsMadeAgain) {
  const LoadedProfile target = load_profile("reference", terminal);
  const SensitivityCache cache(terminal, true, suite.digest, target.digest);
  ASSERT_TRUE(cache.file().starts_with(scratch.path("cache")));
  const auto first = measured("STM-EXEC-T3", {}, target.profile, cache);
  ASSERT_TRUE(fs::exists(cache.file()));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_THAT(first.front().caught, Not(IsEmpty()));
  const auto written = fs::last_write_time(cache.file());
  EXPECT_EQ(measured("STM-EXEC-T3", {}, target.profile, cache).front().caught,
            first.front().caught);
  EXPECT_EQ(fs::last_write_time(cache.file()), written) << "nothing was left to try";
  std::ofstream(cache.file(), std::ios::trunc)
      << R"({"cases": ["x"], "faults": {"y": {"caught": [7)";
  EXPECT_EQ(measured("STM-EXEC-T3", {}, target.profile, cache).front().caught,
            first.front().caught);
  EXPECT_FALSE(cache.load().faults.empty());
}

TEST_F(SensitivityTest, AnotherSuiteOrProfileHasAnotherFile) {
  const SensitivityCache one(terminal, true, "suite", "profile");
  EXPECT_NE(one.file(), SensitivityCache(terminal, true, "suite2", "profile").file());
  EXPECT_NE(one.file(), SensitivityCache(terminal, true, "suite", "profile2").file());
  EXPECT_TRUE(SensitivityCache(terminal, false, "suite", "profile").file().empty());
}

}  // namespace
}  // namespace assay::cli
