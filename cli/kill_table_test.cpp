#include "cli/kill_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const faults::Fault& some_fault() {
  static const faults::Fault fault{"batch-closes", "A-1", "batch.completed closes", {}};
  return fault;
}

core::CaseResult case_of(const std::string& id, core::Verdict verdict,
                         const std::vector<std::string>& clauses, std::size_t requests = 1) {
  core::CaseResult result;
  result.id = id;
  result.verdict = verdict;
  core::Check check;
  check.clauses = clauses;
  check.verdict = verdict;
  result.checks = {check};
  result.exchanges.resize(requests);
  return result;
}

core::RunRecord record_of(std::vector<core::CaseResult> cases) {
  core::RunRecord record;
  record.cases = std::move(cases);
  return record;
}

Kill caught_kill() {
  return kill_of(some_fault(),
                 record_of({case_of("a/good", core::Verdict::pass, {"A-1"}, 3),
                            case_of("a/other", core::Verdict::fail, {"B-1"}, 4),
                            case_of("a/batch[0]", core::Verdict::fail, {"A-1", "C-1"}, 5),
                            case_of("a/batch[1]", core::Verdict::fail, {"A-1"}, 100),
                            case_of("a/last", core::Verdict::fail, {"A-1"}, 100)}));
}

Kill survived_kill() {
  return kill_of(some_fault(), record_of({case_of("a/one", core::Verdict::pass, {"A-1"}, 3),
                                          case_of("a/two", core::Verdict::inconclusive, {"A-1"}, 4),
                                          case_of("a/three", core::Verdict::error, {"A-1"}, 5)}));
}

Kill misnamed_kill() {
  return kill_of(some_fault(), record_of({case_of("a/x", core::Verdict::fail, {"C-1", "B-1"})}));
}

TEST(KillTable, AFaultIsCaughtByAFailedCheckUnderItsOwnClause) {
  const Kill kill = caught_kill();
  EXPECT_TRUE(kill.caught());
  EXPECT_EQ(kill_word(kill), "caught");
  EXPECT_EQ(kill.first_case, "a/batch[0]");
  EXPECT_THAT(kill.accused, ElementsAre("A-1", "B-1", "C-1"));
}

TEST(KillTable, CasesOfOneScenarioCountOnce) { EXPECT_EQ(caught_kill().scenarios, 2U); }

TEST(KillTable, RequestsCountToTheEndOfTheFirstCaseThatCaughtIt) {
  EXPECT_EQ(caught_kill().requests, 3U + 4U + 5U);
  EXPECT_EQ(survived_kill().requests, 3U + 4U + 5U);
}

TEST(KillTable, WhatIsNotDecidedCatchesNothing) {
  const Kill kill = survived_kill();
  EXPECT_FALSE(kill.caught());
  EXPECT_EQ(kill_word(kill), "survived");
  EXPECT_THAT(kill.accused, IsEmpty());
}

TEST(KillTable, AFindingUnderOtherClausesIsNoCatch) {
  const Kill kill = misnamed_kill();
  EXPECT_FALSE(kill.caught());
  EXPECT_EQ(kill_word(kill), "caught only under B-1, C-1");
}

TEST(KillTable, ASoundServerIsAccusedByFailedCasesOnly) {
  EXPECT_THAT(accusing_cases(record_of({case_of("a/one", core::Verdict::pass, {"A-1"}),
                                        case_of("a/two", core::Verdict::fail, {"A-1"}),
                                        case_of("a/three", core::Verdict::inconclusive, {"A-1"})})),
              ElementsAre("a/two"));
}

TEST(KillTable, TheTextNamesTheFirstCaseOrWhatBecameOfTheFault) {
  const std::vector<Kill> kills{caught_kill(), survived_kill(), misnamed_kill()};
  const std::string text = kill_text(kills);
  EXPECT_THAT(text, HasSubstr("  a/batch[0]\n"));
  EXPECT_THAT(text, HasSubstr("  survived\n"));
  EXPECT_THAT(text, HasSubstr("  caught only under B-1, C-1\n"));
  EXPECT_THAT(text, HasSubstr("1 of 3 faults caught\n"));
}

TEST(KillTable, TheJsonHasEachFaultAndTheCount) {
  const std::vector<Kill> kills{caught_kill(), survived_kill()};
  const Value table = kill_json(kills);
  EXPECT_EQ(*table.find("caught"), Value(1));
  EXPECT_EQ(*table.at_pointer("/faults/0/first_case"), Value("a/batch[0]"));
  EXPECT_EQ(*table.at_pointer("/faults/0/scenarios"), Value(2));
  EXPECT_EQ(*table.at_pointer("/faults/0/clause"), Value("A-1"));
  EXPECT_TRUE(table.at_pointer("/faults/1/first_case")->is_null());
}

TEST(KillTable, TheMarkdownHasARowForEachFault) {
  const std::vector<Kill> kills{caught_kill(), survived_kill()};
  const std::string page = kill_markdown(kills, false);
  EXPECT_THAT(page, HasSubstr("1 of 2 faults are caught."));
  EXPECT_THAT(page,
              HasSubstr("| batch-closes | A-1 | batch.completed closes | 2 | 12 | a/batch[0] |\n"));
  EXPECT_THAT(page, HasSubstr("| 0 | 12 | survived |\n"));
  EXPECT_THAT(page, Not(HasSubstr("\n\n\n")));
}

TEST(KillTable, TheMarkdownSaysWhoseRequestsItCounts) {
  const std::vector<Kill> kills{caught_kill()};
  EXPECT_THAT(kill_markdown(kills, false), HasSubstr("what all cases had sent"));
  EXPECT_THAT(kill_markdown(kills, true),
              AllOf(HasSubstr("what the cases that check the clause had sent"),
                    HasSubstr("`assay selftest --own-clause --property-commands 0 --markdown")));
}

TEST(KillTable, WhatAPropertyCaughtIsCountedApart) {
  std::vector<Kill> kills{caught_kill(), survived_kill(), caught_kill()};
  kills[0].by_property = Catch{"runs/walks", 4, 120, 3};
  kills[1].by_property = Catch{"", 9, 500, 0};
  EXPECT_THAT(kill_text(kills),
              HasSubstr("1 of 2 faults caught by a property (50.0 %), each within 120 commands\n"));
  EXPECT_THAT(kill_markdown(kills, false),
              HasSubstr("| walks: 120 commands, 3 in the smallest |\n"));
  EXPECT_EQ(*kill_json(kills).at_pointer("/faults/0/property/family"), Value("runs/walks"));
  EXPECT_TRUE(kill_json(kills).at_pointer("/faults/1/property/family")->is_null());
  EXPECT_TRUE(kill_json(kills).at_pointer("/faults/2/property")->is_null());
}

}  // namespace
}  // namespace assay::cli
