#include "harness/audit/executions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/testing/scratch_folder.h"
#include "harness/audit/testing/audited.h"
#include "harness/audit/testing/log_generator.h"

namespace assay::audit {
namespace {

using testing::audited;
using testing::event_line;
using testing::faulty_logs;
using testing::LogGenerator;
using testing::mixed;
using testing::record_with_places;

AuditOptions with_memory(std::size_t memory_bytes, const std::string& folder = "") {
  AuditOptions options;
  options.gathering.memory_bytes = memory_bytes;
  options.gathering.spill_folder = folder;
  return options;
}

TEST(Executions, WhatGoesToDiskIsJudgedAsIfItHadStayed) {
  LogGenerator generator(13);
  const std::string text = mixed(faulty_logs(generator), generator);
  for (const std::uint64_t ended_lines : {100'000U, 200U}) {
    AuditOptions options = with_memory(std::size_t{1} << 30U);
    options.gathering.ended_lines = ended_lines;
    const std::string kept = record_with_places(audited(text, options));
    for (const std::size_t memory_bytes : {1U, 50'000U}) {
      for (const std::size_t jobs : {1U, 8U}) {
        options.gathering.memory_bytes = memory_bytes;
        options.jobs = jobs;
        EXPECT_EQ(record_with_places(audited(text, options)), kept) << memory_bytes << " " << jobs;
      }
    }
  }
}

TEST(Executions, GoToDiskOnlyWhereMemoryIsShortAndLeaveNothingThere) {
  LogGenerator generator(13);
  const std::string text = mixed(testing::sound_logs(generator, 20), generator);
  const base::testing::ScratchFolder folder;
  const std::string missing = folder.path("missing");
  EXPECT_EQ(audited(text, with_memory(std::size_t{1} << 30U, missing)).executions, 20U);
  EXPECT_THROW(static_cast<void>(audited(text, with_memory(1'000, missing))), ReadError);
  EXPECT_EQ(audited(text, with_memory(1'000, folder.path(""))).executions, 20U);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

TEST(Executions, OneThatIsLargerThanTheMemoryIsJudgedAllTheSame) {
  std::string text;
  for (int number = 0; number < 3'000; ++number) {
    text += event_line({{"event_id", std::to_string(number)}, {"execution_id", "giant"}});
    if (number % 100 == 0) {
      const std::string other = "small" + std::to_string(number);
      text += event_line({{"execution_id", other}, {"event_type", "playbook.completed"}});
      text += event_line({{"execution_id", other}, {"event_type", "playbook.completed"}});
    }
  }
  const std::string kept = record_with_places(audited(text));
  const AuditResult result = audited(text, with_memory(10'000));
  EXPECT_EQ(result.executions, 31U);
  EXPECT_EQ(result.findings.at({check::LogRule::one_end, "playbook.completed"}).events, 30U);
  EXPECT_EQ(record_with_places(result), kept);
}

TEST(Executions, GiveTheirNewsOnceAndCountThemOnce) {
  AuditOptions options;
  options.gathering.keeps_news = true;
  Audit audit(options);
  const auto read = [&audit](const std::string& text) {
    const auto source = text_source(text, "log");
    audit.read(*source);
    std::vector<std::string> told;
    for (const auto& [cause, finding] : audit.take_news()) {
      told.push_back(std::string(check::text_of(cause.first).id) + " " + finding.example.execution);
    }
    return told;
  };
  using Told = std::vector<std::string>;
  EXPECT_EQ(read(event_line({{"event_type", "playbook.completed"}})), Told{});
  EXPECT_EQ(read(event_line({{"event_id", "f"}, {"event_type", "playbook.failed"}})),
            Told{"one-end x"});
  EXPECT_EQ(read(""), Told{});
  EXPECT_EQ(read(event_line({{"event_type", "x.z"}})), Told{"event-id-once x"});
  EXPECT_EQ(read(event_line({{"execution_id", "y"}, {"event_type", "Upper.case"}})),
            Told{"name-lower y"});
  const AuditResult result = audit.finish();
  EXPECT_EQ(result.events, 4U);
  EXPECT_EQ(result.findings.size(), 3U);
}

}  // namespace
}  // namespace assay::audit
