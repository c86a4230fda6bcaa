#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

TEST(Utf8, IsWhatUnicodeTable37Allows) {
  EXPECT_TRUE(is_utf8("a\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
  for (const char* text :
       {"\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xc2", "\xe1\x80", "\xf1\x80\x80"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, SaysWhereTheFirstOddByteIs) {
  EXPECT_EQ(first_invalid_utf8("aé\xff"), 3U);
  EXPECT_EQ(first_invalid_utf8("aé"), std::nullopt);
}

TEST(Utf8, WritesWhatItReads) {
  for (const char32_t value : {U'a', U'é', U'日', U'🙂', char32_t{0x10FFFF}}) {
    std::string text;
    append_code_point(value, text);
    const auto read = code_point_at(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->value, value);
    EXPECT_EQ(read->length, text.size());
  }
  EXPECT_FALSE(code_point_at("", 0));
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(cut_at_character("aéb", 2), "a");
  EXPECT_EQ(cut_at_character("aéb", 3), "aé");
  EXPECT_EQ(cut_at_character("aéb", 9), "aéb");
}

}  // namespace
}  // namespace assay
