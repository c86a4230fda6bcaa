#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "harness/target/http_target.h"
#include "harness/target/testing/perform.h"
#include "harness/target/testing/raw_server.h"

namespace assay::target {
namespace {

using core::HttpResult;
using core::TransportError;
using core::TransportFault;

class Delivered : public ::testing::Test {
 protected:
  testing::RawServer server{[this](testing::Peer& peer, int) {
    const std::string got = peer.read_request();
    server.note(got);
    if (!got.empty()) {
      peer.send(testing::answer("x"));
    }
  }};
  boost::asio::io_context io;
  HttpTarget target{io, {server.url(), {}, testing::patient_limits()}};
  core::HttpRequest request = {"POST", "/events", {}, std::string(1'000, 'b')};

  HttpResult deliver(const Delivery& delivery) {
    return testing::run_to_end(io, target.perform_with_delivery(request, delivery));
  }

  /// The fault, which the test says must be one.
  TransportError error_of(const Delivery& delivery) {
    const HttpResult result = deliver(delivery);
    EXPECT_FALSE(result);
    return result ? TransportError{} : result.error();
  }

  /// The answer's body, which the test says must come.
  std::string body_of(const Delivery& delivery) {
    const HttpResult result = deliver(delivery);
    return result ? result->body : result.error().detail;
  }

  /// What the server had read when the connection ended.
  std::string seen() {
    while (server.noted().empty()) {
      std::this_thread::yield();
    }
    return server.noted().at(0);
  }
};

TEST_F(Delivered, CutBeforeTheRequestReachesNobody) {
  const TransportError error = error_of({core::Delivery::cut_before_send});
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_FALSE(error.request_sent);
  EXPECT_EQ(seen(), "");
}

TEST_F(Delivered, CutAfterTheRequestReachesTheServerWhole) {
  const TransportError error = error_of({core::Delivery::cut_after_send});
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_TRUE(error.request_sent);
  EXPECT_TRUE(seen().ends_with(*request.body));
}

TEST_F(Delivered, HalfABodyIsNeverARequest) {
  const TransportError error = error_of({core::Delivery::half_body});
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_TRUE(error.request_sent);
  EXPECT_EQ(seen(), "");
}

TEST_F(Delivered, SlowBodyArrivesWhole) {
  EXPECT_EQ(body_of({core::Delivery::slow_body, 1, 7}), "x");
  EXPECT_TRUE(seen().ends_with(*request.body));
}

TEST_F(Delivered, WithoutAFaultGoesOverThePool) {
  EXPECT_EQ(body_of({}), "x");
  EXPECT_EQ(target.counters().opened, 1);
}

}  // namespace
}  // namespace assay::target
