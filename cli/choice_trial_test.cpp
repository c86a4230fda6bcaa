// Every choice that a profile may declare, against the whole suite: what `assay selftest` tries one
// by one by the cases of its clauses.
#include "cli/choice_trial.h"

#include <gmock/gmock.h>

#include <set>

#include "harness/wire/interpretations.h"

namespace assay::cli {
namespace {

using ::testing::IsEmpty;

/// So many places apart in the list, no two choices are of one kind.
constexpr std::size_t servers = 12;

class SharedOutChoices : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SharedOutChoices, AreRespectedByEveryCase) {
  const std::span<const liberties::OtherChoice> all = liberties::other_choices();
  std::vector<const liberties::OtherChoice*> made;
  for (std::size_t index = GetParam(); index < all.size(); index += servers) {
    made.push_back(&all[index]);
  }
  const core::Profile declared = declaring(made);
  ASSERT_EQ(declared.interpretations.size(), made.size()) << "two choices of one key";
  EXPECT_THAT(accusations(declared), IsEmpty())
      << ::testing::PrintToString(declared.interpretations);
}

INSTANTIATE_TEST_SUITE_P(Servers, SharedOutChoices, ::testing::Range(std::size_t{0}, servers));

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
