// Every choice that a profile may declare, against the written cases about its clauses.
#include "cli/choice_trial.h"

#include <gmock/gmock.h>

#include <set>

#include "harness/wire/interpretations.h"

namespace assay::cli {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

class EachChoice : public ::testing::TestWithParam<const liberties::OtherChoice*> {};

TEST_P(EachChoice, PassesWhereItIsDeclaredAndFailsWhereAnotherIs) {
  const ChoiceTrial trial = try_choice(*GetParam(), TrialScope::cases_of_its_clauses, 0);
  EXPECT_GT(trial.cases, 0U);
  EXPECT_THAT(trial.accusing, IsEmpty()) << trial.name();
  EXPECT_THAT(trial.notice_choice, Not(IsEmpty())) << trial.name();
  EXPECT_THAT(trial.notice_reference, Not(IsEmpty())) << trial.name();
}

std::vector<const liberties::OtherChoice*> all_choices() {
  std::vector<const liberties::OtherChoice*> all;
  for (const liberties::OtherChoice& other : liberties::other_choices()) all.push_back(&other);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Choices, EachChoice, ::testing::ValuesIn(all_choices()),
                         [](const auto& info) {
                           return std::string(info.param->key) + "_" +
                                  std::string(info.param->choice);
                         });

TEST(Choices, AreThoseOfTheSpecificationButForTheReferencesOwn) {
  std::set<std::string> listed;
  for (const wire::Interpretation& entry : wire::interpretations()) {
    for (const wire::Interpretation::Choice& choice : entry.choices) {
      if (choice.name != entry.chosen) listed.insert(entry.key + "=" + choice.name);
    }
  }
  std::set<std::string> made;
  for (const liberties::OtherChoice& other : liberties::other_choices()) {
    made.insert(std::string(other.key) + "=" + std::string(other.choice));
  }
  EXPECT_EQ(made, listed);
}

}  // namespace
}  // namespace assay::cli
