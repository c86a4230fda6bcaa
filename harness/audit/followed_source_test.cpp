#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <stop_token>
#include <string>
#include <vector>

#include "base/testing/scratch_folder.h"
#include "harness/audit/byte_source.h"

namespace assay::audit {
namespace {

/// Follows a file to which each idle moment appends the next text, until there is none.
std::string followed(const std::string& begin, const std::vector<std::string>& appended) {
  const base::testing::ScratchFolder folder;
  const std::string path = folder.write("log", begin);
  std::stop_source stop;
  std::size_t next = 0;
  const auto source = follow_source(path, stop.get_token(), [&] {
    if (next == appended.size()) {
      stop.request_stop();
    } else {
      std::ofstream(path, std::ios::app) << appended[next++];
    }
  });
  std::string text;
  std::array<char, 5> piece = {};
  while (const std::size_t count = source->read(piece)) text.append(piece.data(), count);
  return text;
}

TEST(FollowedSource, GivesWhatIsWrittenWhileItReads) {
  EXPECT_EQ(followed("one\n", {"two\n", "three\nfour\n"}), "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(followed("", {}), "");
}

TEST(FollowedSource, WaitsForTheEndOfALine) {
  EXPECT_EQ(followed("on", {"e\ntw", "o", "\nthr"}), "one\ntwo\n");
}

TEST(FollowedSource, EndsWhereTheFileBecomesShorter) {
  const base::testing::ScratchFolder folder;
  const std::string path = folder.write("log", "one\n");
  const std::stop_source stop;
  const auto source = follow_source(path, stop.get_token(),
                                    [&path] { std::ofstream(path, std::ios::trunc).close(); });
  std::array<char, 100> piece = {};
  EXPECT_EQ(source->read(piece), 4U);
  EXPECT_THROW(static_cast<void>(source->read(piece)), ReadError);
  EXPECT_THROW(static_cast<void>(follow_source(folder.path("missing"), stop.get_token(), [] {})),
               ReadError);
}

}  // namespace
}  // namespace assay::audit
