// What a profile needs for a target that registers definitions before it starts them, filters
// nothing, and spreads one thing over its answer.
#include <gtest/gtest.h>

#include "harness/wire/exchange.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"

namespace assay::wire {
namespace {

const core::Profile& packager() {
  static const core::Profile profile = [] {
    auto result = read_profile(R"(
name: packager
capabilities: [workflow.start, jobs.list, runs.get]
operations:
  workflow.start:
    before:
      - request: POST /definitions
        when: workflow.steps
        body:
          name: flow-${workflow|digest}
          steps:
            for_each: workflow.steps
            give:
              block: p/${item.functionBlock}
              if: {when: item.condition, give: "`${item.condition}`"}
              # A member of this name, and no construct.
              give: {give: "${item.gift?}", wrap: "${item.paper?}"}
          order:
            list_of:
              - begin
              - "${workflow.steps.0.functionBlock}"
              - "${workflow.steps.2.functionBlock?}"
              - {for_each: workflow.steps, give: "${item.functionBlock}"}
    request: POST /executions
    body: {first_of: [{when: workflow.steps, give: "flow-${workflow|digest}"}, "${workflow}"]}
    read: {object: {uuid: /uuid}}
  jobs.list:
    request: GET /jobs
    narrow: {uuid: /uuid, state: /state}
    read: {object: {items: {items: "", each: {object: {uuid: /owner, state: /state}}},
                    next: {constant: null}}}
  runs.get:
    request: GET /runs/${run_id}
    read:
      object:
        diagnostic: {merged: [/diagnostic, {object: {error_code: /error/code, message: /error/text}}]}
)",
                               "packager.yaml", nullptr);
    if (!result) {
      for (const auto& problem : result.error()) ADD_FAILURE() << core::diagnostic_text(problem);
      return core::Profile{};
    }
    return std::move(result).value();
  }();
  return profile;
}

Value definition(std::string_view block) {
  return Object{{"steps", List{Object{{"functionBlock", block}, {"condition", false}},
                               Object{{"functionBlock", "b"}}}}};
}

const core::Hook& registration() {
  return packager().operations.at("workflow.start").before.front();
}

std::string start_body(Value workflow) {
  const auto request =
      render_request(packager(), {"workflow.start", {{"workflow", std::move(workflow)}}});
  return request.value().body.value_or("");
}

core::Answer answer_to(std::string_view operation, std::string body) {
  core::HttpResponse response;
  response.status = 200;
  response.body = std::move(body);
  return read_answer(packager(), operation, response);
}

TEST(Hook, IsDueOnlyWhereWhatItIsForIsThere) {
  EXPECT_TRUE(is_due(registration(), {{"workflow", definition("a")}}));
  EXPECT_FALSE(is_due(registration(), {{"workflow", "by-name"}}));
  EXPECT_FALSE(is_due(registration(), {}));
  EXPECT_TRUE(is_due(core::Hook{}, {}));
}

TEST(RenderHook, MakesAListOfAMembersElements) {
  const auto request = render_hook(packager(), registration(), {{"workflow", definition("a")}});
  const std::string body = request.value().body.value_or("");
  const auto parsed = parse_json(body);
  EXPECT_EQ(to_json(*parsed.value().find("steps")),
            R"([{"block":"p/a","give":{},"if":"`false`"},{"block":"p/b","give":{}}])");
}

TEST(RenderHook, JoinsListsAndElementsOfListsToOne) {
  const auto request = render_hook(packager(), registration(), {{"workflow", definition("a")}});
  const auto parsed = parse_json(request.value().body.value_or(""));
  EXPECT_EQ(to_json(*parsed.value().find("order")), R"(["begin","a","a","b"])");
}

TEST(RenderRequest, GivesEqualValuesOneDigestAndOthersAnother) {
  EXPECT_EQ(start_body(definition("a")), start_body(definition("a")));
  EXPECT_NE(start_body(definition("a")), start_body(definition("c")));
  EXPECT_TRUE(start_body(definition("a")).starts_with("\"flow-"));
  EXPECT_EQ(start_body("by-name"), "\"by-name\"");
}

TEST(RenderRequest, AsksForNothingOfWhichTheRequestsLeaveAPartOut) {
  const auto reason = [](Object step) {
    const Value workflow = Object{{"steps", List{Object{{"functionBlock", "a"}}, std::move(step)}}};
    const auto request = render_request(packager(), {"workflow.start", {{"workflow", workflow}}});
    return request ? "" : request.error().reason;
  };
  EXPECT_EQ(reason({{"functionBlock", "b"}, {"condition", true}}), "");
  EXPECT_EQ(reason({{"functionBlock", "b"}, {"gift", 1}, {"paper", "red"}}), "");
  EXPECT_EQ(reason({{"functionBlock", "b"}, {"retries", 3}}),
            "the profile's workflow.start does not say workflow.steps.1.retries");
  EXPECT_EQ(reason({{"functionBlock", Object{{"name", "b"}, {"empty", List{}}}}}), "");
}

TEST(NarrowItems, KeepsWhatTheParametersAskFor) {
  const std::string body =
      R"([{"owner":"w1","state":"PENDING"},{"owner":"w2","state":"PENDING"},{"owner":"w1"}])";
  const core::OperationTemplate& form = packager().operations.at("jobs.list");
  const auto kept = [&](const Object& parameters) {
    Value mapped = answer_to("jobs.list", body).mapped;
    narrow_items(form, parameters, mapped);
    return mapped.find("items")->as_list().size();
  };
  EXPECT_EQ(kept({}), 3U);
  EXPECT_EQ(kept({{"uuid", "w1"}}), 2U);
  EXPECT_EQ(kept({{"uuid", "w1"}, {"state", "PENDING"}}), 1U);
  EXPECT_EQ(kept({{"uuid", "w3"}}), 0U);
}

TEST(ReadAnswer, CompletesTheFirstPartByWhatOnlyLaterOnesHave) {
  const auto diagnostic = [](std::string body) {
    return to_json(*answer_to("runs.get", std::move(body)).mapped.find("diagnostic"));
  };
  EXPECT_EQ(diagnostic(R"({"diagnostic":{"message":"m"},"error":{"code":"C","text":"t"}})"),
            R"({"error_code":"C","message":"m"})");
  EXPECT_EQ(diagnostic(R"({"error":{"code":"C"}})"), "null");
}

}  // namespace
}  // namespace assay::wire
