#include "base/visible.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

std::string shown(std::string_view raw) { return visible(raw, 1'000, Lines::many); }

TEST(Visible, KeepsOrdinaryTextOfAnyScript) {
  EXPECT_EQ(shown("a\tb\n日本 é 🙂"), "a\tb\n日本 é 🙂");
}

TEST(Visible, ShowsControlCharactersAsPictures) {
  EXPECT_EQ(shown(std::string("\0\x1b[31m\x7f\r", 8)), "␀␛[31m␡␍");
  EXPECT_EQ(visible("a\nb\tc", 100, Lines::one), "a␊b␉c");
}

TEST(Visible, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(shown("\xFF"), "⟨FF⟩");
  EXPECT_EQ(shown("\xC0\xAF"), "⟨C0⟩⟨AF⟩");
  EXPECT_EQ(shown("\xED\xA0\x80"), "⟨ED⟩⟨A0⟩⟨80⟩");
  EXPECT_EQ(shown("\xF4\x90\x80\x80"), "⟨F4⟩⟨90⟩⟨80⟩⟨80⟩");
  EXPECT_EQ(shown("cut \xE2\x82"), "cut ⟨E2⟩⟨82⟩");
}

TEST(Visible, ShowsCharactersThatReorderOrHideText) {
  EXPECT_EQ(shown("\u202E"), "⟨U+202E⟩");
  EXPECT_EQ(shown("\u200B\uFEFF\uFFFE\u0085"), "⟨U+200B⟩⟨U+FEFF⟩⟨U+FFFE⟩⟨U+0085⟩");
}

TEST(Visible, CutsBetweenCharactersAndSaysHowMuchIsMissing) {
  EXPECT_EQ(visible("aéb", 2, Lines::one), "a … (3 bytes more)");
  EXPECT_EQ(visible("aéb", 3, Lines::one), "aé … (1 bytes more)");
  EXPECT_EQ(visible("aéb", 4, Lines::one), "aéb");
  EXPECT_EQ(visible("abcdef\n", 4, Lines::one), "abcd … (3 bytes more)");
  EXPECT_EQ(visible("ab\ncdef", 5, Lines::one), "ab␊cd … (2 bytes more)");
  EXPECT_EQ(visible("ab", 0, Lines::one), " … (2 bytes more)");
}

TEST(Visible, OutputIsAlwaysPlain) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string raw = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_TRUE(is_plain(shown(raw))) << first << " " << second;
    }
  }
}

TEST(ValidUtf8, RewritesOnlyWhatIsNotUtf8) {
  EXPECT_EQ(valid_utf8("a\n\xc3(é", 100), "a\n⟨C3⟩(é");
  EXPECT_EQ(valid_utf8("ééé", 4), "éé … (2 bytes more)");
}

}  // namespace
}  // namespace assay
