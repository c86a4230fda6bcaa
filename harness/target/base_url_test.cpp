#include "harness/target/base_url.h"

#include <gtest/gtest.h>

#include "harness/target/configuration_error.h"

namespace assay::target {
namespace {

TEST(BaseUrl, ReadsItsParts) {
  const BaseUrl url = parse_base_url("HTTPS://Example.org:8443/api/v1/");
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.host, "example.org");
  EXPECT_EQ(url.port, 8443);
  EXPECT_EQ(url.prefix, "/api/v1");
  EXPECT_EQ(host_field(url), "example.org:8443");
}

TEST(BaseUrl, HasThePortOfItsScheme) {
  const BaseUrl plain = parse_base_url("http://a_b-c.test");
  EXPECT_EQ(plain.port, 80);
  EXPECT_EQ(plain.prefix, "");
  EXPECT_EQ(host_field(plain), "a_b-c.test");
  const BaseUrl secure = parse_base_url("https://127.0.0.1/");
  EXPECT_EQ(secure.port, 443);
  EXPECT_EQ(secure.prefix, "");
  EXPECT_EQ(host_field(parse_base_url("https://a:80")), "a:80");
}

TEST(BaseUrl, ReadsIpv6InBrackets) {
  const BaseUrl url = parse_base_url("http://[::1]:8080");
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.port, 8080);
  EXPECT_EQ(host_field(url), "[::1]:8080");
  EXPECT_EQ(host_field(parse_base_url("http://[FE80::A]")), "[fe80::a]");
}

TEST(BaseUrl, RefusesWhatIsNone) {
  for (const char* text :
       {"", "localhost:8080", "ftp://host", "http://", "http:///path", "http://:80",
        "http://host:", "http://host:0", "http://host:65536", "http://host:8o", "http://::1",
        "http://[::1", "http://[::1]8080", "http://[host]", "http://ho st", "http://host/a b",
        "http://host?x=1", "http://host/#top", "http://h\xc3\xb6st"}) {
    EXPECT_THROW((void)parse_base_url(text), ConfigurationError) << text;
  }
}

TEST(BaseUrl, SuggestsTheSchemeThatIsMissing) {
  try {
    (void)parse_base_url("localhost:8080");
    FAIL() << "it was accepted";
  } catch (const ConfigurationError& error) {
    EXPECT_STREQ(error.what(),
                 "base URL 'localhost:8080': must begin with http:// or https:// (did you mean "
                 "http://localhost:8080?)");
  }
}

TEST(BaseUrl, DoesNotRepeatCredentials) {
  try {
    (void)parse_base_url("http://user:hunter2@host");
    FAIL() << "it was accepted";
  } catch (const ConfigurationError& error) {
    EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay::target
