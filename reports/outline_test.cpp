#include "reports/outline.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::reports {
namespace {

core::Exchange exchange(std::string target, std::optional<std::string> body, std::string answer) {
  core::Exchange made;
  made.request = {body ? "POST" : "GET", std::move(target), {}, std::move(body)};
  made.response = core::HttpResponse{201, {}, std::move(answer)};
  return made;
}

TEST(Outline, ShowsAnIdentifierThatAssayMadeByItsLastPart) {
  const Outline outline = outline_of(
      exchange("/executions/assay-7-63718c07-status-a-case-4--3dc58839-main/events?limit=5",
               std::nullopt, ""));
  EXPECT_EQ(outline.request, "GET /executions/{main}/events?limit=5");
  EXPECT_EQ(outline.sent, "");
  EXPECT_EQ(outline.answer, "201");
  EXPECT_EQ(outline_of(exchange("/runs/assay-own/x", std::nullopt, "")).request,
            "GET /runs/assay-own/x");
}

TEST(Outline, TellsTheEventAndWhatItIsAbout) {
  const Outline outline = outline_of(exchange(
      "/events",
      R"({"event_id":"assay-7-x-3dc58839-e2","event_type":"step.enter","node_name":"late","timestamp":"2026-01-01T00:00:02Z"})",
      R"({"duplicate":false,"seq":3})"));
  EXPECT_EQ(outline.sent, "step.enter, node_name late");
  EXPECT_EQ(outline.answer, "201 seq 3");
}

TEST(Outline, TellsTheStateBeforeOtherMembers) {
  EXPECT_EQ(
      outline_of(exchange("/s", std::nullopt,
                          R"({"a":1,"ended_at":null,"state":"RUNNING","terminal_event":null})"))
          .answer,
      "201 state RUNNING, a 1");
}

TEST(Outline, TellsTheElementsOfAListByWhatEachIsAbout) {
  EXPECT_EQ(outline_of(exchange("/e", R"([{"event_type":"a"},{"event_type":"b"}])",
                                R"({"items":[{"state":"x"},{},{},{},{},{},{},{}]})"))
                .sent,
            "[a, b]");
  EXPECT_EQ(outline_of(exchange("/e", std::nullopt, R"({"items":[{"state":"x"},{},{}]})")).answer,
            "201 items [x, … 3]");
}

TEST(Outline, LooksIntoAnEnvelope) {
  EXPECT_EQ(outline_of(exchange("/s", std::nullopt,
                                R"({"run":{"info":{"run_id":"7","status":"RUNNING"},"data":{}}})"))
                .answer,
            "201 status RUNNING, run_id 7");
}

TEST(Outline, LeavesOutIdentifiersThatAServerMade) {
  EXPECT_EQ(outline_of(exchange("/executions/769736193947730810", std::nullopt,
                                R"({"status":"ok","execution_id":"769736193947730810",)"
                                R"("event_id":769736194073559934,"pending":12345678901234,)"
                                R"("job":"0b0e7c7e-54f5-4c6f-9d0c-0f4a1f3f2d11"})"))
                .answer,
            "201 status ok, pending 12345678901234");
  EXPECT_EQ(outline_of(exchange("/executions/769736193947730810", std::nullopt, "")).request,
            "GET /executions/769736193947730810");
}

TEST(Outline, OfABodyThatIsNoJsonOrTooLongIsLeftOut) {
  EXPECT_EQ(outline_of(exchange("/e", "<b>", std::string(9'000, '['))).sent, "");
  EXPECT_EQ(outline_of(exchange("/e", "\xFF", std::string(9'000, '['))).answer, "201");
}

std::string answered(const std::string& body) {
  return outline_of(exchange("/s", std::nullopt, body)).answer;
}

TEST(Outline, OfHostileBodiesIsBounded) {
  EXPECT_EQ(answered(R"({"state":"A","x":1,"state":"B","x":{"state":"C"},"y":2})"),
            "201 state B, y 2")
      << "a member that stands twice";
  EXPECT_EQ(answered(R"([{"state":null,"state":"A"},{"state":"B","state":[]},"C",["D"]])"),
            "201 [A, C, … 4]");
  EXPECT_EQ(answered(R"({"a":18446744073709551615,"b":-7,"c":1e22,"d":12.50,"e":0.1,"f":1})"),
            "201 b -7, c 1e+22, d 12.5, e 0.1");
  EXPECT_EQ(answered(R"({"a":123456789012345678901234567890})"), "201 a 1.2345678901234568e+29");
  for (const std::string_view broken :
       {R"({"state":"A","x":1e999})", R"({"state":"A")", R"({"state":"A"} x)", R"({"x":"\ud800"})",
        "{\"state\":\"A\",\"x\":\"\xFF\"}"}) {
    EXPECT_EQ(answered(std::string(broken)), "201") << broken;
  }
}

TEST(Outline, OfDeepBodiesIsBounded) {
  const std::string lists = std::string(4'000, '[') + std::string(4'000, ']');
  EXPECT_EQ(answered(lists), "201 [1]");
  EXPECT_EQ(answered(std::string(8'192, '[')), "201");
  std::string objects = R"({"state":"A"})";
  for (int depth = 0; depth < 1'000; ++depth) objects.insert(0, R"({"x":)").append("}");
  EXPECT_EQ(answered(objects), "201 state A");
}

TEST(Outline, SaysThatThereWasNoAnswer) {
  core::Exchange made = exchange("/e", std::nullopt, "");
  made.response.reset();
  EXPECT_EQ(outline_of(made).answer, "no answer");
  made.error = core::TransportError{core::TransportFault::refused, "", false};
  EXPECT_EQ(outline_of(made).answer,
            "no answer: " + std::string(core::transport_fault_texts[made.error->fault]));
}

}  // namespace
}  // namespace assay::reports
