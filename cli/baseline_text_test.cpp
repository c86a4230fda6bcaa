#include "cli/baseline_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cli/specification.h"
#include "harness/wire/baseline_reader.h"

namespace assay::cli::baseline_text_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* first_day = "2026-06-15";
const EntryDefaults defaults = {.reason = "new", .owner = "me", .expires = "2026-09-13"};

core::CaseResult failing(std::string id, std::string clause, std::string actual) {
  core::CaseResult result;
  result.id = std::move(id);
  result.verdict = core::Verdict::fail;
  core::Check check;
  check.clauses = {std::move(clause)};
  check.verdict = core::Verdict::fail;
  check.expected = "/state: \"X\"";
  check.actual = std::move(actual);
  result.checks.push_back(std::move(check));
  return result;
}

core::CaseResult passing(std::string id) {
  core::CaseResult result;
  result.id = std::move(id);
  result.verdict = core::Verdict::pass;
  return result;
}

core::Baseline read(const std::string& text) {
  auto result = wire::read_baseline(text, "b.yaml", clause_table());
  if (!result) {
    ADD_FAILURE() << core::diagnostic_text(result.error().front()) << "\n" << text;
    return {};
  }
  return result.value();
}

core::RunRecord record_of(std::vector<core::CaseResult> cases) {
  core::RunRecord record;
  record.cases = std::move(cases);
  record.footer = core::RecordFooter{};
  return record;
}

core::BaselineFindings apply(core::RunRecord& record, const core::Baseline& baseline) {
  return core::apply_baseline(record, baseline, {},
                              {.today = first_day, .clauses = &clause_table()});
}

std::string updated(const std::string& text, core::RunRecord record) {
  const core::Baseline baseline = read(text);
  const core::BaselineFindings findings = apply(record, baseline);
  return updated_baseline(text, baseline, findings, record, defaults);
}

TEST(BaselineText, AClausesReasonIsThatOfWhatElseItsCauseBreaks) {
  const core::RunRecord record =
      record_of({failing("s/a", "STM-EXEC-R1", "\"Y\""), failing("s/b", "STM-CORE-1", "\"Y\""),
                 failing("s/c", "STM-API-TERM", "\"Y\""), failing("s/d", "STM-CORE-1", "\"Z\""),
                 failing("s/e", "STM-STATE-1", "\"W\"")});
  EntryDefaults mine = defaults;
  mine.reasons = {{"STM-EXEC-R1", "reopened"}, {"STM-API-TERM", "forgotten"}};
  std::map<std::string, std::string> reasons;
  for (const core::BaselineEntry& entry : missing_entries(record, {}, mine)) {
    reasons[entry.case_glob] = entry.reason;
  }
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{{"s/a", "reopened"},
                                                         {"s/b", "reopened"},
                                                         {"s/c", "forgotten"},
                                                         {"s/d", "new"},
                                                         {"s/e", "new"}}));
}

TEST(BaselineText, OfARecordExpectsAllOfItsFailures) {
  core::RunRecord record = record_of(
      {failing("s/a", "STM-EXEC-R1", "\"Y\""), failing("s/b[x]", "STM-CORE-1", "\"Z\""),
       failing("s/b[y]", "STM-CORE-1", "\"Z\""), failing("properties/f-0", "STM-CORE-1", "\"W\""),
       passing("properties/f-1"), passing("s/c")});
  const std::string text = baseline_text(record, missing_entries(record, {}, defaults));
  EXPECT_THAT(text, HasSubstr("- case: s/b[*]\n"));
  EXPECT_THAT(text, HasSubstr("- case: properties/f-*\n"));
  EXPECT_THAT(text, HasSubstr("sometimes: true\n"));
  EXPECT_TRUE(apply(record, read(text)).empty());
  for (const core::CaseResult& result : record.cases) {
    EXPECT_EQ(result.expected_fail, result.verdict == core::Verdict::fail) << result.id;
  }
}

TEST(BaselineText, RowsThatFailInDifferentWaysAreNamedEach) {
  const core::RunRecord record =
      record_of({failing("s/b[x]", "STM-CORE-1", "1"), failing("s/b[y]", "STM-CORE-1", "2")});
  EXPECT_EQ(missing_entries(record, {}, defaults).size(), 2U);
  const core::RunRecord one = record_of({failing("s/b[x]", "STM-CORE-1", "1"), passing("s/b[y]")});
  EXPECT_EQ(missing_entries(one, {}, defaults).front().case_glob, "s/b[x]");
}

