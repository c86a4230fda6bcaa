#include "harness/target/request_text.h"

#include <gtest/gtest.h>

namespace assay::target {
namespace {

const BaseUrl url = {.tls = false, .host = "h", .port = 81, .prefix = "/api"};

RequestText written(const core::HttpRequest& request) {
  auto result = write_request(url, request);
  EXPECT_TRUE(result);
  return std::move(result).value();
}

bool is_refused(const core::HttpRequest& request) { return !write_request(url, request); }

TEST(RequestText, PutsThePrefixBeforeTheTarget) {
  EXPECT_EQ(written({"GET", "/executions?limit=1", {}, {}}).text,
            "GET /api/executions?limit=1 HTTP/1.1\r\nHost: h:81\r\nUser-Agent: assay\r\n\r\n");
}

TEST(RequestText, SendsTheBytesOfTheBodyAsTheyAre) {
  const std::string body("{\"a\":\xff\0}", 8);
  const RequestText request =
      written({"POST", "/e", {{"Content-Type", "application/json", false}}, body});
  EXPECT_EQ(request.text,
            "POST /api/e HTTP/1.1\r\nHost: h:81\r\nUser-Agent: assay\r\n"
            "Content-Type: application/json\r\nContent-Length: 8\r\n\r\n" +
                body);
  EXPECT_EQ(request.text.substr(request.head_bytes), body);
  EXPECT_FALSE(request.frames_itself);
}

TEST(RequestText, SaysThatAPostHasNoBody) {
  EXPECT_NE(written({"POST", "/e", {}, {}}).text.find("Content-Length: 0\r\n"), std::string::npos);
  EXPECT_EQ(written({"DELETE", "/e", {}, {}}).text.find("Content-Length"), std::string::npos);
}

TEST(RequestText, LeavesHeadersOfTheRequestAlone) {
  const RequestText request =
      written({"POST", "/e", {{"HOST", "other", false}, {"content-length", "99", false}}, "short"});
  EXPECT_EQ(request.text,
            "POST /api/e HTTP/1.1\r\nUser-Agent: assay\r\nHOST: other\r\ncontent-length: "
            "99\r\n\r\nshort");
  EXPECT_TRUE(request.frames_itself);
}

TEST(RequestText, RefusesWhatWouldBecomeAnotherRequest) {
  EXPECT_TRUE(is_refused({"GET", "/", {{"X", "a\r\nY: b", false}}, {}}));
  EXPECT_TRUE(is_refused({"GET", "/", {{"X", "a\nb", false}}, {}}));
  EXPECT_TRUE(is_refused({"GET", "/", {{"X", std::string("a\0b", 3), false}}, {}}));
  EXPECT_TRUE(is_refused({"GET", "/", {{"X:", "a", false}}, {}}));
  EXPECT_TRUE(is_refused({"GET", "/", {{"", "a", false}}, {}}));
  EXPECT_TRUE(is_refused({"GET", "/a b", {}, {}}));
  EXPECT_TRUE(is_refused({"GET", "/a\r\n", {}, {}}));
  EXPECT_TRUE(is_refused({"GET", "a", {}, {}}));
  EXPECT_TRUE(is_refused({"GET", "", {}, {}}));
  EXPECT_TRUE(is_refused({"G T", "/", {}, {}}));
  EXPECT_TRUE(is_refused({"", "/", {}, {}}));
  EXPECT_FALSE(is_refused({"GET", "/%zz\xff", {{"X", "caf\xc3\xa9 \xff", false}}, {}}));
}

TEST(RequestText, NeverShowsASecretInItsRefusal) {
  const auto result = write_request(url, {"GET", "/", {{"X", "hunter2\n", true}}, {}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace assay::target
