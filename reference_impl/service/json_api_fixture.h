#pragma once

#include <string>
#include <utility>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {

/// For tests with literal JSON expectations: the ids that the service gives are id-1, id-2 ….
class JsonApiTest : public ServiceTest {
 protected:
  JsonApiTest() { start_with({}); }

  /// Begins anew with other options.
  void start_with(ServiceOptions options) {
    options.ids = [count = std::make_shared<std::atomic<int>>(0)] {
      return "id-" + std::to_string(++*count);
    };
    ServiceTest::start(std::move(options));
  }

  Answer send(std::string method, std::string target, std::string body = "") {
    Request request{std::move(method), std::move(target), {}, std::move(body)};
    if (!request.body.empty()) request.headers.push_back({"Content-Type", "application/json"});
    return ServiceTest::send(request);
  }

  static Value json(std::string_view text) {
    auto parsed = parse_json(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *std::move(parsed) : Value();
  }

  /// Sends the request and expects this status and exactly this JSON.
  void expect(const std::string& method, const std::string& target, const std::string& body,
              int status, std::string_view expected) {
    const Answer answer = send(method, target, body);
    EXPECT_EQ(answer.status, status) << method << " " << target << " " << body;
    EXPECT_EQ(answer.content_type, "application/json");
    EXPECT_EQ(answer.text, write_json(json(expected))) << method << " " << target << " " << body;
  }

  /// Sends the request and expects a refusal: "STATUS CODE POINTER", the pointer "-" where none is.
  void expect_refusal(const std::string& method, const std::string& target, const std::string& body,
                      const std::string& expected) {
    const Answer answer = send(method, target, body);
    EXPECT_EQ(answer.content_type, "application/problem+json") << answer.text;
    EXPECT_EQ(std::to_string(answer.status) + " " + answer.body.string_at("code").value_or("-") +
                  " " + answer.body.string_at("pointer").value_or("-"),
              expected)
        << method << " " << target << " " << body << " gave " << answer.text;
  }

  /// The member that a JSON Pointer names in the answer to a GET.
  Value get(const std::string& target, std::string_view pointer) {
    const Answer answer = send("GET", target);
    const Value* member = answer.body.at_pointer(pointer);
    EXPECT_NE(member, nullptr) << target << pointer << " in " << answer.text;
    return member == nullptr ? Value() : *member;
  }

  void advance_ms(std::int64_t milliseconds) { clock_->move(milliseconds * 1'000'000); }
};

}  // namespace assay::service
