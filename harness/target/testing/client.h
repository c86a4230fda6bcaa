#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>
#include <variant>

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
  if (const auto* error = std::get_if<core::TransportError>(&result)) {
    ADD_FAILURE() << core::transport_fault_texts[error->fault] << ": " << error->detail;
    return {};
  }
  return std::get<core::HttpResponse>(result);
}

/// The fault, which the test says must be one.
inline core::TransportError error_of(const core::HttpResult& result) {
  if (const auto* got = std::get_if<core::HttpResponse>(&result)) {
    ADD_FAILURE() << "an answer with status " << got->status;
    return {};
  }
  EXPECT_FALSE(std::get<core::TransportError>(result).detail.empty());
  return std::get<core::TransportError>(result);
}

}  // namespace assay::target::testing
