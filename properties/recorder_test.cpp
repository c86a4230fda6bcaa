#include "properties/recorder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <set>
#include <string>
#include <variant>

#include "harness/check/instant.h"
#include "harness/run/plan.h"
#include "harness/wire/profile_reader.h"
#include "properties/campaign.h"
#include "properties/cause.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"
#include "properties/testing/laboratory.h"

namespace assay::properties {
namespace {

using testing::Laboratory;

/// What one set has and another has not, in words.
std::string without(const std::set<std::string>& some, const std::set<std::string>& others) {
  std::string text;
  for (const std::string& one : some) {
    if (!others.contains(one)) text += (text.empty() ? "" : " ") + one;
  }
  return text;
}

TEST(Recorder, MakesTheSameScenarioOfTheSameDraft) {
  const Laboratory laboratory;
  const Recorder recorder(laboratory.profile(), laboratory.profile());
  for (const Family& family : families()) {
    // The draft that takes the rarest kinds is one of those that it took.
    const Draft draft = generate(family, 3, 8);
    ASSERT_TRUE(draft.takes_rarest);
    const Recording once = recorder.record(family, draft, "x");
    const Recording again = recorder.record(family, once.draft, "x");
    EXPECT_EQ(again.draft, once.draft) << family.id;
    EXPECT_EQ(again.scenario.steps.size(), once.scenario.steps.size()) << family.id;
    EXPECT_EQ(again.lines, once.lines) << family.id;
  }
}

const Family& family_named(std::string_view id) {
  const auto all = families();
  return *std::find_if(all.begin(), all.end(),
                       [id](const Family& family) { return family.id == id; });
}

TEST(Recorder, TakesTheKindThatAStateHasMetLeast) {
  const Laboratory laboratory;
  const Recorder recorder(laboratory.profile(), laboratory.profile());
  Family family = family_named("properties/terminal-is-for-ever");
  family.state = nullptr;  // all is one state
  Draft draft{{}, std::vector<Move>(family.kinds.size(), Move{2, {}}), true};
  std::set<std::size_t> taken;
  for (const Move& move : recorder.record(family, draft, "x").draft.moves) taken.insert(move.kind);
  draft.takes_rarest = false;
  EXPECT_GT(taken.size(), family.kinds.size() / 2);  // the others mean nothing where they stand
  for (const Move& move : recorder.record(family, draft, "x").draft.moves) {
    EXPECT_EQ(move.kind, 2U);
  }
}

/// Many cases of a family, recorded for a target.
std::vector<core::Scenario> recorded(const core::Profile& target, std::string_view family) {
  const Laboratory laboratory;
  const Recorder recorder(laboratory.profile(), target);
  std::vector<core::Scenario> scenarios;
  for (std::uint64_t index = 0; index < 60; ++index) {
    const Draft draft = generate(family_named(family), 1, index);
    scenarios.push_back(recorder.record(family_named(family), draft, "x").scenario);
  }
  return scenarios;
}

/// Whether the step posts events of commands.
bool tells_of_a_command(const core::Step& step) {
  const auto* post = std::get_if<core::Post>(&step.action);
  return post != nullptr && std::ranges::any_of(post->events, [](const Value& event) {
           const std::string type = event.string_at("type").value_or("");
           return (type + event.string_at("event_type").value_or("")).starts_with("command.");
         });
}

TEST(Recorder, SaysWhereACommandIsOpen) {
  const Laboratory laboratory;
  std::size_t marked = 0;
  for (const core::Scenario& scenario :
       recorded(laboratory.profile(), "properties/terminal-is-for-ever")) {
    bool has_commands = false;
    for (const core::Step& step : scenario.steps) {
      has_commands |= tells_of_a_command(step);
      const bool is_marked = step.at.file.find(open_command_mark) != std::string::npos;
      EXPECT_TRUE(has_commands || !is_marked) << step.at.file;
      marked += is_marked ? 1 : 0;
    }
  }
  EXPECT_GT(marked, 0U);
}

/// How many patterns of the reads there are, at any depth, of which that holds.
template <typename Predicate>
int count_in(const core::Pattern& pattern, const Predicate& holds) {
  int count = holds(pattern) ? 1 : 0;
  core::for_each_part(pattern, [&](const core::Pattern& part) { count += count_in(part, holds); });
  return count;
}

template <typename Predicate>
int count_in(const std::vector<core::Scenario>& scenarios, const Predicate& holds) {
  int count = 0;
  for (const core::Scenario& scenario : scenarios) {
    for (const core::Step& step : scenario.steps) {
      const auto* expect = std::get_if<core::Expect>(&step.action);
      if (expect == nullptr) continue;
      for (const core::ReadExpectation& read : expect->reads) {
        if (read.pattern() != nullptr) count += count_in(*read.pattern(), holds);
      }
    }
  }
  return count;
}

TEST(Recorder, HoldsATargetWithAClockOfItsOwnToNoTime) {
  core::Profile target = Laboratory().profile();
  const auto is_text_of_a_time = [](const core::Pattern& pattern) {
    const Value* literal = pattern.literal();
    return literal != nullptr && literal->is_string() &&
           check::parse_instant(literal->as_string()).has_value();
  };
  const auto is_instant = [](const core::Pattern& pattern) {
    return pattern.is(core::Pattern::By::instant);
  };
  // However it is written: a text is asked of nobody.
  const auto asked = recorded(target, "properties/terminal-is-for-ever");
  EXPECT_EQ(count_in(asked, is_text_of_a_time), 0);
  EXPECT_GT(count_in(asked, is_instant), 0);
  target.own_times = true;
  EXPECT_EQ(count_in(recorded(target, "properties/terminal-is-for-ever"), is_text_of_a_time), 0);
}

TEST(Recorder, ExpectsNoPendingWhereExecutionsBeginAtOnce) {
  core::Profile target = Laboratory().profile();
  const std::string_view family = "properties/first-lifecycle-event-decides";
  const auto is_pending = [](const core::Pattern& pattern) {
    const auto state = pattern.members().find("state");
    const Value* literal = state == pattern.members().end() ? nullptr : state->second.literal();
    return literal != nullptr && *literal == Value("PENDING");
  };
  EXPECT_GT(count_in(recorded(target, family), is_pending), 0);
  target.capabilities.erase("executions.pending");
  EXPECT_EQ(count_in(recorded(target, family), is_pending), 0);
}

TEST(Recorder, LeavesNothingOfACaseThatTheTargetHasNoWordsFor) {
  core::Profile target = Laboratory().profile();
  target.capabilities.erase("runs.create");
  for (const char* family : {"properties/run-walks", "properties/concurrent-transitions"}) {
    for (const core::Scenario& scenario : recorded(target, family)) {
      EXPECT_TRUE(scenario.clauses.empty());
      EXPECT_EQ(scenario.needs.back(), "runs.create");
    }
  }
}

TEST(Recorder, SaysWhatATargetLacksOfACaseThatItHasNoCheckFor) {
  core::Profile target = Laboratory().profile();
  target.capabilities.erase("runs.create");
  target.capabilities.erase("workflow.start");
  target.capabilities.erase("binding.reference");
  std::size_t unjudged = 0;
  for (const char* family : {"properties/hostile-requests", "properties/allowed-requests"}) {
    for (const core::Scenario& scenario : recorded(target, family)) {
      if (!scenario.clauses.empty()) continue;
      ++unjudged;
      EXPECT_FALSE(run::missing_for(scenario, target).empty());
    }
  }
  EXPECT_GT(unjudged, 0U);
}

/// The profile of the reference that declares that choice.
core::Profile declaring(const std::string& key, const std::string& choice) {
  core::Profile profile = Laboratory().profile();
  profile.interpretations = {{key, choice}};
  return profile;
}

TEST(Recorder, ExpectsWhatAChoiceRefusesToBeRefusedHoweverItIsDelivered) {
  std::size_t refused = 0;
  for (const core::Scenario& scenario : recorded(declaring("late_events", "refused"),
                                                 "properties/delivery-loses-and-doubles-nothing")) {
    for (const core::Step& step : scenario.steps) {
      if (step.delivery == core::Delivery::once || !step.response) continue;
      const bool is_late = step.at.file.find(" in COMPLETED") != std::string::npos;
      const auto& expected = step.response->acceptances;
      EXPECT_EQ(expected == std::vector{core::Acceptance::refused}, is_late) << step.at.file;
      refused += is_late ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(Recorder, EndsACaseWhereWhatItIsAboutIsRefused) {
  std::size_t refused = 0;
  for (const core::Scenario& scenario :
       recorded(declaring("invalid_submission", "refused"), "properties/lifecycle-and-purity")) {
    for (const core::Step& step : scenario.steps) {
      const bool is_refused = step.as == "main" && step.response &&
                              step.response->acceptances == std::vector{core::Acceptance::refused};
      if (!is_refused) continue;
      ++refused;
      EXPECT_EQ(&step, &scenario.steps.back());
      EXPECT_EQ(step.clauses, std::vector<std::string>{"WFX-NEW-FAIL"});
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(Recorder, LeavesToTheBindingWhatACancelWritesIntoTheLog) {
  core::Profile target = Laboratory().profile();
  target.capabilities.erase("binding.reference");
  const auto cancels = [](const core::Scenario& scenario) {
    return std::any_of(scenario.steps.begin(), scenario.steps.end(), [](const core::Step& step) {
      const auto* action = std::get_if<core::Operate>(&step.action);
      return action != nullptr && action->operation.name == "executions.cancel";
    });
  };
  int whole_logs = 0;
  for (const core::Scenario& scenario : recorded(target, "properties/reads-agree")) {
    const bool judges_the_log =
        std::count(scenario.clauses.begin(), scenario.clauses.end(), std::string("EVT-LOG-1")) > 0;
    EXPECT_FALSE(judges_the_log && cancels(scenario));
    whole_logs += judges_the_log ? 1 : 0;
  }
  EXPECT_GT(whole_logs, 0);
}

TEST(Recorder, AsksForNoRuleThatAServerWithEveryLibertyBreaks) {
  Family family;
  family.id = "properties/made-up";
  family.kinds = {{"metadata of its own", 1}, {"an object", 1}};
  family.open = [](const Draft&) {
    return Opening{std::nullopt, {operate("executions.start", {}, "main")}};
  };
  family.step = [](std::string_view kind, const Move&, const View& view) {
    const Value metadata = kind == "an object" ? Value(Object{{"k", 1}}) : Value(1);
    return std::optional<core::Step>(
        post({{"id", fmt::format("${{unique}}-{}", view.steps().size())},
              {"type", "step.started"},
              {"payload", Object{{"meta", metadata}}}}));
  };
  family.observe = [](const TakenStep& taken) {
    Observation log{"events.list", {}, {"API-ATOMIC"}};
    log.rule = length(taken.view.read("events.list").find("items")->as_list().size());
    return std::vector<Observation>{log};
  };
  const Laboratory laboratory;
  const Recorder recorder(laboratory.profile(), laboratory.profile());
  const auto looks = [&](std::vector<Move> moves) {
    Draft draft;
    draft.moves = std::move(moves);
    const core::Scenario scenario = recorder.record(family, draft, "x").scenario;
    return std::count_if(scenario.steps.begin(), scenario.steps.end(), [](const core::Step& step) {
      return std::holds_alternative<core::Expect>(step.action);
    });
  };
  // One after the start, one after each event that every server takes.
  EXPECT_EQ(looks({Move{1, {}}, Move{1, {}}}), 3);
  // After an event that a server may refuse nobody knows how many there are.
  EXPECT_EQ(looks({Move{0, {}}, Move{1, {}}}), 1);
}

TEST(Recorder, AccusesWhatAnEndedExecutionShowsByTheClauseOfItsEnd) {
  const core::Profile target = Laboratory().profile();
  const std::set<std::string> of_the_end{"STM-EXEC-R1", "STM-OWN-2"};
  int states_after_an_end = 0;
  for (const core::Scenario& scenario : recorded(target, "properties/reads-agree")) {
    for (const core::Step& step : scenario.steps) {
      const auto* expect = std::get_if<core::Expect>(&step.action);
      if (expect == nullptr || !step.at.file.ends_with(" state")) continue;
      const bool is_over = step.at.file.find(" in COMPLETED") != std::string::npos ||
                           step.at.file.find(" in FAILED") != std::string::npos ||
                           step.at.file.find(" in CANCELLED") != std::string::npos;
      if (!is_over) continue;
      ++states_after_an_end;
      ASSERT_EQ(expect->clauses.size(), 1U) << step.at.file;
      EXPECT_TRUE(of_the_end.contains(expect->clauses.front())) << step.at.file;
    }
  }
  EXPECT_GT(states_after_an_end, 0);
}

class EachFamily : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EachFamily, ReachesTheClausesThatItNamesAndNoOthers) {
  const Laboratory laboratory;
  // Of a server that takes what is legacy it is not asked whether that is refused.
  core::Profile refusing = laboratory.profile();
  refusing.interpretations["legacy_events"] = "reject";
  const Family& family = families()[GetParam()];
  std::set<std::string> reached;
#ifdef ASSAY_SANITIZED
  constexpr std::uint64_t cases = 30;
#else
  constexpr std::uint64_t cases = 150;
#endif
  for (std::uint64_t index = 0; index < cases; ++index) {
    const core::Profile& target = index % 3 == 0 ? refusing : laboratory.profile();
    const Recorder recorder(laboratory.profile(), target);
    const Recording recording = recorder.record(family, generate(family, 1, index), "x");
    reached.insert(recording.scenario.clauses.begin(), recording.scenario.clauses.end());
  }
  const std::set<std::string> named(family.clauses.begin(), family.clauses.end());
  EXPECT_EQ(without(reached, named), "") << "not named";
#ifndef ASSAY_SANITIZED  // So few cases reach only most of them.
  EXPECT_EQ(without(named, reached), "") << "not reached";
#endif
}

std::string family_name_of(const ::testing::TestParamInfo<std::size_t>& family) {
  std::string name = families()[family.param].id.substr(std::string_view("properties/").size());
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Families, EachFamily, ::testing::Range<std::size_t>(0, families().size()),
                         family_name_of);

TEST(Campaign, AccusesTheSoundReferenceOfNothing) {
#ifdef ASSAY_SANITIZED
  constexpr std::uint64_t cases = 8;
  constexpr std::uint64_t least_commands = 20;
#else
  constexpr std::uint64_t cases = 48;
  constexpr std::uint64_t least_commands = 200;
#endif
  Laboratory laboratory;
  const CampaignOutcome outcome = laboratory.run({.seed = 11, .cases = cases});
  for (const Finding& finding : outcome.findings) {
    ADD_FAILURE() << finding.cause << ": " << finding.result.checks.back().expected << " but "
                  << finding.result.checks.back().actual;
  }
  for (const FamilyTally& tally : outcome.families) {
    EXPECT_EQ(tally.cases, cases) << tally.family;
    EXPECT_EQ(tally.undecided, 0U) << tally.family << ": " << tally.reason;
    EXPECT_GT(tally.commands, least_commands) << tally.family;
  }
}

TEST(Campaign, MakesWhatItFindsSmall) {
  Laboratory laboratory("batch-completed-closes");
  const CampaignOutcome outcome = laboratory.run({.seed = 1, .cases = 40, .most_causes = 1},
                                                 "properties/lower-layers-never-close");
  ASSERT_EQ(outcome.findings.size(), 1U);
  const Finding& finding = outcome.findings.front();
  EXPECT_EQ(finding.reproduced, 3);
  EXPECT_EQ(finding.moves_left, 1U);
  EXPECT_EQ(finding.scenario.clauses, std::vector<std::string>{"STM-INF-BATCH"});
  EXPECT_LE(finding.shrink_runs, 100U);
  EXPECT_LE(finding.shrink_requests, 500U);
}

TEST(Campaign, FindsDoubledEventsByBadDeliveryAndByRedelivery) {
  for (const char* family :
       {"properties/delivery-loses-and-doubles-nothing", "properties/redelivery-changes-nothing"}) {
    Laboratory laboratory("stores-duplicates");
    const CampaignOutcome outcome = laboratory.run({.seed = 1, .cases = 40}, family);
    std::set<std::string> accused;
    for (const Finding& finding : outcome.findings) {
      accused.insert(finding.scenario.clauses.begin(), finding.scenario.clauses.end());
    }
    EXPECT_TRUE(accused.contains("EVT-IDEM-1")) << family;
  }
}

TEST(Campaign, SendsTheSameRequestsForTheSameSeed) {
  Laboratory once;
  Laboratory again;
  Laboratory other;
#ifdef ASSAY_SANITIZED
  constexpr std::uint64_t cases = 2;
#else
  constexpr std::uint64_t cases = 10;
#endif
  const auto digest = once.run({.seed = 5, .cases = cases}).request_digest;
  EXPECT_EQ(again.run({.seed = 5, .cases = cases}).request_digest, digest);
  EXPECT_NE(other.run({.seed = 6, .cases = cases}).request_digest, digest);
}

}  // namespace
}  // namespace assay::properties
