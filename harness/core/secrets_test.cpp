#include "harness/core/secrets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/core/masked_value.h"

namespace assay::core {
namespace {

Secrets of(const std::string& value) {
  Secrets secrets;
  secrets.add(value);
  return secrets;
}

struct Form {
  const char* name;
  std::string secret;
  std::string text;
  std::string shown;
};

std::ostream& operator<<(std::ostream& out, const Form& form) { return out << form.name; }

class SecretForm : public ::testing::TestWithParam<Form> {};

TEST_P(SecretForm, IsMasked) {
  EXPECT_EQ(of(GetParam().secret).masked(GetParam().text), GetParam().shown);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, SecretForm,
    ::testing::Values(
        Form{"AsItIs", "hunter2/x", "a hunter2/x b hunter2/x", "a *** b ***"},
        Form{"InJson", "hun\"ter\\2\n", R"({"a":"hun\"ter\\2\n"})", R"({"a":"***"})"},
        Form{"InJsonWithinJson", "hun\"ter2", R"("{\"a\":\"hun\\\"ter2\"}")",
             R"("{\"a\":\"***\"}")"},
        Form{"WithEscapedSlashes", "hunter2/x", R"("hunter2\/x")", R"("***")"},
        Form{"InJsonOfAscii", "pässwört", R"("p\u00e4ssw\u00F6rt")", R"("***")"},
        Form{"AsSurrogates", "key😀key", R"("key\ud83d\ude00key")", R"("***")"},
        Form{"InAPath", "hunter 2/x", "/a/hunter%202%2fx/b", "/a/***/b"},
        Form{"WhollyInPercent", "hunter2", "%68%75%6E%74%65%72%32", "***"},
        Form{"InAForm", "hunter 2+x", "a=hunter+2%2Bx&b=1", "a=***&b=1"},
        Form{"InHtml", "hun<ter>&2", "<b>hun&lt;ter&gt;&amp;2</b>", "<b>***</b>"},
        Form{"InHtmlByNumber", "hunter'2", "hunter&#39;2 hunter&#x27;2", "*** ***"},
        Form{"CutShort", "hunter2hunter2", "answered 500: hunter2hun…", "answered 500: ***…"},
        Form{"CutShortAndCounted", "hunter2hunter2", "a hunter2 … (9 bytes more)",
             "a *** … (9 bytes more)"},
        // base64 of "hunter2hunter2", of "a:" and of "ab:" before it.
        Form{"InBase64", "hunter2hunter2", "aHVudGVyMmh1bnRlcjI=", "***I="},
        Form{"InBase64AfterTwo", "hunter2hunter2", "YTpodW50ZXIyaHVudGVyMg==", "YTp***g=="},
        Form{"InBase64AfterThree", "hunter2hunter2", "YWI6aHVudGVyMmh1bnRlcjI=", "YWI6***I="},
        Form{"InBase64ForUrls", "?>?>?>?>?>", "Pz4_Pj8-Pz4_Pg", "***g"},
        Form{"ShortAndAlone", "8080", "http://h:8080/ 18080 8080a", "http://h:***/ 18080 8080a"},
        Form{"Near", "hunter2", "hunter3 %68unter hunte", "hunter3 %68unter hunte"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Secrets, MaskTheLongerFirst) {
  Secrets secrets = of("hunter2");
  secrets.add("hunter2hunter3");
  EXPECT_EQ(secrets.masked("hunter2hunter3 hunter2"), "*** ***");
}

TEST(Secrets, KnowWhatFollowsAScheme) {
  // base64 of "me:pass-of-mine".
  const Secrets basic = of("Basic bWU6cGFzcy1vZi1taW5l");
  EXPECT_EQ(basic.masked("bWU6cGFzcy1vZi1taW5l pass-of-mine me"), "*** *** me");
  EXPECT_EQ(of("Bearer token-of-mine").masked("token-of-mine"), "***");
}

TEST(Secrets, KnowEachLine) {
  EXPECT_EQ(of("first-line\nsecond-line").masked("second-line\nfirst-line"), "***\n***");
}

Profile with_header(const std::string& name, const std::string& value) {
  Profile profile;
  profile.headers = {{name, value, false}};
  return profile;
}

TEST(SecretsOfAProfile, ArePartsOfACredentialHeader) {
  const Secrets secrets(with_header("Authorization", "Token abcd1234efgh, realm=workflows"));
  EXPECT_EQ(secrets.masked("abcd1234efgh in workflows"), "*** in workflows");
  const Secrets cookie(with_header("Cookie", "session=QWERTYUIOP; lang=en"));
  EXPECT_EQ(cookie.masked("QWERTYUIOP en"), "*** en");
  EXPECT_TRUE(Secrets(with_header("Accept", "application/json")).empty());
}

TEST(SecretsOfAProfile, StandUnderTheNamesOfCredentials) {
  Profile profile;
  Hook login;
  login.request.body =
      Value(Object{{"user", "someone"},
                   {"auth", Object{{"Password", "pass-of-mine"}, {"api_key", "${setup.key}"}}}});
  login.request.query = {{"access_token", "token-of-mine"}, {"page", "first-page"}};
  profile.setup = {login};
  profile.launch = Launch{};
  profile.launch->environment = {{"DB_PASSWORD", "database-pass"}, {"HOME", "/home/me"}};
  const Secrets secrets(profile);
  EXPECT_EQ(secrets.masked("someone pass-of-mine token-of-mine first-page database-pass /home/me"),
            "someone *** *** first-page *** /home/me");
}

TEST(SecretsOfAProfile, AreWhatSetupCapturedForAHeader) {
  Profile profile;
  OperationTemplate status;
  status.headers = {{"X-Session", "${setup.ticket}", true}};
  profile.operations.emplace("executions.status", status);
  Secrets secrets(profile);
  secrets.add_captured("ticket", "ticket-of-mine", profile);
  secrets.add_captured("flow_id", "flow-of-mine", profile);
  secrets.add_captured("access_token", "token-of-mine", profile);
  EXPECT_EQ(secrets.masked("ticket-of-mine flow-of-mine token-of-mine"), "*** flow-of-mine ***");
}

TEST(Secrets, AreMaskedInEveryPartOfAValue) {
  Secrets secrets;
  secrets.add("open-sesame");
  secrets.add("9007199254740993");
  const Value shown = masked(Object{{"open-sesame", List{"say open-sesame", true}},
                                    {"ticket", std::int64_t{9007199254740993}},
                                    {"count", std::int64_t{7}}},
                             secrets);
  const std::string hidden(mask);
  EXPECT_EQ(shown, Value(Object{{hidden, List{"say " + hidden, true}},
                                {"ticket", hidden},
                                {"count", std::int64_t{7}}}));
}

/// Looking for the end of the run at each of its bytes would take hours.
TEST(Secrets, AreSoughtInARunOfBackslashesInOneGo) {
  const std::string noise(std::size_t{4} << 20U, '\\');
  EXPECT_EQ(of("hunter2").masked(noise + "hunter2" + noise), noise + "***" + noise);
  EXPECT_EQ(of("\\\\server").masked("a" + std::string(16, '\\') + "server"), "a***");
}

}  // namespace
}  // namespace assay::core
