#include "reference_impl/liberties/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace assay::liberties {
namespace {

TEST(Catalogue, NamesEachLibertyOnceInKebabCase) {
  std::set<std::string_view> seen;
  for (const Liberty& liberty : liberties()) {
    EXPECT_TRUE(seen.insert(liberty.id).second) << liberty.id;
    EXPECT_TRUE(std::all_of(liberty.id.begin(), liberty.id.end(), [](char letter) {
      return (letter >= 'a' && letter <= 'z') || letter == '-' || (letter >= '0' && letter <= '9');
    })) << liberty.id;
  }
}

TEST(Catalogue, SaysOfEachWhichWordsAllowIt) {
  for (const Liberty& liberty : liberties()) {
    EXPECT_FALSE(liberty.title.empty()) << liberty.id;
    EXPECT_FALSE(liberty.words.empty()) << liberty.id;
  }
}

TEST(Catalogue, EachDoesSomething) {
  for (const Liberty& liberty : liberties()) {
    EXPECT_TRUE(!liberty.changes.empty() || liberty.intercept || liberty.make != nullptr ||
                liberty.reading != nullptr || liberty.form != nullptr ||
                liberty.configure != nullptr)
        << liberty.id;
  }
}

TEST(Catalogue, FindsByTheWholeId) {
  ASSERT_NE(find_liberty("own-words"), nullptr);
  EXPECT_EQ(find_liberty("own-word"), nullptr);
}

}  // namespace
}  // namespace assay::liberties
