#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>

#include "harness/core/http.h"
#include "harness/target/http_target.h"
#include "harness/target/testing/perform.h"

namespace assay::target::testing {

inline const core::HttpRequest get = {"GET", "/status", {}, {}};
inline const core::HttpRequest post = {"POST", "/events", {}, "{\"event_type\":\"x\"}"};

/// One target over one server, for as many requests as a test makes.
class Client {
 public:
  explicit Client(const std::string& url, core::Limits limits = patient_limits())
      : target(io, {url, {}, limits}) {}

  core::HttpResult perform(const core::HttpRequest& request) {
    return run_to_end(io, target.perform(request));
  }
  bool pairs_answers(std::chrono::steady_clock::time_point since) {
    return run_to_end(io, target.pairs_answers(since, std::chrono::milliseconds(50)));
  }

  boost::asio::io_context io;
  HttpTarget target;
};

/// The answer, which the test says must be one.
inline core::HttpResponse response(const core::HttpResult& result) {
  if (!result) {
    ADD_FAILURE() << core::transport_fault_texts[result.error().fault] << ": "
                  << result.error().detail;
    return {};
  }
  return result.value();
}

/// The fault, which the test says must be one.
inline core::TransportError error_of(const core::HttpResult& result) {
  if (result) {
    ADD_FAILURE() << "an answer with status " << result->status;
    return {};
  }
  EXPECT_FALSE(result.error().detail.empty());
  return result.error();
}

}  // namespace assay::target::testing
