#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "reference_impl/faults/catalogue.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {

/// For tests: a server with one fault, and short ways to call it.
class FaultyService : public ::testing::Test {
 protected:
  class StillClock final : public service::Clock {
   public:
    std::int64_t now() override { return 0; }
  };

  /// Begins anew with the fault of that id.
  void start(std::string_view fault) {
    ASSERT_NE(find_fault(fault), nullptr) << fault;
    service::ServiceOptions options;
    options.clock = std::make_shared<StillClock>();
    server_ = make_broken(*find_fault(fault), std::move(options));
  }

  service::Reply send(std::string method, std::string target, std::string body = "") {
    service::Request request{std::move(method), std::move(target), {}, std::move(body)};
    if (!request.body.empty()) request.headers.push_back({"content-type", "application/json"});
    return server_->handle(request);
  }
  service::Reply post(std::string target, std::string body = "") {
    return send("POST", std::move(target), std::move(body));
  }

  /// The JSON text at the pointer of what a GET answers; "absent" where there is none.
  std::string get(const std::string& target, std::string_view pointer) {
    return at(send("GET", target), pointer);
  }
  static std::string at(const service::Reply& reply, std::string_view pointer) {
    const Value body = json_of(reply.body);
    const Value* value = body.at_pointer(pointer);
    return value == nullptr ? "absent" : service::write_json(*value);
  }

  std::unique_ptr<service::Service> server_;
};

}  // namespace assay::faults
