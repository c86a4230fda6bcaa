#include "reports/visible.h"

#include <gtest/gtest.h>

#include "reports/curl.h"
#include "reports/sample_record.h"

namespace assay::reports {
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
}

TEST(Visible, OutputIsAlwaysPlain) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string raw = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_TRUE(is_plain(shown(raw))) << first << " " << second;
    }
  }
}

TEST(Markup, EscapesWhatEndsTextOrAttributes) {
  EXPECT_EQ(escape_markup("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

TEST(ShellWord, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_word("plain/word.1"), "plain/word.1");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("\x1b\xFF'"), "$'\\x1b\\xff\\''");
}

std::string curl(const core::HttpRequest& request) {
  return curl_command(request, "http://host:1/base/", core::Secrets(sample_record()), 100);
}

TEST(Curl, SaysTheMethodOnlyWhereCurlWouldChooseAnother) {
  EXPECT_EQ(curl({"GET", "/a", {}, std::nullopt}), "curl -i http://host:1/base/a");
  EXPECT_EQ(curl({"DELETE", "/a", {}, std::nullopt}), "curl -i -X DELETE http://host:1/base/a");
  EXPECT_EQ(curl({"POST", "/a", {{"content-type", "application/json"}}, "{}"}),
            "curl -i -H 'content-type: application/json' --data-raw '{}' http://host:1/base/a");
}

TEST(Curl, KeepsCurlFromReadingTheRequestItsOwnWay) {
  EXPECT_EQ(curl({"GET", "/a/../[1]", {}, std::nullopt}),
            "curl -i --globoff --path-as-is 'http://host:1/base/a/../[1]'");
  EXPECT_EQ(curl({"POST", "/a", {}, "@x"}),
            "curl -i -H Content-Type: --data-raw @x http://host:1/base/a");
  EXPECT_EQ(curl({"POST", "/a", {}, std::string("a\0", 2)}),
            "printf 'a\\000' | curl -i -H Content-Type: --data-binary @- http://host:1/base/a");
}

TEST(Curl, MasksSecretsAndCredentials) {
  const std::string command = curl({"GET",
                                    std::string("/a?token=") + sample_secret,
                                    {{"X-Own", "short", true}, {"Cookie", "id=1"}},
                                    std::nullopt});
  EXPECT_EQ(command, "curl -i -H 'X-Own: ***' -H 'Cookie: ***' 'http://host:1/base/a?token=***'");
}

TEST(Curl, StandsForATargetWithoutAddress) {
  EXPECT_EQ(curl_command({"GET", "/a", {}, std::nullopt}, "in-process",
                         core::Secrets(core::RunRecord()), 100),
            "curl -i \"$TARGET\"/a");
}

}  // namespace
}  // namespace assay::reports
