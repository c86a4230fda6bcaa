#include "harness/run/plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/identity.h"

namespace assay::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const core::ClauseTable& table() {
  static const core::ClauseTable clauses(
      "STM-A\tMUST\t000 x\ty\nSTM-B\tSHOULD\t000 x\ty\nRTE-C\tMUST\t003 x\ty\n");
  return clauses;
}

core::Scenario scenario(std::string id, std::vector<std::string> clauses,
                        std::vector<std::string> tags = {}) {
  core::Scenario result;
  result.id = std::move(id);
  result.clauses = std::move(clauses);
  result.tags = std::move(tags);
  return result;
}

const std::vector<core::Scenario>& suite() {
  static const std::vector<core::Scenario> scenarios = [] {
    std::vector<core::Scenario> all = {scenario("status/batch", {"STM-A"}, {"premature"}),
                                       scenario("status/cancel", {"STM-B"}),
                                       scenario("api/ids", {"STM-A", "STM-B"}, {"premature"})};
    all[1].matrix = {{"n", {1, 2}}};
    return all;
  }();
  return scenarios;
}

std::vector<std::string> chosen(const Selection& selection) {
  std::vector<std::string> ids;
  for (const core::Case& one : make_plan(suite(), selection, table()).cases) ids.push_back(one.id);
  return ids;
}

std::vector<std::string> problems(const Selection& selection) {
  return make_plan(suite(), selection, table()).problems;
}

TEST(Plan, WithoutASelectionEveryCaseIsChosen) {
  EXPECT_THAT(chosen({}),
              ElementsAre("status/batch", "status/cancel[n=1]", "status/cancel[n=2]", "api/ids"));
}

TEST(Plan, AGlobChoosesByCaseOrScenario) {
  EXPECT_THAT(chosen({.globs = {"status/*"}}),
              ElementsAre("status/batch", "status/cancel[n=1]", "status/cancel[n=2]"));
  EXPECT_THAT(chosen({.globs = {"status/cancel"}}),
              ElementsAre("status/cancel[n=1]", "status/cancel[n=2]"));
  EXPECT_THAT(chosen({.globs = {"status/cancel[n=2]", "api/ids"}}),
              ElementsAre("status/cancel[n=2]", "api/ids"));
}

TEST(Plan, AnIndexIsUnderstoodAndTheNameOfTheRowIsSaid) {
  const Plan plan = make_plan(suite(), {.globs = {"status/cancel[1]"}}, table());
  ASSERT_EQ(plan.cases.size(), 1U);
  EXPECT_EQ(plan.cases[0].id, "status/cancel[n=2]");
  EXPECT_THAT(plan.hints, ElementsAre("status/cancel[1] is now called status/cancel[n=2]"));
  EXPECT_THAT(problems({.globs = {"status/cancel[2]"}}), ::testing::SizeIs(1));
}

TEST(Plan, EachKindNarrowsTheChoice) {
  EXPECT_THAT(chosen({.clauses = {"STM-B"}}),
              ElementsAre("status/cancel[n=1]", "status/cancel[n=2]", "api/ids"));
  EXPECT_THAT(chosen({.clauses = {"STM-*"}, .tags = {"premature"}}),
              ElementsAre("status/batch", "api/ids"));
  EXPECT_THAT(chosen({.levels = {core::Level::must}}), ElementsAre("status/batch", "api/ids"));
  EXPECT_THAT(chosen({.globs = {"status/batch"}, .clauses = {"STM-B"}}), IsEmpty());
}

TEST(Plan, WhatMatchesNothingIsAProblemWithTheNearestNames) {
  EXPECT_THAT(problems({.globs = {"status/bacth"}}),
              ElementsAre("no case matches \"status/bacth\"; did you mean status/batch or "
                          "status/cancel?"));
  for (const char* folder : {"status", "status/"}) {
    EXPECT_THAT(
        problems({.globs = {folder}}),
        ElementsAre(fmt::format("no case matches \"{}\"; did you mean 'status/*'?", folder)));
  }
  EXPECT_THAT(problems({.clauses = {"STM-X"}}),
              ElementsAre("no clause \"STM-X\"; did you mean STM-A or STM-B?"));
  EXPECT_THAT(problems({.clauses = {"RTE-C"}}), ElementsAre("no case is about clause \"RTE-C\""));
  EXPECT_THAT(problems({.tags = {"mature"}}), ElementsAre("no tag \"mature\""));
  EXPECT_THAT(problems({.globs = {"status/*"}, .clauses = {"STM-A"}, .tags = {"premature"}}),
              IsEmpty());
}

