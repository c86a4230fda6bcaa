#include "reports/curl.h"

#include <gtest/gtest.h>

#include "reports/sample_record.h"

namespace assay::reports {
namespace {

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

TEST(Curl, IsALineToTheAdapterWhereTheRequestIsOne) {
  const core::HttpRequest line = {"ADAPTER", "runs.get", {}, R"({"run_id":"it's"})"};
  const std::string begin =
      R"(printf '%s\n' '{"protocol":"assay-adapter","version":1}' )"
      R"('{"id":1,"operation":"runs.get","parameters":{"run_id":"it'\''s"}}' | )";
  const core::Secrets none{core::RunRecord()};
  EXPECT_EQ(curl_command(line, "adapter: python3 'my adapter.py'", none, 100),
            begin + "python3 'my adapter.py'  # a line to the adapter");
  EXPECT_EQ(curl_command(line, "http://a", none, 100),
            begin + "sh -c \"$ADAPTER\"  # a line to the adapter");
}

TEST(Curl, StandsForATargetWithoutAddress) {
  EXPECT_EQ(curl_command({"GET", "/a", {}, std::nullopt}, "in-process",
                         core::Secrets(core::RunRecord()), 100),
            "curl -i \"$TARGET\"/a");
}

}  // namespace
}  // namespace assay::reports
