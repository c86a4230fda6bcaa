#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/testing/program.h"

namespace assay::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A suite of two cases: the first is wrong about the reference, the second right.
class BaselineRun : public ::testing::Test {
 protected:
  [[nodiscard]] ProgramResult run(const std::string& baseline, std::vector<std::string> more = {}) {
    baseline_ = scratch_.write("known.yaml", baseline);
    std::vector<std::string> arguments = {
        "run",        "--in-process", "--scenarios", suite_,
        "--baseline", baseline_,      "--record",    scratch_.path("record.ndjson")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  static std::string entry(const std::string& glob, const std::string& clause,
                           const std::string& more = "") {
    return "expected_failures:\n  - case: " + glob + "\n    clause: " + clause +
           "\n    reason: The server is known to say something else\n"
           "    reference: https://example.org/7\n    expires: 2999-12-31\n" +
           more;
  }

  ScratchFolder scratch_;
  std::string baseline_;
  std::string suite_ = make_suite();

 private:
  [[nodiscard]] std::string make_suite() const {
    const std::string suite = scratch_.path("suite");
    std::filesystem::create_directory(suite);
    std::ofstream(suite + "/wrong.yaml")
        << "id: mine/wrong\ntitle: A wrong expectation\nclauses: [STM-STATE-1]\nsteps:\n"
           "  - start: {}\n  - expect: {status: {state: DONE}}\n";
    std::ofstream(suite + "/right.yaml")
        << "id: mine/right\ntitle: A right expectation\nclauses: [STM-STATE-1]\nsteps:\n"
           "  - start: {}\n  - expect: {status: {state: PENDING}}\n";
    return suite;
  }
};

TEST_F(BaselineRun, AnExpectedFailureFailsNoRunAndIsCalledSo) {
  const ProgramResult result =
      run(entry("mine/wrong", "STM-STATE-1"),
          {"--report", "json=" + scratch_.path("j"), "--report", "junit=" + scratch_.path("x"),
           "--report", "markdown=" + scratch_.path("m"), "--report", "html=" + scratch_.path("h"),
           "--report", "sarif=" + scratch_.path("s"), "--report", "ctrf=" + scratch_.path("c")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(
      result.out,
      StartsWith("Selection is as the baseline expects  1 of 2 selected cases pass; 1 fails as the "
                 "baseline expects"));
  EXPECT_THAT(result.out, AllOf(HasSubstr("2 cases: 1 pass · 1 expected fail"),
                                HasSubstr("The server is known to say something else"),
                                HasSubstr("baseline " + baseline_), Not(HasSubstr("curl"))));
  for (const char* report : {"j", "x", "m", "h", "s", "c"}) {
    EXPECT_THAT(scratch_.read(report), HasSubstr("The server is known to say something else"))
        << report;
  }
  EXPECT_THAT(scratch_.read("j"), AllOf(HasSubstr("\"expected_fail\": 1"), HasSubstr("\"fail\": 0"),
                                        HasSubstr("\"file\": \"" + baseline_)));
}

TEST_F(BaselineRun, AnEntryExcusesNoOtherClauseAndNoOtherCase) {
  EXPECT_EQ(run(entry("mine/wrong", "STM-CORE-1")).exit_code, 1);
  const ProgramResult other = run(entry("mine/right", "STM-STATE-1"));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, HasSubstr("1 fail · 1 unexpected pass"));
}

TEST_F(BaselineRun, AFailureThatIsGoneIsNamedAndEndsWithFive) {
  const ProgramResult result =
      run(entry("mine/right", "STM-STATE-1") +
              "  - {case: mine/wrong, clause: STM-STATE-1, reason: r, expires: 2999-12-31}\n",
          {"--report", "json=" + scratch_.path("j"), "--report", "junit=" + scratch_.path("x")});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.out, StartsWith("Baseline is stale"));
  const std::string finding =
      baseline_ +
      ":2:5: mine/right (STM-STATE-1) does not fail as it says any more; delete lines 2 to 6";
  EXPECT_THAT(result.out, HasSubstr(finding));
  EXPECT_THAT(scratch_.read("j"), HasSubstr(finding));
  EXPECT_THAT(scratch_.read("x"), HasSubstr(finding));
  EXPECT_THAT(result.out, HasSubstr("unexpected pass  STM-STATE-1: passed"));
}

TEST_F(BaselineRun, AnEntryThatMatchesNothingOrHasExpiredEndsWithFive) {
  const std::string known = entry("mine/wrong", "STM-STATE-1");
  const ProgramResult unmatched = run(
      known + "  - {case: mine/gone, clause: STM-STATE-1, reason: gone, expires: 2999-12-31}\n");
  EXPECT_EQ(unmatched.exit_code, 5);
  EXPECT_THAT(unmatched.out,
              HasSubstr(baseline_ + ":7:5: mine/gone (STM-STATE-1) matches no case"));
  const ProgramResult expired = run(
      known + "  - {case: mine/right, clause: STM-STATE-1, reason: old, expires: 2020-01-01}\n");
  EXPECT_EQ(expired.exit_code, 5);
  EXPECT_THAT(expired.out, HasSubstr("mine/right (STM-STATE-1) expired on 2020-01-01"));
}

TEST_F(BaselineRun, AnEntryAboutACaseThatWasNotChosenIsNotStale) {
  const ProgramResult result = run(entry("mine/wrong", "STM-STATE-1"), {"--case", "mine/right"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

TEST_F(BaselineRun, ABrokenBaselineIsNamedWithItsPlaceAndNothingIsRun) {
  const ProgramResult result = run("expected_failures:\n  - {case: mine/wrong, reason: x}\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(baseline_ + ":2:5: an expected failure needs \"clause\""));
  EXPECT_EQ(run_program({"run", "--in-process", "--baseline", "no-such.yaml"}).exit_code, 2);
}

TEST_F(BaselineRun, TheRecordKeepsWhatTheBaselineSaidAndCanBeHeldAgainstAnother) {
  EXPECT_EQ(run(entry("mine/right", "STM-STATE-1") +
                "  - {case: mine/wrong, clause: STM-STATE-1, reason: r, expires: 2999-12-31}\n")
                .exit_code,
            5);
  const std::string record = scratch_.path("record.ndjson");
  EXPECT_EQ(run_program({"report", record}).exit_code, 5);
  const std::string other = scratch_.write("other.yaml", entry("mine/wrong", "STM-STATE-1"));
  const ProgramResult again = run_program({"report", record, "--baseline", other});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(
      again.out,
      StartsWith("Selection is as the baseline expects  1 of 2 selected cases pass; 1 fails as the "
                 "baseline expects"));
}

TEST_F(BaselineRun, FailFastGoesOnAfterAnExpectedFailure) {
  const ProgramResult result =
      run(entry("mine/wrong", "STM-STATE-1"), {"--fail-fast", "--jobs", "1"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("2 cases: 1 pass · 1 expected fail"));
}

}  // namespace
}  // namespace assay::cli