constexpr const char* known =
    "# What is known.\n"
    "expected_failures:\n"
    "  # The first cause.\n"
    "  - case: s/a\n"
    "    clause: STM-EXEC-R1\n"
    "    reason: an old story   # told often\n"
    "    expires: 2026-12-31\n"
    "  # The second cause.\n"
    "  - case: s/gone\n"
    "    clause: STM-EXEC-R1\n"
    "    reason: was mended\n"
    "    expires: 2026-12-31\n";

TEST(BaselineText, AnUpdateKeepsCommentsAndOrderAndTakesWhatIsGoneAway) {
  const std::string text =
      updated(known, record_of({failing("s/a", "STM-EXEC-R1", "\"Y\""), passing("s/gone")}));
  EXPECT_THAT(text, HasSubstr("# What is known.\nexpected_failures:\n  # The first cause.\n"
                              "  - case: s/a\n    clause: STM-EXEC-R1\n"
                              "    reason: an old story   # told often\n    expires: 2026-12-31\n"
                              "    seen: \"/state: \\\"X\\\" -> \\\"Y\\\"\"\n"));
  EXPECT_THAT(text, Not(HasSubstr("s/gone")));
}

TEST(BaselineText, AnUpdateFitsTheRecord) {
  core::RunRecord record =
      record_of({failing("s/a", "STM-EXEC-R1", "\"Y\""), passing("s/gone"),
                 failing("s/new", "STM-CORE-1", "3"), failing("s/b[x]", "STM-CORE-1", "1")});
  const std::string text = updated(known, record);
  EXPECT_TRUE(apply(record, read(text)).empty()) << text;
  EXPECT_TRUE(missing_entries(record, read(text), defaults).empty());
  EXPECT_EQ(updated(text, record), text);
}

TEST(BaselineText, AFailureThatShowsAnotherWayKeepsItsReason) {
  const std::string before =
      "expected_failures:\n  - case: s/a\n    clause: STM-EXEC-R1\n    seen: \"/state: \\\"X\\\" "
      "-> 1\"\n"
      "    reason: an old story\n    owner: you\n    expires: 2026-12-31\n";
  const std::string text = updated(before, record_of({failing("s/a", "STM-EXEC-R1", "2")}));
  EXPECT_THAT(text, HasSubstr("-> 2\"\n    reason: \"an old story\"\n    owner: you\n"
                              "    expires: 2026-12-31\n"));
  EXPECT_THAT(text, Not(HasSubstr("-> 1")));
}

TEST(BaselineText, ACaseWithAnotherNameStaysUnderTheCommentOfItsCause) {
  const core::RunRecord before = record_of({failing("s/old", "STM-EXEC-R1", "1")});
  const core::RunRecord after = record_of({failing("s/new", "STM-EXEC-R1", "1")});
  const auto written = [](const core::RunRecord& record) {
    return baseline_text(record, missing_entries(record, {}, defaults));
  };
  EXPECT_EQ(updated(written(before), after), written(after));
}

TEST(BaselineText, AnExpiredEntryIsLeftToAPerson) {
  const std::string before =
      "expected_failures:\n  - case: s/a\n    clause: STM-EXEC-R1\n    reason: r\n"
      "    expires: 2026-06-14\n";
  EXPECT_EQ(updated(before, record_of({failing("s/a", "STM-EXEC-R1", "2")})), before);
}

TEST(BaselineText, OnlyTheFlakyRowOfAMatrixMayPass) {
  core::CaseResult flaky = failing("a/b[1]", "STM-CORE-1", "\"Y\"");
  flaky.retries.resize(1);
  flaky.retries[0].verdict = core::Verdict::pass;
  const core::RunRecord record =
      record_of({flaky, failing("a/b[2]", "STM-CORE-1", "\"Y\""), passing("a/c")});
  const auto entries = missing_entries(record, {}, defaults);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].case_glob, "a/b[1]");
  EXPECT_TRUE(entries[0].sometimes);
  EXPECT_EQ(entries[1].case_glob, "a/b[2]");
  EXPECT_FALSE(entries[1].sometimes);
}

