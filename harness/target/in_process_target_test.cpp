#include "harness/target/in_process_target.h"

#include <gtest/gtest.h>

#include "harness/target/testing/perform.h"
#include "reference_impl/service/service.h"

namespace assay::target {
namespace {

/// Answers with what it was asked.
class EchoService final : public service::Service {
 public:
  service::Reply handle(const service::Request& request) override {
    ++calls;
    service::Reply reply;
    reply.status = 201;
    reply.content_type = "text/plain";
    reply.body = request.method + " " + request.target + " " + request.body;
    for (const service::Header& header : request.headers) {
      reply.headers.push_back({"Echo-" + header.name, header.value});
    }
    return reply;
  }

  int calls = 0;
};

TEST(InProcessTarget, HandsRequestAndReplyThrough) {
  EchoService service;
  InProcessTarget target(service);
  boost::asio::io_context io;
  const core::HttpResult result = testing::run_to_end(
      io, target.perform({"POST", "/e?x=1", {{"X", "y", false}}, std::string("a\0b", 3)}));
  const auto& response = result.value();
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.body, std::string("POST /e?x=1 a\0b", 15));
  ASSERT_EQ(response.headers.size(), 2U);
  EXPECT_EQ(response.headers[0].name, "Content-Type");
  EXPECT_EQ(response.headers[0].value, "text/plain");
  EXPECT_EQ(response.headers[1].name, "Echo-X");
  EXPECT_EQ(response.headers[1].value, "y");
}

TEST(InProcessTarget, RefusesWhatHttpCannotCarry) {
  EchoService service;
  InProcessTarget target(service);
  boost::asio::io_context io;
  const core::HttpResult result =
      testing::run_to_end(io, target.perform({"GET", "/", {{"X", "a\nb", false}}, {}}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, core::TransportFault::unsendable);
  EXPECT_EQ(service.calls, 0);
}

TEST(InProcessTarget, IsImmediate) {
  EchoService service;
  const InProcessTarget target(service);
  EXPECT_TRUE(target.is_immediate());
  EXPECT_EQ(target.location(), "in-process");
}

}  // namespace
}  // namespace assay::target
