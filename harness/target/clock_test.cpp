#include "harness/target/clock.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/rfc3339.h"

namespace assay::target {
namespace {

using std::chrono::milliseconds;

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
