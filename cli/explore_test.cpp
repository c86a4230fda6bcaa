// The explore verb, through the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "cli/testing/program.h"

namespace assay::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The reference's profile, launching a server with one fault of the zoo.
std::string broken_profile(const ScratchFolder& scratch, const std::string& fault) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/fixtures/profiles/reference.yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string command = "[assay, serve, ";
  const std::size_t at = text.find(command);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, command.size(), "[\"" ASSAY_PROGRAM "\", serve, --fault, " + fault + ", ");
  return scratch.write("broken.yaml", text);
}

TEST(Explore, FindsNothingInTheReference) {
  const ProgramResult result =
      run_program({"explore", "--in-process", "--cases", "10", "--seed", "5"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("properties/run-walks"), HasSubstr("seed 5"),
                                HasSubstr("0 causes of failure")));
}

TEST(Explore, SendsTheSameRequestsTwice) {
  const ProgramResult result =
      run_program({"explore", "--cases", "4", "--seed", "5", "--verify-determinism"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(Explore, SavesWhatItFindsAsAScenarioThatRunTakes) {
  const ScratchFolder scratch;
  const std::string profile = broken_profile(scratch, "batch-completed-closes");
  const std::string corpus = scratch.path("corpus");
  const ProgramResult found =
      run_program({"explore", "lower-layers-*", "--profile", profile, "--seed", "7", "--cases",
                   "40", "--save", corpus, "--report", "json=" + scratch.path("report.json")});
  EXPECT_EQ(found.exit_code, 1) << found.out << found.err;
  EXPECT_THAT(found.out, AllOf(HasSubstr("STM-INF-BATCH"), HasSubstr("reproduced 3 of 3")));
  EXPECT_THAT(scratch.read("report.json"), HasSubstr("STM-INF-BATCH"));

  const ProgramResult again = run_program({"run", "--profile", profile, "--scenarios", corpus});
  EXPECT_EQ(again.exit_code, 1) << again.out << again.err;
  const ProgramResult sound = run_program({"run", "--in-process", "--scenarios", corpus});
  EXPECT_EQ(sound.exit_code, 0) << sound.out << sound.err;

  const ProgramResult fixed =
      run_program({"explore", "run-walks", "--in-process", "--cases", "1", "--corpus", corpus});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.out << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("FIXED   counterexamples/lower-layers-never-close-"));
  const ProgramResult failed = run_program(
      {"explore", "run-walks", "--profile", profile, "--cases", "1", "--corpus", corpus});
  EXPECT_EQ(failed.exit_code, 1) << failed.out << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("FAILED  counterexamples/"));
}

TEST(Explore, FindsWhatOnlyConcurrentClientsSee) {
  const ScratchFolder scratch;
  const std::string profile = broken_profile(scratch, "stores-concurrent-duplicates");
  const ProgramResult found =
      run_program({"explore", "concurrent-redeliveries", "--profile", profile, "--seed", "1",
                   "--cases", "300", "--max-failures", "1"});
  EXPECT_EQ(found.exit_code, 1) << found.out << found.err;
  EXPECT_THAT(found.out, HasSubstr("EVT-IDEM-1"));
}

/// One family: a sanitized program needs longer than that to record a first round of each.
TEST(Explore, StopsWhenItsTimeIsOver) {
  const ProgramResult result =
      run_program({"explore", "run-walks", "--in-process", "--time", "3", "--seed", "5"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("(stopped)"));
}

TEST(Explore, WhatCouldNotBeDecidedIsNotGreen) {
  const ScratchFolder scratch;
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/fixtures/profiles/reference.yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string create = "request: POST /runs\n";
  ASSERT_NE(text.find(create), std::string::npos);
  text.replace(text.find(create), create.size(), "request: POST /nowhere\n");
  const ProgramResult result =
      run_program({"explore", "run-walks", "lower-layers-*", "--in-process", "--cases", "3",
                   "--profile", scratch.write("lost.yaml", text)});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("undecided: set-up refused"));
}

TEST(Explore, SaysWhatFamilyIsMeant) {
  const ProgramResult result = run_program({"explore", "run-walk"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("run-walks"));
}

TEST(Explore, SaysThatNobodyIsThere) {
  const ProgramResult result =
      run_program({"explore", "--target", "http://127.0.0.1:1", "--cases", "2"});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
}

TEST(Run, JudgesByGeneratedCasesToo) {
  const ProgramResult result = run_program({"run", "--in-process", "properties/*"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

}  // namespace
}  // namespace assay::cli
