#include "harness/audit/block_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace assay::audit {
namespace {

/// "line:column text" of each event, and of each bad text "line:column !message".
std::vector<std::string> read(const std::string& text, ReadLimits limits = {}) {
  const auto source = text_source(text, "log");
  BlockReader reader(*source, 0, 0, limits);
  std::vector<std::string> found;
  Block block;
  while (reader.next(block)) {
    for (const TextSpan& span : block.events) {
      found.push_back(std::to_string(span.place.line) + ":" + std::to_string(span.place.column) +
                      " " + std::string(block.text.view().substr(span.offset, span.size)));
    }
    for (const BadText& bad : block.bad) {
      found.push_back(std::to_string(bad.place.line) + ":" + std::to_string(bad.place.column) +
                      " !" + bad.message);
    }
  }
  return found;
}

using Found = std::vector<std::string>;

/// What is found is the same however little is read at once.
Found read_in_any_way(const std::string& text) {
  const Found whole = read(text);
  for (const std::size_t bytes : {1U, 2U, 3U, 7U}) {
    EXPECT_EQ(read(text, {.block_bytes = bytes}), whole) << bytes;
  }
  return whole;
}

TEST(BlockReader, ReadsALineAtATime) {
  EXPECT_EQ(read_in_any_way("{}\n\n  \r\n{\"a\":1}\r\n[]"),
            (Found{"1:1 {}", "4:1 {\"a\":1}", "5:1 []"}));
  EXPECT_EQ(read_in_any_way("\xef\xbb\xbf{}\n"), Found{"1:1 {}"});
  EXPECT_EQ(read_in_any_way(""), Found{});
  EXPECT_EQ(read_in_any_way("\n\n"), Found{});
}

TEST(BlockReader, ReadsAnArrayOfEvents) {
  EXPECT_EQ(read_in_any_way("\n [ {\"a\": [1, \"],{\\\"\"]} ,\n  {}\n]\n"),
            (Found{"2:4 {\"a\": [1, \"],{\\\"\"]}", "3:3 {}"}));
  EXPECT_EQ(read_in_any_way("[]"), Found{});
  EXPECT_EQ(read_in_any_way("[7, \"x\"]"), (Found{"1:2 7", "1:5 \"x\""}));
}

TEST(BlockReader, SaysWhatIsWrongWithAnArray) {
  EXPECT_EQ(read("[{},,{}]"), (Found{"1:2 {}", "1:6 {}", "1:5 !found ,, expected an event"}));
  EXPECT_EQ(read("[{},]"), (Found{"1:2 {}", "1:5 !found ], expected an event"}));
  EXPECT_EQ(read("[{}] x y"),
            (Found{"1:2 {}", "1:6 !found more text, expected nothing behind the array"}));
  EXPECT_EQ(read("[{}"),
            (Found{"1:2 {}", "1:4 !found the end of the text, expected the array's ]"}));
  EXPECT_THROW(
      static_cast<void>(read("[\"" + std::string(100, 'x'), {.block_bytes = 10, .line_bytes = 20})),
      ReadError);
}

TEST(BlockReader, PassesOverALineThatIsTooLong) {
  const std::string text = "{}\n" + std::string(100, 'x') + "\n{}\n" + std::string(100, 'y');
  const std::string message = " !found an event of more than 20 bytes, expected a shorter one";
  for (const std::size_t bytes : {8U, 1'000U}) {
    Found found = read(text, {.block_bytes = bytes, .line_bytes = 20});
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (Found{"1:1 {}", "2:1" + message, "3:1 {}", "4:1" + message})) << bytes;
  }
}

TEST(BlockReader, CountsEventsOfAllSources) {
  const auto source = text_source("{}\n{}\n", "log");
  BlockReader reader(*source, 1, 5);
  std::uint64_t ordinal = 5;
  Block block;
  while (reader.next(block)) {
    EXPECT_EQ(block.events.front().ordinal, ordinal);
    EXPECT_EQ(block.events.at(0).place.source, 1U);
    ordinal += block.events.size();
  }
  EXPECT_EQ(reader.ordinal(), 7U);
}

}  // namespace
}  // namespace assay::audit
