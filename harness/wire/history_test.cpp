#include "harness/wire/history.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace assay::wire::history_test {
namespace {

core::Secrets no_secrets() { return core::Secrets(std::span<const core::CaseResult>()); }

core::Call call_of(core::Operation asked, core::Answer answer) {
  core::Call call;
  call.asked = std::move(asked);
  call.answer = std::make_shared<const core::Answer>(std::move(answer));
  return call;
}

/// Two calls of branches, of which the second returned first, and a request that had no answer.
core::History sample() {
  core::History history;
  history.exchanges.resize(3);
  history.exchanges[0].operation = "runs.create";
  history.exchanges[0].request = {"POST", "/runs", {{"a", "b"}}, R"({"run_id":"r"})"};
  history.exchanges[0].response = core::HttpResponse{201, {{"X", "y"}}, R"({"status":"created"})"};
  history.exchanges[0].called_ms = 0.25;
  history.exchanges[0].returned_ms = 3.5;
  history.exchanges[1].operation = "profile";
  history.exchanges[2].operation = "runs.get";
  history.exchanges[2].error = core::TransportError{core::TransportFault::closed, "reset", true};
  core::Answer created;
  created.acceptance = core::Acceptance::accepted;
  created.status = 201;
  created.mapped =
      Object{{"status", "created"}, {"big", std::numeric_limits<std::uint64_t>::max()}};
  created.body = List{1.0, 1, nullptr, "\u00e9"};
  history.calls.push_back(call_of({"runs.create", {{"run_id", "r"}, {"n", 1.5}}}, created));
  history.calls[0].exchanges = {0, 2};
  history.calls[0].called_ms = 0.25;
  history.calls[0].returned_ms = 3.5;
  core::Answer lost;
  lost.transport = history.exchanges[2].error;
  lost.trouble = "reset";
  history.calls.push_back(call_of({core::raw_request, {}}, lost));
  history.calls[1].exchanges = {1};
  history.calls[1].is_look = true;
  history.calls[1].is_later_page = true;
  return history;
}

core::History read(std::string_view text) {
  auto result = read_history(text, "h.ndjson");
  if (result) return *std::move(result);
  for (const auto& problem : result.error()) {
    ADD_FAILURE() << core::diagnostic_text(problem);
  }
  return {};
}

std::string problem_of(std::string_view text) {
  const auto result = read_history(text, "h.ndjson");
  return result ? "" : core::diagnostic_text(result.error().front());
}

TEST(History, IsReadAsItWasWritten) {
  const std::string text = history_lines(sample(), no_secrets());
  const core::History history = read(text);
  EXPECT_EQ(history_lines(history, no_secrets()), text);
  ASSERT_EQ(history.calls.size(), 2U);
  ASSERT_EQ(history.exchanges.size(), 3U);
  const core::Call& created = history.calls[0];
  EXPECT_EQ(created.asked.name, "runs.create");
  EXPECT_EQ(created.asked.parameters, sample().calls[0].asked.parameters);
  EXPECT_EQ(created.answer->acceptance, core::Acceptance::accepted);
  EXPECT_EQ(created.answer->status, 201);
  EXPECT_EQ(created.answer->mapped, sample().calls[0].answer->mapped);
  EXPECT_EQ(created.answer->body, sample().calls[0].answer->body);
  EXPECT_EQ(created.called_ms, 0.25);
  EXPECT_EQ(created.returned_ms, 3.5);
  EXPECT_EQ(created.exchanges, (std::vector<std::size_t>{0, 2}));
  EXPECT_FALSE(created.is_look);
  EXPECT_FALSE(created.is_later_page);
  const core::Call& lost = history.calls[1];
  EXPECT_EQ(lost.asked.name, core::raw_request);
  EXPECT_EQ(lost.answer->acceptance, core::Acceptance::no_answer);
  ASSERT_TRUE(lost.answer->transport);
  EXPECT_EQ(lost.answer->transport->fault, core::TransportFault::closed);
  EXPECT_TRUE(lost.answer->transport->request_sent);
  EXPECT_EQ(lost.answer->trouble, "reset");
  EXPECT_TRUE(lost.is_look);
  EXPECT_TRUE(lost.is_later_page);
  EXPECT_EQ(history.exchanges[0].response->body, R"({"status":"created"})");
  EXPECT_EQ(history.exchanges[2].error->detail, "reset");
}

TEST(History, HasAnswersWholeThatARecordWouldCut) {
  core::Answer large;
  large.body = std::string(std::size_t{1024} * 1024, 'x');
  core::History history;
  history.calls = {call_of({"events.list", {}}, large)};
  EXPECT_EQ(read(history_lines(history, no_secrets())).calls[0].answer->body, large.body);
}

TEST(History, ShowsNoSecretWhereverItWasEchoed) {
  core::CaseResult carrier;
  carrier.exchanges.resize(1);
  carrier.exchanges[0].request.headers = {{"X-Key", "s3cret-token", true}};
  core::Answer echo;
  echo.mapped = Object{{"s3cret-token", List{"is s3cret-token"}}};
  echo.trouble = "s3cret-token";
  core::History history;
  history.exchanges = carrier.exchanges;
  history.calls = {call_of({"runs.create", {{"run_id", "s3cret-token"}}}, echo)};
  const std::string text = history_lines(history, core::Secrets(std::span(&carrier, 1)));
  EXPECT_EQ(text.find("s3cret"), std::string::npos) << text;
  EXPECT_NE(text.find("is ***"), std::string::npos) << text;
}

TEST(History, ThatIsWrongSaysWhere) {
  EXPECT_EQ(problem_of("{\"type\":\"call\",\"exchanges\":[0]}\n"),
            "h.ndjson:1:1: found a call of exchange 0, expected one of the 0 before it");
  EXPECT_NE(problem_of("{\"type\":\"exchange\"}\n{").find("h.ndjson:2:"), std::string::npos);
  EXPECT_EQ(problem_of("{}"), "h.ndjson:1:1: found no \"type\", expected exchange or call");
  EXPECT_EQ(problem_of(R"({"type":"call","answer":{"acceptance":"maybe"}})"),
            "h.ndjson:1:1: /answer/acceptance: found string, expected an acceptance");
  EXPECT_EQ(problem_of(R"({"type":"call","asked":{"parameters":[]}})"),
            "h.ndjson:1:1: /asked/parameters: found array, expected an object");
}

TEST(History, PassesOverWhatLaterVersionsAdd) {
  EXPECT_EQ(read("{\"type\":\"comment\"}\n{\"type\":\"exchange\",\"new\":1}\n").exchanges.size(),
            1U);
}

}  // namespace
}  // namespace assay::wire::history_test
