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