TEST(Plan, AScenarioNeedsWhatItsStepsUse) {
  core::Scenario one = scenario("a/b", {});
  one.needs = {"fan_in.wait_all"};
  core::Step start;
  start.action = core::Operate{{"executions.start", {}}};
  core::Step post;
  post.action = core::Post{{Value(Object{{"type", "x.y"}})}, {}, true};
  core::Step repeat;
  repeat.action = core::Repeat{2, {post}};
  core::Step expect;
  core::ReadExpectation scheduled;
  scheduled.operation = "events.list";
  scheduled.shows = core::ScheduledSteps();
  core::Expect reads;
  reads.reads = {scheduled};
  expect.action = reads;
  one.steps = {start, repeat, expect};
  EXPECT_THAT(capabilities_of(one),
              ElementsAre("events.list", "events.post_batch", "executions.replay",
                          "executions.start", "fan_in.wait_all"));
  one.playbook = Value(Object{});
  EXPECT_TRUE(capabilities_of(one).contains("executions.driven"));
  EXPECT_FALSE(capabilities_of(one).contains("executions.replay"));
}

TEST(Plan, AnEventThatTheTargetDoesNotHaveIsMissing) {
  core::Scenario one = scenario("a/b", {});
  core::Step post;
  post.action = core::Post{{Value(Object{{"type", "x.y"}})}, {}, false};
  one.steps = {post};
  core::Profile profile;
  profile.capabilities = {"events.post"};
  EXPECT_THAT(missing_for(one, profile), IsEmpty());
  profile.event_names = {{"x.y", "X"}, {"z.z", ""}};
  EXPECT_THAT(missing_for(one, profile), IsEmpty());
  profile.event_names["x.y"] = "";
  profile.capabilities.clear();
  EXPECT_THAT(missing_for(one, profile), ElementsAre("event x.y", "events.post"));
}

TEST(Plan, WhatTheProfilesWorkerDoesNotSayIsMissing) {
  core::Scenario one = scenario("a/b", {});
  core::Step play;
  core::Play says_more;
  says_more.result = 7;
  says_more.ctx = Object{{"open", 1}};
  play.action = says_more;
  core::Step again;
  again.action = core::Repeat{2, {play}};
  one.steps = {again};
  core::Profile profile;
  profile.capabilities = {"events.list", "events.post", "executions.driven"};
  EXPECT_THAT(missing_for(one, profile), IsEmpty()) << "the harness's own worker says all";
  profile.worker = {Value(Object{{"type", "call.done"}, {"payload", Object{{"r", "${result}"}}}})};
  EXPECT_THAT(missing_for(one, profile), ElementsAre("${ctx} in worker"));
  profile.worker = {Value(Object{{"type", "call.done"}})};
  EXPECT_THAT(missing_for(one, profile), ElementsAre("${ctx} in worker", "${result} in worker"));
  core::Play tries_again;
  tries_again.failed_attempts = 2;
  play.action = tries_again;
  one.steps = {play};
  EXPECT_THAT(missing_for(one, profile), ElementsAre("attempts in worker"));
}

