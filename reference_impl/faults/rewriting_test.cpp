#include "reference_impl/faults/rewriting.h"

#include <gtest/gtest.h>

namespace assay::faults {
namespace {

/// Answers 422 about /source where there is one, else 200 with the body as it came.
class PickyService final : public service::Service {
 public:
  service::Reply handle(const service::Request& request) override {
    if (request.body.find("source") != std::string::npos) {
      return {422, "application/problem+json", R"({"pointer":"/source"})", {}};
    }
    return {200, "application/json", request.body, {}};
  }
};

service::Request post(std::string target, std::string body) {
  return {"POST", std::move(target), {}, std::move(body)};
}

TEST(Rewriting, ARouteIsMethodAndSegments) {
  EXPECT_TRUE(is_on_route(post("/runs/1/retry?x=1", ""), "POST /runs/*/retry"));
  EXPECT_FALSE(is_on_route(post("/runs/1", ""), "POST /runs/*/retry"));
  EXPECT_FALSE(is_on_route(post("/runs/1/retry/2", ""), "POST /runs/*/retry"));
  EXPECT_FALSE(is_on_route(post("/runs/1/retry", ""), "GET /runs/*/retry"));
  EXPECT_TRUE(is_on_route(post("/runs/1/retry/2", ""), "POST /runs/**"));
}

TEST(Rewriting, AQueryParameterIsTakenByItsWholeName) {
  EXPECT_EQ(query_parameter(post("/a?ab=1&b=2", ""), "b"), "2");
  EXPECT_EQ(query_parameter(post("/a", ""), "b"), "");
}

TEST(Rewriting, ForgivesOnlyTheMemberThatIsNamed) {
  PickyService service;
  const service::Request request = post("/a", R"({"kept":1,"source":2})");
  EXPECT_EQ(forgives("POST /a", "/source")(service, request).body, R"({"kept":1})");
  EXPECT_EQ(forgives("POST /a", "/kept")(service, request).status, 422);
  EXPECT_EQ(forgives("POST /b", "/source")(service, request).status, 422);
}

TEST(Rewriting, AltersAnswersOfItsRouteOnly) {
  PickyService service;
  const Intercept altered = alters_answers("POST /a", [](const service::Request&, Value& body) {
    replace_text(body, "state", "X", "Y");
  });
  EXPECT_EQ(altered(service, post("/a", R"({"state":"X"})")).body, R"({"state":"Y"})");
  EXPECT_EQ(altered(service, post("/b", R"({"state":"X"})")).body, R"({"state":"X"})");
  EXPECT_EQ(altered(service, post("/a", "no json")).body, "no json");
}

}  // namespace
}  // namespace assay::faults
