#include "reference_impl/model/runs/status.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace assay::runs {
namespace {

TEST(RunStatus, TheEightWordsAreTheSpecifications) {
  std::string words;
  for (const Status status : all_statuses) words += std::string(to_string(status)) + " ";
  EXPECT_EQ(words, "created running waiting success failed denied timeout canceled ");
}

TEST(RunStatus, AWordIsReadOnlyAsItIsSpelled) {
  for (const Status status : all_statuses) EXPECT_EQ(parse_status(to_string(status)), status);
  for (const char* word : {"", "Running", "RUNNING", "cancelled", "completed", "running "}) {
    EXPECT_EQ(parse_status(word), std::nullopt) << word;
  }
}

TEST(RunStatus, FiveStatusesAreTerminalAndThreeOfThemFailures) {
  std::set<std::string_view> terminal;
  std::set<std::string_view> failures;
  for (const Status status : all_statuses) {
    if (is_terminal(status)) terminal.insert(to_string(status));
    if (is_failure(status)) failures.insert(to_string(status));
  }
  EXPECT_EQ(terminal,
            (std::set<std::string_view>{"success", "failed", "denied", "timeout", "canceled"}));
  EXPECT_EQ(failures, (std::set<std::string_view>{"failed", "denied", "timeout"}));
}

/// Rows: from; columns: to; in the order of the specification's list. "+" is a valid transition, a
/// letter the family of a forbidden one: s self, r retry in place, t leaving terminal, k skipping
/// start, w ending while waiting, b returning to created.
constexpr std::array<std::string_view, 8> all_pairs = {
    "s+kkkkkk",  // created
    "bs++++++",  // running
    "b+swwww+",  // waiting
    "tttstttt",  // success
    "trttsttt",  // failed
    "trtttstt",  // denied
    "trttttst",  // timeout
    "ttttttts",  // canceled
};

char letter(std::optional<ForbiddenFamily> family) {
  if (!family) return '+';
  constexpr std::string_view letters = "srtkwb";
  return letters.at(static_cast<std::size_t>(*family));
}

TEST(RunStatus, EachOfThe64OrderedPairsIsAsTheSpecificationSays) {
  for (std::size_t from = 0; from < all_statuses.size(); ++from) {
    for (std::size_t to = 0; to < all_statuses.size(); ++to) {
      EXPECT_EQ(letter(forbidden_family(all_statuses.at(from), all_statuses.at(to))),
                all_pairs.at(from).at(to))
          << to_string(all_statuses.at(from)) << " to " << to_string(all_statuses.at(to));
    }
  }
}

TEST(RunStatus, TheFamiliesPartitionThe55ForbiddenPairs) {
  std::map<char, int> counts;
  for (const Status from : all_statuses) {
    for (const Status to : all_statuses) ++counts[letter(forbidden_family(from, to))];
  }
  EXPECT_EQ(counts, (std::map<char, int>{
                        {'+', 9}, {'s', 8}, {'r', 3}, {'t', 32}, {'k', 6}, {'w', 4}, {'b', 2}}));
}

TEST(RunStatus, EachTransitionNamesItsClause) {
  std::string clauses;
  for (const Transition& transition : transitions) {
    clauses += std::string(transition.clause) + " ";
    EXPECT_TRUE(is_defined(transition.from, transition.to)) << transition.clause;
  }
  EXPECT_EQ(clauses, "RUN-T1 RUN-T2 RUN-T3 RUN-T4 RUN-T5 RUN-T6 RUN-T7 RUN-T8 RUN-T9 ");
}

}  // namespace
}  // namespace assay::runs
