#include "base/rfc3339.h"

#include <gtest/gtest.h>

#include <chrono>

namespace assay {
namespace {

using std::chrono::milliseconds;

TEST(Rfc3339, HasMilliseconds) {
  EXPECT_EQ(rfc3339(Instant{}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339(Instant{milliseconds(1'709'251'199'007)}), "2024-02-29T23:59:59.007Z");
  EXPECT_EQ(rfc3339(Instant{milliseconds(-1)}), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace assay
