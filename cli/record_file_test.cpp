#include "cli/record_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "base/testing/scratch_folder.h"
#include "cli/report_files.h"
#include "cli/suite.h"

namespace assay::cli {
namespace {

constexpr std::size_t case_count = 40;

core::RunRecord record_of_many() {
  core::RunRecord record;
  record.header.seed = 7;
  for (std::size_t index = 0; index < case_count; ++index) {
    core::CaseResult result;
    result.id = fmt::format("a/case-{}", index);
    result.title = std::string(200, 'x');
    record.cases.push_back(std::move(result));
  }
  record.footer.emplace();
  record.footer->cases = case_count;
  return record;
}

class RecordFileTest : public ::testing::Test {
 protected:
  /// The record as it is while the run goes: its cases in the order of their ends.
  void stream(RecordFile& file) const {
    for (std::size_t index = case_count; index > 0; --index) file.add(record.cases.at(index - 1));
  }

  [[nodiscard]] std::size_t file_count() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each :
         std::filesystem::directory_iterator(scratch.path(""))) {
      ++count;
    }
    return count;
  }

  core::RunRecord record = record_of_many();
  base::testing::ScratchFolder scratch;
  std::string path = scratch.path("r.ndjson");
};

TEST_F(RecordFileTest, EndsInTheOrderOfThePlanWithTheDigestOfItsText) {
  RecordFile file(path, record.header);
  stream(file);
  const std::string digest = file.finish(record);
  std::string read_digest;
  const core::RunRecord read = load_record(path, &read_digest);
  ASSERT_EQ(read.cases.size(), case_count);
  EXPECT_EQ(read.cases.front().id, "a/case-0");
  EXPECT_TRUE(read.footer);
  EXPECT_EQ(digest, read_digest);
  EXPECT_EQ(digest, digest_of(read_file(path)));
  OwnDigest own(read.footer->digest);
  own.add(read_file(path));
  EXPECT_TRUE(own.is_right());
  EXPECT_EQ(file_count(), 1U);
}

/// While it lives, no file of this process may become larger.
class LargestFile {
 public:
  explicit LargestFile(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;
  ~LargestFile() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(RecordFileTest, LosesNoCaseWhereThereIsNoRoomToWriteItAnew) {
  RecordFile file(path, record.header);
  stream(file);
  {
    const LargestFile limit(std::filesystem::file_size(path) / 2);
    EXPECT_EQ(file.finish(record), "");
  }
  EXPECT_EQ(file.trouble(), path + ": File too large");
  const core::RunRecord read = load_record(path);
  EXPECT_EQ(read.cases.size(), case_count);
  EXPECT_FALSE(read.footer);
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(RecordFileTest, NoHalfFileIsLeftOfAnythingElse) {
  const LargestFile limit(10);
  EXPECT_THROW(write_file(path, std::string(100, 'x')), std::runtime_error);
  EXPECT_EQ(file_count(), 0U);
}

TEST_F(RecordFileTest, StaysBehindALink) {
  const std::string link = scratch.path("link");
  {
    const RecordFile begun(path, record.header);
  }
  std::filesystem::create_symlink(path, link);
  RecordFile file(link, record.header);
  stream(file);
  EXPECT_NE(file.finish(record), "");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(load_record(path).footer);
}

TEST(ForgetExchanges, FreesWhatItForgets) {
  core::CaseResult result;
  result.retries.emplace_back().exchanges.resize(3);
  core::Check& check = result.checks.emplace_back();
  check.verdict = core::Verdict::pass;
  check.at = "scenarios/status/late-event-after-the-end.yaml:120:5";
  check.evidence = {0, 1, 2};
  forget_exchanges(result);
  EXPECT_EQ(result.retries[0].exchanges.capacity(), 0U);
  EXPECT_EQ(result.checks[0].evidence.capacity(), 0U);
  EXPECT_EQ(result.checks[0].at.capacity(), std::string().capacity());
}

}  // namespace
}  // namespace assay::cli
