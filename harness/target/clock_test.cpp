#include "harness/target/clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace assay::target {
namespace {

using std::chrono::milliseconds;

TEST(Clock, WritesRfc3339WithMilliseconds) {
  EXPECT_EQ(rfc3339(Instant{}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339(Instant{milliseconds(1'709'251'199'007)}), "2024-02-29T23:59:59.007Z");
  EXPECT_EQ(rfc3339(Instant{milliseconds(-1)}), "1969-12-31T23:59:59.999Z");
}

TEST(Clock, MovesByHand) {
  ManualClock clock(Instant{milliseconds(1'000)});
  clock.advance(1.5);
  clock.advance(2);
  EXPECT_DOUBLE_EQ(clock.steady_ms(), 3.5);
  EXPECT_EQ(clock.wall_time(), Instant{milliseconds(1'003)});
}

TEST(Clock, OfTheMachineNeverGoesBack) {
  const SystemClock clock;
  const double before = clock.steady_ms();
  EXPECT_GE(clock.steady_ms(), before);
  EXPECT_GT(rfc3339(clock.wall_time()), "2024-01-01T00:00:00.000Z");
}

}  // namespace
}  // namespace assay::target