TEST(Plan, AScenarioStandsUnderTheChoicesOfTheProfile) {
  core::Step usual;
  usual.action = core::Expect{};
  usual.under = {{"denied_token", {"pending"}}};
  core::Step other = usual;
  other.under = {{"denied_token", {"discard"}}};
  core::Step each;
  each.action = core::Expect{};
  core::Step loop;
  loop.action = core::Repeat{Value(2), {usual, other, each}};
  core::Scenario one;
  one.steps = {usual, other, loop};
  core::Profile profile;
  const auto lengths = [&] {
    const core::Scenario left = as_asked_of(profile, one).value();
    return std::pair(left.steps.size(),
                     std::get<core::Repeat>(left.steps.back().action).steps.size());
  };
  EXPECT_EQ(lengths(), std::pair(std::size_t{2}, std::size_t{2}));
  EXPECT_TRUE(std::get<core::Repeat>(as_asked_of(profile, one)->steps.back().action)
                  .steps.front()
                  .under.at("denied_token")
                  .front() == "pending");
  profile.interpretations = {{"denied_token", "discard"}};
  EXPECT_EQ(as_asked_of(profile, one)->steps.front().under.at("denied_token").front(), "discard");
  one.steps = {each};
  EXPECT_FALSE(as_asked_of(profile, one));
  one.under = {{"denied_token", {"pending"}}};
  EXPECT_THAT(missing_for(one, profile), ElementsAre("denied_token: pending"));
  profile.interpretations.clear();
  EXPECT_THAT(missing_for(one, profile), IsEmpty());
}

TEST(Plan, AStepWithNeedsIsPassedOverWhereTheyAreNotDeclared) {
  core::Step moved;
  moved.action = core::Operate{{"runs.transition", {}}};
  moved.clauses = {"RUN-T4"};
  core::Step audited;
  core::Expect audit;
  audit.reads.emplace_back();
  audit.reads.back().operation = "runs.audit";
  audit.clauses = {"RUN-AUDIT"};
  audited.action = audit;
  audited.needs = {"runs.audit"};
  core::Scenario one;
  one.clauses = {"RUN-T4", "RUN-AUDIT"};
  one.steps = {moved, audited};
  EXPECT_THAT(capabilities_of(one), ElementsAre("runs.transition"));
  core::Profile profile;
  profile.capabilities = {"runs.transition"};
  const core::Scenario without = as_asked_of(profile, one).value();
  EXPECT_EQ(without.steps.size(), 1U);
  EXPECT_THAT(without.clauses, ElementsAre("RUN-T4"));
  EXPECT_THAT(missing_for(without, profile), IsEmpty());
  profile.capabilities.insert("runs.audit");
  const core::Scenario whole = as_asked_of(profile, one).value();
  EXPECT_EQ(whole.steps.size(), 2U);
  EXPECT_THAT(whole.clauses, ElementsAre("RUN-T4", "RUN-AUDIT"));
  one.steps[1].needs = {"server.health"};
  profile.capabilities = {"runs.transition", "server.health"};
  EXPECT_EQ(as_asked_of(profile, one)->steps.size(), 1U) << "it asks for the audit all the same";
  one.steps[0].clauses.push_back("RUN-AUDIT");
  EXPECT_THAT(as_asked_of(profile, one)->clauses, ElementsAre("RUN-T4", "RUN-AUDIT"));
}

TEST(Plan, ARunThatIsMadeWithItsEndNeedsOneThatNobodyMoves) {
  core::Scenario one;
  one.steps.emplace_back();
  one.steps.back().action = core::Operate{{"runs.create", {{"ends", "success"}}}};
  EXPECT_THAT(capabilities_of(one), ElementsAre("runs.create", "runs.unattended"));
}

TEST(Identity, NamesAreUniqueToRunAndCaseAndSafeInPaths) {
  const Identity first("assay-7", "status/a[0]");
  const Identity second("assay-7", "status/a-0-");
  EXPECT_NE(first.unique(), second.unique());
  EXPECT_NE(first.unique(), Identity("assay-8", "status/a[0]").unique());
  EXPECT_EQ(first.unique(), Identity("assay-7", "status/a[0]").unique());
  EXPECT_EQ(first.unique().find_first_of("/[]"), std::string::npos);
  EXPECT_LE(Identity(std::string(64, 'p'), std::string(500, 'x')).unique().size(), 128U);
  EXPECT_NE(first.subject("a/b"), first.subject("a-b"));
}

TEST(Identity, EventTimesAreASecondApart) {
  EXPECT_EQ(event_time(0), "2026-01-01T00:00:00Z");
  EXPECT_EQ(event_time(86'461), "2026-01-02T00:01:01Z");
}

}  // namespace
}  // namespace assay::run
