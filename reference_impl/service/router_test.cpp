#include "reference_impl/service/router.h"

#include <gtest/gtest.h>

namespace assay::service {
namespace {

/// One route of each kind; every handler answers with what it was given.
class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    const Handler echo = [](const Call& call) {
      List parameters(call.parameters.begin(), call.parameters.end());
      return json_reply(200, Object{{"parameters", std::move(parameters)}, {"body", call.body()}});
    };
    router_.add("GET", "/things/{id}", BodyRule::ignored, 0, echo);
    router_.add("PUT", "/things/{id}", BodyRule::required, 20, echo);
    router_.add("POST", "/things/special", BodyRule::optional, 20, echo);
    router_.add("POST", "/known/{id}", BodyRule::required, 10000, [](const Call& call) -> Reply {
      if (call.parameters[0] != "yes") throw not_found("no such thing");
      static_cast<void>(call.object());
      throw invalid("BAD", "the detail", "/field");
    });
  }

  Reply send(std::string method, std::string target, std::string body = "",
             std::string type = "application/json") {
    Request request{std::move(method), std::move(target), {}, std::move(body)};
    if (!type.empty()) request.headers.push_back({"Content-Type", std::move(type)});
    return router_.handle(request);
  }

  static std::string code(const Reply& reply) {
    EXPECT_EQ(reply.content_type, "application/problem+json");
    const auto body = parse_json(reply.body);
    return body.value().string_at("code").value_or("");
  }

  Router router_;
};

TEST_F(RouterTest, HandsOverDecodedParameters) {
  EXPECT_EQ(send("GET", "/things/a%2Fb?x=1").body, R"({"body":null,"parameters":["a/b"]})");
  EXPECT_EQ(send("GET", "/%74hings/x").status, 200);
}

TEST_F(RouterTest, AnUnknownPathIs404WhateverTheMethodAndBody) {
  EXPECT_EQ(send("BREW", "/nowhere", std::string(99, '{'), "text/plain").status, 404);
  EXPECT_EQ(send("GET", "/things").status, 404);
  EXPECT_EQ(send("GET", "/things/").status, 404);
  EXPECT_EQ(send("GET", "/things/a/").status, 404);
  EXPECT_EQ(send("GET", "/things/%zz").status, 404);
}

TEST_F(RouterTest, AWrongMethodIs405AndNamesTheRightOnes) {
  const Reply reply = send("DELETE", "/things/a", std::string(99, '{'), "text/plain");
  EXPECT_EQ(reply.status, 405);
  ASSERT_EQ(reply.headers.size(), 1U);
  EXPECT_EQ(reply.headers[0].name, "Allow");
  EXPECT_EQ(reply.headers[0].value, "GET, PUT");
  EXPECT_EQ(send("get", "/things/a").status, 405);
}

TEST_F(RouterTest, PatternsThatOverlapShareTheirMethods) {
  EXPECT_EQ(send("POST", "/things/special").status, 200);
  EXPECT_EQ(send("GET", "/things/special").status, 200);
  EXPECT_EQ(send("DELETE", "/things/special").headers[0].value, "GET, POST, PUT");
}

TEST_F(RouterTest, LengthGoesBeforeContentType) {
  EXPECT_EQ(send("PUT", "/things/a", std::string(21, ' '), "text/plain").status, 413);
  EXPECT_EQ(send("PUT", "/things/a", std::string(20, ' '), "text/plain").status, 415);
}

TEST_F(RouterTest, ContentTypeGoesBeforeJson) {
  EXPECT_EQ(send("PUT", "/things/a", "{", "text/plain").status, 415);
  EXPECT_EQ(send("PUT", "/things/a", "{", "").status, 415);
  EXPECT_EQ(send("PUT", "/things/a", "{").status, 400);
}

TEST_F(RouterTest, TakesEveryWayToWriteTheJsonType) {
  for (const char* type : {"application/json", "Application/JSON; charset=utf-8",
                           "application/json ;x=1", "application/cloudevents+json"}) {
    EXPECT_EQ(send("PUT", "/things/a", "1", type).status, 200) << type;
  }
  for (const char* type :
       {"application/jsonx", "json", "+json", "application/+json", "text/json"}) {
    EXPECT_EQ(send("PUT", "/things/a", "1", type).status, 415) << type;
  }
}

TEST_F(RouterTest, AContentTypeIsAskedForOnlyWhereThereIsABody) {
  EXPECT_EQ(send("POST", "/things/special", "", "").status, 200);
  EXPECT_EQ(send("PUT", "/things/a", "", "").status, 400);
}

TEST_F(RouterTest, TheIdGoesAfterJsonAndBeforeContent) {
  EXPECT_EQ(send("POST", "/known/no", "{").status, 400);
  EXPECT_EQ(send("POST", "/known/no", "[]").status, 404);
  EXPECT_EQ(code(send("POST", "/known/yes", "[]")), "NOT_AN_OBJECT");
}

TEST_F(RouterTest, TooDeepIsAMatterOfContent) {
  const std::string deep = std::string(101, '[') + std::string(101, ']');
  EXPECT_EQ(send("POST", "/known/no", deep).status, 404);
  const Reply reply = send("POST", "/known/yes", deep);
  EXPECT_EQ(reply.status, 422);
  EXPECT_EQ(code(reply), "TOO_DEEP");
}

TEST_F(RouterTest, ProblemsAreProblemDetails) {
  const Reply reply = send("POST", "/known/yes", "{}");
  EXPECT_EQ(reply.body, R"({"code":"BAD","detail":"the detail","pointer":"/field","status":422,)"
                        R"("title":"Unprocessable Content","type":"about:blank"})");
}

TEST_F(RouterTest, TheHeadAloneDecidesWhereItCan) {
  Request head{
      "PUT", "/things/a", {{"Content-Type", "application/json"}, {"Content-Length", "21"}}, ""};
  ASSERT_TRUE(router_.refuse_head(head).has_value());
  EXPECT_EQ(router_.refuse_head(head)->status, 413);
  head.headers[1].value = "20";
  EXPECT_FALSE(router_.refuse_head(head).has_value());
  head.headers[1].value = "99999999999999999999999";
  EXPECT_EQ(router_.refuse_head(head)->status, 413);
  head.target = "/nowhere";
  EXPECT_EQ(router_.refuse_head(head)->status, 404);
}

}  // namespace
}  // namespace assay::service