TEST(BaselineText, OfSeveralRecordsKnowsWhatDiffersBetweenThem) {
  const std::vector<core::RunRecord> records = {
      record_of({failing("s/race", "STM-CORE-1", "1"), failing("s/sure", "STM-CORE-1", "1"),
                 failing("s/now", "STM-CORE-1", "1"), failing("s/r[x]", "STM-CORE-1", "1"),
                 failing("s/r[y]", "STM-CORE-1", "1")}),
      record_of({failing("s/race", "STM-CORE-1", "2"), failing("s/sure", "STM-CORE-1", "1"),
                 passing("s/now"), failing("s/r[x]", "STM-CORE-1", "1"),
                 failing("s/r[y]", "STM-CORE-1", "1")})};
  const auto entries = missing_entries(records, {}, defaults);
  std::map<std::string, std::pair<bool, std::size_t>> written;
  for (const core::BaselineEntry& entry : entries) {
    written[entry.case_glob] = {entry.sometimes, entry.seen.size()};
  }
  EXPECT_EQ(written,
            (std::map<std::string, std::pair<bool, std::size_t>>{{"s/race", {true, 2U}},
                                                                 {"s/sure", {false, 1U}},
                                                                 {"s/now", {true, 1U}},
                                                                 {"s/r[*]", {false, 1U}}}));
  const core::Baseline baseline = read(baseline_text(records.front(), entries));
  for (core::RunRecord record : records) EXPECT_TRUE(apply(record, baseline).empty());
}

TEST(BaselineText, AnUpdateKeepsTheOtherWaysOfARace) {
  const core::RunRecord first = record_of({failing("s/race", "STM-CORE-1", "1")});
  const core::RunRecord second = record_of({failing("s/race", "STM-CORE-1", "2")});
  const std::string known_once = baseline_text(first, missing_entries(first, {}, defaults));
  const core::Baseline baseline = read(known_once);
  core::RunRecord judged = second;
  const core::BaselineFindings findings = apply(judged, baseline);
  const std::string text =
      updated_baseline(known_once, baseline, findings, judged, defaults, {"s/race"});
  EXPECT_THAT(text, HasSubstr("    seen:\n      - \"/state: \\\"X\\\" -> 1\"\n"
                              "      - \"/state: \\\"X\\\" -> 2\"\n"));
  for (core::RunRecord record : {first, second}) EXPECT_TRUE(apply(record, read(text)).empty());
  // A third way of what is known to be a race is one too, and takes nothing away.
  core::RunRecord third = record_of({failing("s/race", "STM-CORE-1", "3")});
  const std::string more = updated(text, third);
  for (core::RunRecord record : {first, second, third}) {
    EXPECT_TRUE(apply(record, read(more)).empty()) << more;
    EXPECT_TRUE(record.cases.front().expected_fail);
  }
}

TEST(BaselineText, WhatARaceShowsBesidesOneThingThatStaysIsShownSometimes) {
  core::CaseResult first = failing("s/race", "STM-CORE-1", "always");
  core::CaseResult second = first;
  first.checks.push_back(failing("", "STM-CORE-1", "1").checks.front());
  second.checks.push_back(failing("", "STM-CORE-1", "2").checks.front());
  const core::RunRecord before = record_of({first});
  const std::string known_once = baseline_text(before, missing_entries(before, {}, defaults));
  core::RunRecord after = record_of({second});
  const core::BaselineFindings findings = apply(after, read(known_once));
  const std::string text =
      updated_baseline(known_once, read(known_once), findings, after, defaults, {"s/race"});
  for (core::RunRecord record : {before, after}) {
    EXPECT_TRUE(apply(record, read(text)).empty()) << text;
    EXPECT_TRUE(record.cases.front().expected_fail);
  }
}

TEST(BaselineText, AnEntryForEveryFamilyBecomesOneForEach) {
  const std::string before =
      "expected_failures:\n  - case: properties/*\n    clause: STM-CORE-1\n    reason: known\n"
      "    expires: 2026-12-31\n    sometimes: true\n";
  const std::string text =
      updated(before, record_of({failing("properties/f-0", "STM-CORE-1", "1"),
                                 failing("properties/g-0", "STM-CORE-1", "2")}));
  EXPECT_THAT(text, Not(HasSubstr("properties/*")));
  EXPECT_THAT(text, HasSubstr("case: properties/f-*\n"));
  EXPECT_THAT(text, HasSubstr("case: properties/g-*\n"));
  EXPECT_THAT(text, HasSubstr("reason: \"known\""));
}

}  // namespace
}  // namespace assay::cli::baseline_text_test
