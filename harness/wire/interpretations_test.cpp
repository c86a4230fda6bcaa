#include "harness/wire/interpretations.h"

#include <gmock/gmock.h>

#include "harness/wire/profile_reader.h"
#include "harness/wire/scenario_reader.h"

namespace assay::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const core::ClauseTable& clauses() {
  static const core::ClauseTable table("A\tMUST\t000 x\tText.\n");
  return table;
}

std::string faults_of_profile(const std::string& choices) {
  const auto read = read_profile("name: x\nbase_url: http://x\ninterpretations: " + choices + "\n",
                                 "p.yaml", nullptr);
  return read ? "" : core::diagnostic_text(read.error().front());
}

std::string scenario_with(const std::string& under) {
  return "id: a/b\ntitle: t\nclauses: [A]\nsteps:\n  - {start: {}, under: " + under +
         "}\n  - expect: {status: {state: PENDING}}\n";
}

TEST(Interpretations, EachIsAskedOfClausesAndHasTheReferencesChoice) {
  ASSERT_GT(interpretations().size(), 10U);
  for (const Interpretation& entry : interpretations()) {
    EXPECT_FALSE(entry.clauses.empty()) << entry.key;
    EXPECT_TRUE(unmet({{entry.key, {entry.chosen}}}, {}).empty()) << entry.key;
  }
}

TEST(Interpretations, AProfileNamesThemWithTheirPlaceOrIsToldTheNearest) {
  EXPECT_EQ(faults_of_profile("{repeated_cancel: refused}"), "");
  EXPECT_THAT(faults_of_profile("{repeated_cancl: refused}"),
              AllOf(HasSubstr("p.yaml:3:"), HasSubstr("did you mean \"repeated_cancel\"?")));
  EXPECT_THAT(faults_of_profile("{repeated_cancel: refuse}"),
              AllOf(HasSubstr("p.yaml:3:36"), HasSubstr("choice of repeated_cancel"),
                    HasSubstr("did you mean \"refused\"?")));
}

/// "A choice that the text forbids is no choice" (issue 16).
TEST(Interpretations, WhatTheTextForbidsIsNoChoice) {
  for (const char* forbidden : {"{no_match: fails}", "{undefined_transition_of_ended_run: failed}",
                                "{abort_outcome: always_safe}", "{failing_step: not_counted}"}) {
    EXPECT_THAT(faults_of_profile(forbidden), HasSubstr("choice of")) << forbidden;
  }
}

TEST(Interpretations, AStepStandsUnderOneChoiceOrSeveral) {
  const auto read =
      read_scenario(scenario_with("{status_policy: [fail_fast, allow_partial]}"), "x", clauses());
  ASSERT_TRUE(read);
  EXPECT_THAT(read.value().steps[0].under.at("status_policy"),
              ElementsAre("fail_fast", "allow_partial"));
  for (const char* wrong : {"{status_polic: fail_fast}", "{status_policy: fail_slow}", "{}", "1"}) {
    EXPECT_FALSE(read_scenario(scenario_with(wrong), "x", clauses())) << wrong;
  }
}

TEST(Interpretations, WhatIsNotDeclaredIsAsTheReferenceHasIt) {
  const core::Under discard = {{"denied_token", {"discard"}}};
  EXPECT_THAT(unmet(discard, {}), ElementsAre("denied_token: discard"));
  EXPECT_THAT(unmet(discard, {{"denied_token", "pending"}}), ElementsAre("denied_token: discard"));
  EXPECT_TRUE(unmet(discard, {{"denied_token", "discard"}}).empty());
  EXPECT_TRUE(unmet({{"denied_token", {"pending", "discard"}}}, {}).empty());
}

}  // namespace
}  // namespace assay::wire
