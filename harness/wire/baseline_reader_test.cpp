#include "harness/wire/baseline_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace assay::wire::baseline_reader_test {
namespace {

const core::ClauseTable& clauses() {
  static const core::ClauseTable table("STM-POS-DONE\tMUST\t000 x\tText.\n");
  return table;
}

std::string problems(std::string_view text) {
  const auto result = read_baseline(text, "b.yaml", clauses());
  std::string all;
  if (!result) {
    for (const core::Diagnostic& problem : result.error())
      all += core::diagnostic_text(problem) + "\n";
  }
  return all;
}

TEST(BaselineReader, ReadsEveryMember) {
  const auto result = read_baseline(R"(
expected_failures:
  - case: status/*
    clause: STM-POS-DONE
    reason: known
    reference: https://example.org/1
    expires: 2026-12-31
  - {case: a/b, clause: STM-POS-DONE, reason: r, sometimes: true}
)",
                                    "b.yaml", clauses());
  ASSERT_TRUE(result);
  const auto& entries = result.value().entries;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].case_glob, "status/*");
  EXPECT_EQ(entries[0].clause, "STM-POS-DONE");
  EXPECT_EQ(entries[0].reason, "known");
  EXPECT_EQ(entries[0].reference, "https://example.org/1");
  EXPECT_EQ(entries[0].expires, "2026-12-31");
  EXPECT_EQ(entries[0].at.line, 3);
  EXPECT_FALSE(entries[0].sometimes);
  EXPECT_TRUE(entries[1].sometimes);
  EXPECT_EQ(problems("expected_failures: []"), "");
}

TEST(BaselineReader, ReadsWhatIsSeenWhoSeesToItAndWhereItHolds) {
  const auto result = read_baseline(R"(
expected_failures:
  - case: a/b
    clause: STM-POS-DONE
    seen: 'executions.status /state: "COMPLETED" -> *'
    verdict: fail
    reason: known
    owner: team-x
    when: {profile: mine, target: engine 4.*}
  - {case: a/c, clause: STM-POS-DONE, seen: [x, y], reason: r}
)",
                                    "b.yaml", clauses());
  ASSERT_TRUE(result);
  const auto& entries = result.value().entries;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].seen,
            std::vector<std::string>{"executions.status /state: \"COMPLETED\" -> *"});
  EXPECT_EQ(entries[0].verdict, core::Verdict::fail);
  EXPECT_EQ(entries[0].owner, "team-x");
  EXPECT_EQ(entries[0].profile, "mine");
  EXPECT_EQ(entries[0].target, "engine 4.*");
  EXPECT_EQ(entries[0].at.line, 3);
  EXPECT_EQ(entries[0].last_line, 9);
  EXPECT_EQ(entries[1].seen, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(entries[1].last_line, 10);
}

TEST(BaselineReader, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"{}", "a baseline needs \"expected_failures\""},
      {"expected_failures: {}", "found a mapping, expected a list"},
      {"expected_failures: [{case: a}]", "an expected failure needs \"reason\""},
      {"expected_failures: [{reason: a}]", "an expected failure needs \"case\""},
      {"expected_failures: [{case: a, reason: b}]", "an expected failure needs \"clause\""},
      {"expected_failures: [{case: a, reason: ''}]", "text that is not empty"},
      {"expected_failures: [{case: a, seen: 3}]", "expected what is seen"},
      {"expected_failures: [{case: a, seen: []}]", "expected what is seen"},
      {"expected_failures: [{case: a, verdict: pass}]", "expected fail or inconclusive"},
      {"expected_failures: [{case: a, when: {profil: x}}]", "did you mean \"profile\"?"},
      {"expected_failures: [{case: a, reason: b, clause: STM-POS-DON}]",
       "b.yaml:1:50: unknown clause \"STM-POS-DON\"; did you mean \"STM-POS-DONE\"?"},
      {"expected_failures: [{case: a, reason: b, expires: 2026-02-30}]", "a day such as"},
      {"expected_failures: [{case: a, reason: b, expires: soon}]", "a day such as"},
      {"expected_failures: [{case: a, reason: b, expire: x}]", "did you mean \"expires\"?"},
  };
  for (const auto& [text, message] : faults) {
    const std::string found = problems(text);
    EXPECT_NE(found.find(message), std::string::npos) << text << "\n" << found;
  }
}

TEST(BaselineReader, ReadsThoseOfTheRealServers) {
  const auto content = [](const std::filesystem::path& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::filesystem::path fixtures = ASSAY_SOURCE_DIR "/fixtures";
  const core::ClauseTable table(content(fixtures / "spec/clauses.tsv"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(fixtures / "baselines")) {
    const auto result = read_baseline(content(entry.path()), entry.path().filename(), table);
    ASSERT_TRUE(result) << entry.path();
    EXPECT_FALSE(result.value().entries.empty()) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2);
}

}  // namespace
}  // namespace assay::wire::baseline_reader_test
