#include "harness/core/clause_members.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "harness/core/clause_table.h"

namespace assay::core {
namespace {

TEST(ClauseMembers, ACheckSpeaksForAClauseByWhatTheClauseIsAbout) {
  const ClauseMembers members("# comment\nSTM-CMD-T*\tcommands\nEVT-ENV-ID\tevent_id answer\n");
  EXPECT_TRUE(members.is_about("STM-CMD-T2", {"state", "commands"}));
  EXPECT_FALSE(members.is_about("STM-CMD-T2", {"state", "answer"}));
  EXPECT_TRUE(members.is_about("EVT-ENV-ID", {"answer"}));
  EXPECT_FALSE(members.is_about("EVT-ENV-ID", {}));
  EXPECT_TRUE(members.is_about("STM-EXEC-R1", {"state"})) << "the table does not list it";
}

TEST(ClauseMembers, WhatCannotBeReadIsSaid) {
  EXPECT_THROW(ClauseMembers("STM-CMD-T2\n"), std::invalid_argument);
  EXPECT_THROW(ClauseMembers("STM-CMD-T2\ta\nSTM-CMD-T2\tb\n"), std::invalid_argument);
}

TEST(ClauseMembers, EachEntryOfTheTableNamesAClause) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/fixtures/spec/clauses.tsv");
  std::ostringstream text;
  text << file.rdbuf();
  const ClauseTable table(text.str());
  ASSERT_FALSE(clause_members().entries().empty());
  for (const auto& [glob, members] : clause_members().entries()) {
    const auto& clauses = table.clauses();
    EXPECT_TRUE(std::any_of(clauses.begin(), clauses.end(), [&](const Clause& each) {
      return matches_glob(glob, each.id);
    })) << glob;
  }
}

}  // namespace
}  // namespace assay::core
