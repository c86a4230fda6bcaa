#include "harness/wire/record.h"

#include <gtest/gtest.h>

#include <limits>

#include "harness/wire/json.h"

namespace assay::wire::record_test {
namespace {

core::RecordHeader sample_header() {
  core::RecordHeader header;
  header.assay_version = "0.1.0";
  header.suite_digest = "aa";
  header.profile = "reference";
  header.profile_digest = "bb";
  header.target = "http://127.0.0.1:1";
  header.target_identity = "assay 0.1.0";
  header.run_id = "2a-5f3a91c2";
  header.baseline = "b.yaml";
  header.baseline_digest = "sha256:77";
  header.seed = std::numeric_limits<std::uint64_t>::max();
  header.started_at = "2026-01-01T00:00:00Z";
  header.selection = {"status/*"};
  header.interpretations = {{"repeated_cancel", "accept"}};
  return header;
}

core::CaseResult sample_case() {
  core::CaseResult result;
  result.id = "status/x[0]";
  result.title = "X \"quoted\"\n";
  result.seed = "000";
  result.clauses = {"STM-POS-DONE"};
  result.verdict = core::Verdict::fail;
  result.expected_fail = true;
  result.unexpected_pass = true;
  result.baseline_reasons = {"known (https://example.org/1)"};
  result.reason = "because";
  result.duration_ms = 12.25;
  result.repro = "assay run --case status/x[0]";
  core::Check check;
  check.clauses = {"STM-POS-DONE"};
  check.verdict = core::Verdict::fail;
  check.at = "x.yaml:1:2";
  check.expected = "RUNNING";
  check.actual = "COMPLETED";
  check.reason = "r";
  check.looked_ms = 100;
  check.looks = 3;
  check.evidence = {1, 0};
  result.checks = {check};
  core::Exchange answered;
  answered.operation = "executions.start";
  answered.request = {"POST", "/executions", {{"content-type", "application/json"}}, "{}"};
  answered.response = core::HttpResponse{201, {{"X", "y"}}, R"({"execution_id":"e"})"};
  answered.called_ms = 0.5;
  answered.returned_ms = 1.75;
  core::Exchange broken;
  broken.operation = "runs.get";
  broken.request = {"GET", "/runs/x", {}, std::nullopt};
  broken.error = core::TransportError{core::TransportFault::body_limit, "9 MiB", true};
  result.exchanges = {answered, broken};
  return result;
}

core::RecordFooter sample_footer() {
  return {1,
          99.5,
          {{"execution", {"PENDING", "RUNNING"}, {"RUNNING"}, {"t1", "t2"}, {"t1"}}},
          {"b.yaml:2:5: stale"}};
}

std::string whole_record() {
  return record_line(sample_header()) + record_line(sample_case()) + record_line(sample_footer());
}

core::RunRecord read(std::string_view text) {
  auto result = read_record(text, "r.ndjson");
  if (!result) {
    for (const auto& problem : result.error()) ADD_FAILURE() << core::diagnostic_text(problem);
    return {};
  }
  return std::move(result).value();
}

std::string problems(std::string_view text) {
  const auto result = read_record(text, "r.ndjson");
  std::string all;
  if (!result) {
    for (const core::Diagnostic& problem : result.error())
      all += core::diagnostic_text(problem) + "\n";
  }
  return all;
}

TEST(Record, IsReadAsItWasWritten) {
  const std::string text = whole_record();
  const core::RunRecord record = read(text);
  ASSERT_TRUE(record.footer);
  ASSERT_EQ(record.cases.size(), 1U);
  EXPECT_EQ(record_line(record.header) + record_line(record.cases[0]) + record_line(*record.footer),
            text);
  EXPECT_EQ(record.header.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(record.header.interpretations, sample_header().interpretations);
  const core::CaseResult& result = record.cases[0];
  EXPECT_EQ(result.title, sample_case().title);
  EXPECT_EQ(result.verdict, core::Verdict::fail);
  EXPECT_TRUE(result.expected_fail);
  EXPECT_TRUE(result.unexpected_pass);
  EXPECT_EQ(result.baseline_reasons, sample_case().baseline_reasons);
  EXPECT_EQ(record.header.run_id, "2a-5f3a91c2");
  EXPECT_EQ(record.header.baseline, "b.yaml");
  EXPECT_EQ(record.footer->baseline_findings, std::vector<std::string>{"b.yaml:2:5: stale"});
  EXPECT_EQ(result.duration_ms, 12.25);
  EXPECT_EQ(result.checks.at(0).evidence, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(result.checks.at(0).looks, 3);
  EXPECT_EQ(result.exchanges.at(0).response->body, R"({"execution_id":"e"})");
  EXPECT_EQ(result.exchanges.at(0).request.body, "{}");
  EXPECT_FALSE(result.exchanges.at(1).request.body);
  EXPECT_FALSE(result.exchanges.at(1).response);
  EXPECT_EQ(result.exchanges.at(1).error->fault, core::TransportFault::body_limit);
  EXPECT_TRUE(result.exchanges.at(1).error->request_sent);
  EXPECT_EQ(record.footer->coverage.at(0).states_seen, std::vector<std::string>{"RUNNING"});
}

TEST(Record, IsReadAlikeWhereverItsPiecesEnd) {
  const std::string text = record_line(sample_header()) + record_line(sample_case()) +
                           record_line(sample_footer()) + "{\"type\":\"hea";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, text.size()}) {
    RecordReader reader("r.ndjson");
    for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
    auto result = reader.finish();
    ASSERT_TRUE(result) << piece;
    const auto& record = result.value();
    EXPECT_EQ(record_line(record.cases.at(0)), record_line(sample_case())) << piece;
    ASSERT_TRUE(record.footer) << piece;
    EXPECT_EQ(record_line(*record.footer), record_line(sample_footer())) << piece;
  }
}

TEST(Record, PutsOneLineOnOneLine) {
  const std::string line = record_line(sample_case());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(Record, MasksSecretsAndTheirEchoes) {
  core::CaseResult result = sample_case();
  result.exchanges[0].request.headers.push_back({"authorization", "Bearer s3cret-token", true});
  result.exchanges[0].request.headers.push_back({"x-own", "other-secret", true});
  result.exchanges[0].response->body = R"({"you":"s3cret-token"})";
  result.exchanges[0].response->headers.push_back({"Set-Cookie", "session=1"});
  result.checks[0].actual = "header other-secret came back";
  const std::string line = record_line(result);
  EXPECT_EQ(line.find("s3cret-token"), std::string::npos);
  EXPECT_EQ(line.find("other-secret"), std::string::npos);
  EXPECT_EQ(line.find("session=1"), std::string::npos);
  EXPECT_NE(line.find(R"(header *** came back)"), std::string::npos);
}

TEST(Record, MakesWhatATargetSentValidAndShort) {
  core::CaseResult result = sample_case();
  result.exchanges[0].response->body = "\xff" + std::string(100, 'x');
  const std::string line = record_line(result, {.body_bytes = 11, .text_bytes = 1000});
  const auto parsed = parse_json(std::string_view(line).substr(0, line.size() - 1));
  ASSERT_TRUE(parsed);
  const Value* body = parsed.value().at_pointer("/exchanges/0/response/body");
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(body->as_string(), "⟨FF⟩xxxxxxxxxx … (90 bytes more)");
}

TEST(Record, WithoutAFooterWasCutShort) {
  const std::string cut = record_line(sample_header()) + record_line(sample_case());
  EXPECT_FALSE(read(cut).footer);
  EXPECT_EQ(read(cut).cases.size(), 1U);
  const std::string half = cut + record_line(sample_case()).substr(0, 40);
  EXPECT_EQ(read(half).cases.size(), 1U);
  EXPECT_FALSE(read(half).footer);
}

TEST(Record, PassesOverWhatItDoesNotKnow) {
  EXPECT_TRUE(read(R"({"type":"header","format":1,"new":[1]})"
                   "\n"
                   R"({"type":"note","x":1})"
                   "\n"
                   R"({"type":"footer","cases":0,"later":{}})"
                   "\n")
                  .footer);
}

TEST(Record, NamesTheLineThatIsBroken) {
  const std::string header = record_line(sample_header());
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"", "the record is empty"},
      {"{}\n", "r.ndjson:1:1: found no \"type\""},
      {header + "{\n" + record_line(sample_footer()), "r.ndjson:2:"},
      {record_line(sample_case()), "r.ndjson:1:1: found no header"},
      {header + header, "r.ndjson:2:1: found a second header"},
      {"{\"type\":\"header\",\"format\":2}\n", "found another format than 1"},
      {header + R"({"type":"case","id":"a","verdict":"good"})"
                "\n",
       "r.ndjson:2:1: /verdict: found string, expected a verdict"},
      {header + R"({"type":"case","id":7})"
                "\n",
       "/id: found integer, expected a string"},
      {header + R"({"type":"case"})"
                "\n",
       "a case without an id"},
      {header + R"({"type":"case","id":"a","checks":[{"evidence":[3]}]})"
                "\n",
       "evidence 3 of a case with 0 exchanges"},
      {header + R"({"type":"case","id":"a","checks":[{"evidence":[-1]}]})"
                "\n",
       "/checks/0/evidence/0: found integer, expected an integer in range"},
      {header + R"({"type":"footer","cases":4})"
                "\n",
       "counts 4 cases, the record has 0"},
      {header + "{\"type\":\"footer\"}\n{\"type\":\"footer\"}\n", "r.ndjson:3:1: found a second"},
      {header + "{\"type\":\"footer\"}\n{\"type\":\"case\",\"id\":\"a\"}\n", "after the footer"},
  };
  for (const auto& [text, message] : faults) {
    const std::string found = problems(text);
    EXPECT_NE(found.find(message), std::string::npos) << text << "\n" << found;
  }
}

TEST(Record, SaysOnceThatAFileIsNoRecord) {
  const std::string found = problems("# a baseline\nexpected:\n  - case: a\n");
  EXPECT_EQ(found.find("r.ndjson:1:1: no JSON"), 0U) << found;
  EXPECT_EQ(found.find("r.ndjson:2"), std::string::npos) << found;
}

}  // namespace
}  // namespace assay::wire::record_test
