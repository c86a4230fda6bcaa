#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/testing/program.h"

namespace assay::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* passing_case = "status/premature-batch-completed[{pending_count=0}]";

TEST(Run, AGlobThatMatchesNothingSuggestsTheNearest) {
  const ProgramResult result = run_program({"run", "status/premature-batch-complete[0]"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("did you mean status/premature-batch-completed"));
}

TEST(Run, AnUnknownClauseTagOrLevelIsAUsageError) {
  EXPECT_EQ(run_program({"run", "--clause", "STM-CORE-99"}).exit_code, 2);
  EXPECT_EQ(run_program({"run", "--list", "--clause", "stm-exec-r1"}).out,
            run_program({"run", "--list", "--clause", "STM-EXEC-R1"}).out);
  EXPECT_EQ(run_program({"run", "--tag", "no-such-tag"}).exit_code, 2);
  EXPECT_THAT(run_program({"run", "--level", "most"}).err, HasSubstr("did you mean \"MUST\"?"));
}

TEST(Run, QuickIsASelectionOfTheQuickCases) {
  const ProgramResult all = run_program({"run", "--list", "runs/*"});
  const ProgramResult quick = run_program({"run", "--quick", "--list", "runs/*"});
  EXPECT_EQ(quick.exit_code, 0) << quick.err;
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_GT(lines(quick.out), 20);
  EXPECT_LT(lines(quick.out), lines(all.out) / 2);
  const ProgramResult result = run_program({"run", "--quick", "--in-process", "runs/*"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("selected cases pass"));
  EXPECT_THAT(result.out, HasSubstr("--quick"));
}

TEST(Run, QuickIsOfTheBuiltInSuiteAlone) {
  const ScratchFolder scratch;
  EXPECT_EQ(run_program({"run", "--quick", "--scenarios", scratch.path("")}).exit_code, 2);
}

TEST(Run, ADeadPortIsNotReachable) {
  const ProgramResult result = run_program({"run", "--target", "http://127.0.0.1:1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("assay: http://127.0.0.1:1: the connection was refused"));
  EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
}

TEST(Run, WhereNoCaseAppliesNothingIsProven) {
  const ScratchFolder scratch;
  const std::string profile =
      scratch.write("profile.yaml",
                    "name: bare\nbase_url: http://127.0.0.1:1\ncapabilities: [server.health]\n"
                    "operations: {server.health: {request: GET /healthz}}\n");
  const ProgramResult result = run_program({"run", "--in-process", "--profile", profile, "runs/*"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.out, StartsWith("Nothing proven"));
}

TEST(Run, ABrokenProfileOrScenarioIsNamedWithItsPlace) {
  const ScratchFolder scratch;
  const std::string profile = scratch.write("p.yaml", "name: x\nbase_ur: http://x\n");
  const ProgramResult of_profile = run_program({"run", "--profile", profile});
  EXPECT_EQ(of_profile.exit_code, 2);
  EXPECT_THAT(of_profile.err, HasSubstr(profile + ":2:1: "));
  const std::string scenario = scratch.write("s.yaml", "id: a/b\nsteps: 3\n");
  const ProgramResult of_scenario = run_program({"run", "--scenarios", scenario});
  EXPECT_EQ(of_scenario.exit_code, 2);
  EXPECT_THAT(of_scenario.err, HasSubstr(scenario + ":2:8: "));
}

TEST(Run, AnUnknownProfileSuggestsTheNearest) {
  EXPECT_EQ(run_program({"run", "--profile", "refrence"}).err,
            "assay: unknown profile \"refrence\"; did you mean \"reference\"?\n");
}

TEST(Run, ListsTheChosenCasesAndRunsNone) {
  const ProgramResult result = run_program({"run", "--list", passing_case});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith(passing_case));
}

TEST(Run, ThatExercisesLessOfTheModelThanIsRequiredFailsAndSaysWhatIsMissing) {
  const ProgramResult enough =
      run_program({"run", "--in-process", passing_case, "--require-coverage", "1"});
  EXPECT_EQ(enough.exit_code, 0) << enough.err;
  EXPECT_THAT(enough.out, HasSubstr("\nmodel coverage: "));
  EXPECT_THAT(enough.out, Not(HasSubstr("never exercised")));
  const ProgramResult short_of_it =
      run_program({"run", "--in-process", passing_case, "--require-coverage", "99"});
  EXPECT_EQ(short_of_it.exit_code, 1) << short_of_it.err;
  EXPECT_THAT(short_of_it.out, StartsWith("Not exercised enough"));
  EXPECT_THAT(short_of_it.out, HasSubstr("    run: created -> running: RUN-T1\n"));
  EXPECT_EQ(run_program({"run", "--require-coverage", "101"}).exit_code, 2);
}

TEST(Run, JudgesTheEmbeddedReferenceOverHttpAndInProcess) {
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"run", passing_case}, {"run", "--in-process", passing_case}}) {
    const ProgramResult result = run_program(how);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, StartsWith("Selected case passes  1 of 1 selected case passes; "));
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
  }
}

TEST(Run, WritesARecordFromWhichEachReportCanBeMadeAgain) {
  const ScratchFolder scratch;
  // Many of its checks are of the same clauses and pass, the last one after a while.
  const char* const repeated_passes = "lifecycle/ack-of-completed";
  const ProgramResult run = run_program(
      {"run", "--in-process", "--seed", "7", passing_case, repeated_passes, "--record",
       scratch.path("r"), "--report", "json=" + scratch.path("a.json"), "--report",
       "html=" + scratch.path("a.html"), "--report", "junit=" + scratch.path("a.xml"), "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find('\n'), run.out.size() - 1) << run.out;
  EXPECT_EQ(run_program({"report", scratch.path("r"), "-f", "json"}).out, scratch.read("a.json"));
  EXPECT_EQ(run_program({"report", scratch.path("r"), "-f", "html"}).out, scratch.read("a.html"));
  EXPECT_EQ(run_program({"report", scratch.path("r"), "-f", "junit"}).out, scratch.read("a.xml"));
}

TEST(Run, AFailureNamesTheClauseAndTheWayToSeeItAgain) {
  const ScratchFolder scratch;
  const std::string scenario =
      scratch.write("s.yaml",
                    "id: mine/wrong\ntitle: A wrong expectation\nclauses: [STM-STATE-1]\nsteps:\n"
                    "  - start: {}\n"
                    "  - expect: {status: {state: DONE}}\n");
  const ProgramResult result = run_program(
      {"run", "--in-process", "--scenarios", scenario, "--record", scratch.path("record.ndjson")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("Does not conform"));
  for (const char* part : {"STM-STATE-1 MUST", "(000 Authoritative Model)", "DONE", "PENDING",
                           "GET /executions/{main}/status", "assay run", "mine/wrong"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
  const ProgramResult again = run_program(
      {"replay", scratch.path("record.ndjson"), "--in-process", "--scenarios", scenario});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, HasSubstr("1 case: 1 fail"));
}

}  // namespace
}  // namespace assay::cli
