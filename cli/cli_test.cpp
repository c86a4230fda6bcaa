#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/coverage_rule.h"
#include "cli/probe_script.h"
#include "cli/specification.h"
#include "harness/core/operation.h"

namespace assay::cli {
namespace {

using ::testing::HasSubstr;

const core::ClauseTable& two_clauses() {
  static const core::ClauseTable table("A-1\tMUST\t000 A\tOne.\nB-1\tMAY\t001 B\tTwo.\n");
  return table;
}

std::vector<core::Scenario> scenario_of(const std::string& clause) {
  core::Scenario scenario;
  scenario.id = "a/one";
  scenario.clauses = {clause};
  return {scenario};
}

TEST(CoverageRule, AClauseIsCheckedOrExcused) {
  Specification specification;
  specification.not_observable = {{{"f", 3, 1}, "B-1", "for a reason"}};
  EXPECT_TRUE(check_coverage(two_clauses(), scenario_of("A-1"), specification).empty());
  const auto faults = check_coverage(two_clauses(), scenario_of("A-1"), {});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.front().message, HasSubstr("no scenario checks B-1"));
}

TEST(CoverageRule, AnExcuseForWhatIsCheckedIsStale) {
  Specification specification;
  specification.not_observable = {{{"f", 3, 1}, "B-1", "for a reason"}};
  specification.not_yet_covered = {{{"g", 2, 1}, "A-1"}};
  const auto faults = check_coverage(two_clauses(), scenario_of("A-1"), specification);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(core::diagnostic_text(faults.front()),
            "g:2:1: A-1 is checked by a/one: take it off this list");
}

TEST(CoverageRule, AnExcuseForAPartLeavesTheRestDue) {
  Specification specification;
  specification.not_observable = {{{"f", 3, 1}, "B-1", "for a reason", "half of it"}};
  EXPECT_EQ(check_coverage(two_clauses(), scenario_of("A-1"), specification).size(), 1U);
  specification.not_observable.front().clause = "A-1";
  specification.not_yet_covered = {{{"g", 2, 1}, "B-1"}};
  EXPECT_TRUE(check_coverage(two_clauses(), scenario_of("A-1"), specification).empty());
}

TEST(CoverageRule, AClauseIsExcusedOnce) {
  Specification specification;
  specification.not_observable = {{{"f", 3, 1}, "B-1", "for a reason"}};
  specification.not_yet_covered = {{{"g", 2, 1}, "B-1"}};
  EXPECT_EQ(check_coverage(two_clauses(), scenario_of("A-1"), specification).size(), 1U);
}

TEST(Specification, WhatIsBuiltInIsInOrder) {
  const Specification all = embedded_specification();
  EXPECT_TRUE(all.faults.empty());
  EXPECT_GT(all.interpretations.size(), 10U);
  for (const Interpretation& entry : all.interpretations) {
    EXPECT_FALSE(entry.clauses.empty()) << entry.key;
  }
}

TEST(Specification, NamesWhatIsWrongWithAnInterpretation) {
  std::vector<core::Diagnostic> faults;
  const auto all = read_interpretations(
      "- key: k\n  question: q\n  clauses: [A-2]\n  chosen: no\n  because: b\n"
      "  choices: {yes: y}\n",
      "f", two_clauses(), faults);
  EXPECT_EQ(all.size(), 1U);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_THAT(faults[0].message + faults[1].message, HasSubstr("did you mean \"A-1\"?"));
  EXPECT_THAT(faults[0].message + faults[1].message, HasSubstr("not among the choices"));
}

TEST(Specification, AnEntryThatCannotBeObservedSaysWhy) {
  std::vector<core::Diagnostic> faults;
  EXPECT_EQ(read_not_observable("- clause: A-1\n", "f", two_clauses(), faults).size(), 1U);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.front().message, HasSubstr("reason"));
}

TEST(Specification, NotYetCoveredIsAListOfClauses) {
  std::vector<core::Diagnostic> faults;
  EXPECT_EQ(read_not_yet_covered("# note\nA-1\n\nZ-9\n", "f", two_clauses(), faults).size(), 2U);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(core::diagnostic_text(faults.front()), "f:4:1: unknown clause \"Z-9\"");
}

core::Profile profile_of_everything() {
  core::Profile profile;
  for (const std::string_view name : core::operation_names()) {
    profile.operations.emplace(name, core::OperationTemplate());
  }
  return profile;
}

TEST(ProbeScript, SendsEachKnownOperationOnce) {
  const core::Profile profile = profile_of_everything();
  std::vector<std::string> sent = ProbeScript(profile, "u", true).operations();
  std::vector<std::string> known(core::operation_names().begin(), core::operation_names().end());
  EXPECT_THAT(sent, ::testing::UnorderedElementsAreArray(known));
}

TEST(ProbeScript, EndsARunWithADiagnosticWhereTheRequestSaysOne) {
  core::Profile profile = profile_of_everything();
  core::OperationTemplate& form = profile.operations["runs.transition"];
  form.method = "POST";
  form.path = "/runs";
  form.body = Object{{"log", "${diagnostic?}"}};
  ProbeScript script(profile, "u", false);
  EXPECT_EQ(script.failure(), std::nullopt);
  core::Answer answer;
  answer.mapped = Object{{"run_id", "r1"}};
  script.learn("runs.create", answer);
  ASSERT_NE(script.failure(), std::nullopt);
  EXPECT_EQ(script.failure()->parameters.at("to"), Value("failed"));
  EXPECT_TRUE(script.failure()->parameters.at("diagnostic").is_object());
  profile.operations["runs.transition"].body = Object{{"log", "none"}};
  EXPECT_EQ(script.failure(), std::nullopt);
  profile.missing_states.insert("failed");
  EXPECT_EQ(script.failure(), std::nullopt);
}

TEST(ProbeScript, WaitsForTheIdentifiersThatAnswersGive) {
  const core::Profile profile = profile_of_everything();
  ProbeScript script(profile, "u", false);
  EXPECT_THAT(script.why_skipped("runs.get"), HasSubstr("no run_id is known"));
  core::Answer answer;
  answer.mapped = Object{{"run_id", "r1"}};
  script.learn("runs.create", answer);
  EXPECT_EQ(script.why_skipped("runs.get"), "");
  EXPECT_EQ(script.operation("runs.get").parameters.at("run_id"), Value("r1"));
  EXPECT_NE(script.why_skipped("control.clock"), "");
}

}  // namespace
}  // namespace assay::cli
