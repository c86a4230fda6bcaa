#include "base/encoding.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

TEST(Markup, EscapesWhatEndsTextOrAttributes) {
  EXPECT_EQ(escape_markup("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

TEST(ShellWord, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_word("plain/word.1"), "plain/word.1");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("\x1b\xFF'"), "$'\\x1b\\xff\\''");
}

TEST(Percent, EncodesAllButTheUnreservedAndDecodesOnce) {
  EXPECT_EQ(percent_encoded("a-._~Z9/é%"), "a-._~Z9%2F%C3%A9%25");
  EXPECT_EQ(percent_decoded("a%2fb%2Fc%252F"), "a/b/c%2F");
  for (const char* malformed : {"%", "%2", "%zz", "a%-1", "%+1"}) {
    EXPECT_FALSE(percent_decoded(malformed)) << malformed;
  }
}

TEST(Hexadecimal, IsPaddedToItsWidth) {
  EXPECT_EQ(hexadecimal(0xA, 2), "0A");
  EXPECT_EQ(hexadecimal(0x202E, 4), "202E");
  EXPECT_EQ(hexadecimal(0x1F600, 4), "1F600");
}

TEST(SameWithoutCase, KnowsAsciiOnly) {
  EXPECT_TRUE(same_without_case("Content-TYPE", "content-type"));
  EXPECT_FALSE(same_without_case("content-type", "content-typ"));
  EXPECT_FALSE(same_without_case("É", "é"));
}

}  // namespace
}  // namespace assay
