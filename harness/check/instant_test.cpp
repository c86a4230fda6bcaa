#include "harness/check/instant.h"

#include <gtest/gtest.h>

namespace assay::check {
namespace {

TEST(ExactInstant, ReadsEverySpellingOfOneMoment) {
  const auto noon = parse_instant("2026-02-05T12:00:00Z");
  ASSERT_TRUE(noon);
  EXPECT_EQ(noon->seconds, 1'770'292'800);
  for (const char* text :
       {"2026-02-05t12:00:00z", "2026-02-05T12:00:00.000000000000Z", "2026-02-05T14:30:00+02:30",
        "2026-02-04T13:00:00-23:00", "2026-02-05T11:59:60Z", "2026-02-05T12:00:00-00:00"}) {
    const auto same = parse_instant(text);
    ASSERT_TRUE(same) << text;
    EXPECT_TRUE(same->same_moment(*noon)) << text;
  }
}

TEST(ExactInstant, KeepsEveryFractionDigit) {
  EXPECT_FALSE(parse_instant("2026-02-05T12:00:00.000000001Z")
                   ->same_moment(*parse_instant("2026-02-05T12:00:00Z")));
}

TEST(ExactInstant, KnowsWhetherItWasUtc) {
  EXPECT_TRUE(parse_instant("2026-02-05T12:00:00+00:00")->utc);
  EXPECT_FALSE(parse_instant("2026-02-05T12:00:00+01:00")->utc);
}

TEST(ExactInstant, RefusesEverythingElse) {
  for (const char* text :
       {"", "2026-02-05", "2026-02-05T12:00:00", "2026-02-05 12:00:00Z", "2026-02-30T12:00:00Z",
        "2026-13-01T12:00:00Z", "2026-02-05T24:00:00Z", "2026-02-05T12:60:00Z",
        "2026-02-05T12:00:61Z", "2026-02-05T12:00:00.Z", "2026-02-05T12:00:00+24:00",
        "2026-02-05T12:00:00+0100", "2026-02-05T12:00:00ZZ", "226-02-05T12:00:00Z",
        "2026-02-05T12:00Z", "2026-02-05T12:00:00+01:60"}) {
    EXPECT_FALSE(parse_instant(text)) << text;
  }
}

}  // namespace
}  // namespace assay::check
