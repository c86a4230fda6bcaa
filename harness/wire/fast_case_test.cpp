#include "harness/wire/fast_case.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/wire/fast_json.h"
#include "harness/wire/json.h"
#include "harness/wire/record.h"
#include "harness/wire/record_codec.h"
#include "reference_impl/model/testing/mutator.h"

namespace assay::wire::fast_case_test {
namespace {

/// A case in which every member of every part is there.
std::string whole_line() {
  core::CaseResult result;
  result.id = "status/x[0]";
  result.title = "X \"quoted\"\n\U0001F642";
  result.seed = "000";
  result.clauses = {"STM-POS-DONE", "STM-CORE-1"};
  result.verdict = core::Verdict::fail;
  result.expected_fail = true;
  result.baseline_reasons = {"known"};
  result.reason = "because";
  result.duration_ms = 12.25;
  result.repro = "assay run --case 'status/x[0]'";
  core::Check& check = result.checks.emplace_back();
  check.clauses = result.clauses;
  check.verdict = core::Verdict::inconclusive;
  check.at = "x.yaml:1:2";
  check.expected = "RUNNING";
  check.actual = "COMPLETED";
  check.reason = "r";
  check.looked_ms = -100;
  check.looks = 3;
  check.evidence = {1, 0};
  core::Exchange& answered = result.exchanges.emplace_back();
  answered.operation = "executions.start";
  answered.request = {"POST", "/executions", {{"authorization", "s3cret-value", true}}, "{}"};
  answered.response = core::HttpResponse{201, {{"X", "y"}}, R"({"execution_id":"e"})"};
  answered.called_ms = 1;
  answered.returned_ms = 1.75;
  core::Exchange& broken = result.exchanges.emplace_back();
  broken.request = {"GET", "/runs/x", {}, std::nullopt};
  broken.error = core::TransportError{core::TransportFault::body_limit, "9 MiB", true};
  result.rounds = {{0, 1, 1}, {3, 0, 1}};
  result.retries = {{core::Verdict::pass, 2, result.checks, result.exchanges, result.rounds}};
  return record_line(result);
}

std::string fast(std::string_view line) {
  const std::optional<core::CaseResult> read = FastCases().read(line);
  return read ? record_line(*read) : "";
}

/// As the decoder of a value has it; empty where that finds a fault, or another line than a case.
std::string slow(std::string_view line) {
  const auto value = parse_json(line);
  if (!value || value->string_at("type") != "case") return "";
  core::CaseResult result;
  Decoder decoder;
  decoder.decode(*value, result, "");
  return decoder.fault() ? "" : record_line(result);
}

/// The line with one text in the place of another, which it has.
std::string changed(std::string line, std::string_view from, std::string_view to) {
  const std::size_t at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? line : line.replace(at, from.size(), to);
}

bool has_simdjson() { return fast_json("1", 2).has_value(); }

TEST(FastCase, IsTheCaseThatTheDecoderReads) {
  if (!has_simdjson()) GTEST_SKIP() << "built without simdjson";
  const std::string line = whole_line();
  EXPECT_EQ(slow(line), line);
  EXPECT_EQ(fast(line), line);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"12.25", "12"},
           {"12.25", "-1e-3"},
           {R"("looks":3)", R"("looks":-9223372036854775808)"},
           {R"("evidence":[1,0])", R"("evidence":[18446744073709551615])"},
           {R"("reason":"because",)", ""},
           {R"("reason":"because",)", R"("reason":"\ud83d\ude42\u0000",)"},
           {R"("reason":"because",)", R"("reason":"because","later":[{"a":1,"a":null}],)"},
           {R"("error":null)", R"("error":{})"},
           {R"("status":201)", R"("status":-2147483648)"}}) {
    const std::string other = changed(line, from, to);
    EXPECT_EQ(fast(other), slow(other)) << to;
    EXPECT_NE(fast(other), "") << to;
  }
}

TEST(FastCase, LeavesToOthersWhatIsNoPlainCase) {
  const std::string line = whole_line();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {R"("looks":3)", R"("looks":3.0)"},
           {R"("looks":3)", R"("looks":"3")"},
           {R"("looks":3)", R"("looks":9223372036854775808)"},
           {R"("looks":3)", R"("looks":3,"looks":4)"},
           {R"("evidence":[1,0])", R"("evidence":[-1])"},
           {R"("evidence":[1,0])", R"("evidence":null)"},
           {R"("status":201)", R"("status":2147483648)"},
           {R"("verdict":"inconclusive")", R"("verdict":"INCONCLUSIVE")"},
           {"12.25", "1e999"},
           {"12.25", "012"},
           {R"("reason":"because")", R"("reason":null)"},
           {R"("reason":"because")", R"("reason":"\ud83d")"},
           {R"("reason":"because")", "\"reason\":\"\xFF\""},
           {R"("reason":"because")", "\"reason\":\"\t\""},
           {R"("reason":"because")", R"("reason":"because","type":"case")"},
           {R"("type":"case")", R"("type":"footer")"},
           {R"("type":"case")", R"("typ":"case")"}}) {
    EXPECT_EQ(fast(changed(line, from, to)), "") << to;
  }
  const std::string deep = std::string(250, '[') + std::string(250, ']');
  EXPECT_EQ(fast(changed(line, R"("reason":)", R"("later":)" + deep + R"(,"reason":)")), "");
  for (const std::string_view text : {"", "[]", "null", "{}", "{\"type\":\"case\"} x"}) {
    EXPECT_EQ(fast(text), "") << text;
  }
}

TEST(FastCase, NeverTakesWhatTheDecoderReadsOtherwise) {
  fuzzing::over_mutations({whole_line()}, 5'000, [](std::string_view text) {
    const std::string read = fast(text);
    EXPECT_EQ(read, read.empty() ? read : slow(text)) << text;
  });
}

TEST(FastCase, ReadsOneLineAfterTheOther) {
  if (!has_simdjson()) GTEST_SKIP() << "built without simdjson";
  const std::string line = whole_line();
  const std::string longer = changed(line, "because", std::string(300'000, 'x'));
  FastCases cases;
  for (const std::string& each : {line, longer, std::string("{"), line}) {
    const std::optional<core::CaseResult> read = cases.read(each);
    EXPECT_EQ(read ? record_line(*read, {.text_bytes = 1U << 20U}) : "{", each);
  }
}

}  // namespace
}  // namespace assay::wire::fast_case_test
