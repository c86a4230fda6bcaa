#include "base/short_text.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

TEST(ShortText, ComparesTextsOfAnyLengthToTheLastByte) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string text(size, 'a');
    EXPECT_TRUE(is_same_text(text, std::string(size, 'a'))) << size;
    EXPECT_FALSE(is_same_text(text, text + 'a')) << size;
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = '\xe1';
      EXPECT_FALSE(is_same_text(text, other)) << size << " at " << at;
    }
  }
}

TEST(ShortText, CopiesTextsOfAnyLengthAndNothingElse) {
  const std::string letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH";
  for (std::size_t size = 0; size <= letters.size(); ++size) {
    std::string to(letters.size() + 2, '.');
    EXPECT_EQ(copy_text(std::string_view(letters).substr(0, size), to.data() + 1),
              to.data() + 1 + size);
    EXPECT_EQ(to, "." + letters.substr(0, size) + std::string(letters.size() + 1 - size, '.'));
  }
}

TEST(ShortText, FindsAPrefix) {
  EXPECT_TRUE(has_prefix("step.done", "step."));
  EXPECT_TRUE(has_prefix("step.", "step."));
  EXPECT_FALSE(has_prefix("step", "step."));
  EXPECT_FALSE(has_prefix("stop.done", "step."));
}

}  // namespace
}  // namespace assay
