#include "reference_impl/model/events/timestamp.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace assay::events {
namespace {

TEST(Timestamp, IsShownAsTheSameInstantInUtc) {
  struct Case {
    std::string_view written, shown;
  };
  constexpr Case cases[] = {
      {"2026-02-05T23:11:22Z", "2026-02-05T23:11:22Z"},
      {"2026-02-05t23:11:22z", "2026-02-05T23:11:22Z"},
      {"2026-02-05T23:11:22+00:00", "2026-02-05T23:11:22Z"},
      {"2026-02-05T23:11:22-00:00", "2026-02-05T23:11:22Z"},
      {"2026-02-05T23:11:22+02:00", "2026-02-05T21:11:22Z"},
      {"2026-02-05T23:11:22-05:30", "2026-02-06T04:41:22Z"},
      {"2026-01-01T00:00:00+00:01", "2025-12-31T23:59:00Z"},
      {"2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"},
      {"2000-02-29T12:00:00Z", "2000-02-29T12:00:00Z"},
      {"2024-03-01T00:00:00+01:00", "2024-02-29T23:00:00Z"},
      {"2026-02-05T23:11:22+23:59", "2026-02-04T23:12:22Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"},
      {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"},
  };
  for (const auto& [written, shown] : cases) {
    EXPECT_EQ(normalized_timestamp(written), std::string(shown)) << written;
  }
}

TEST(Timestamp, KeepsUpToNineDigitsOfTheFractionAsWritten) {
  EXPECT_EQ(normalized_timestamp("2026-02-05T23:11:22.5Z"), "2026-02-05T23:11:22.5Z");
  EXPECT_EQ(normalized_timestamp("2026-02-05T23:11:22.500Z"), "2026-02-05T23:11:22.500Z");
  EXPECT_EQ(normalized_timestamp("2026-02-05T23:11:22.123456789Z"),
            "2026-02-05T23:11:22.123456789Z");
  EXPECT_EQ(normalized_timestamp("2026-02-05T23:11:22.1234567899Z"),
            "2026-02-05T23:11:22.123456789Z");
  EXPECT_EQ(normalized_timestamp("2026-02-06T00:11:22.25+01:00"), "2026-02-05T23:11:22.25Z");
}

TEST(Timestamp, TakesSecondSixtyAsTheSecondAfterFiftyNine) {
  EXPECT_EQ(normalized_timestamp("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(normalized_timestamp("2026-02-05T10:30:60.25Z"), "2026-02-05T10:31:00.25Z");
  EXPECT_EQ(normalized_timestamp("1990-12-31T15:59:60-08:00"), "1991-01-01T00:00:00Z");
}

TEST(Timestamp, RefusesWhatIsNoRfc3339DateTime) {
  constexpr std::string_view refused[] = {
      "",
      "now",
      "2026-02-05",
      "2026-02-05T23:11Z",
      "2026-02-05T23:11:22",
      "2026-02-05 23:11:22Z",
      "2026-02-05_23:11:22Z",
      "2026-02-05T23:11:22.Z",
      "2026-02-05T23:11:22,5Z",
      "2026-02-05T23:11:22+0100",
      "2026-02-05T23:11:22+01",
      "2026-02-05T23:11:22+24:00",
      "2026-02-05T23:11:22+01:60",
      "2026-02-05T23:11:22ZZ",
      "2026-02-05T23:11:22Z ",
      " 2026-02-05T23:11:22Z",
      "2026-2-5T23:11:22Z",
      "26-02-05T23:11:22Z",
      "+2026-02-05T23:11:22Z",
      "20260205T231122Z",
      "2026-00-05T23:11:22Z",
      "2026-13-05T23:11:22Z",
      "2026-02-00T23:11:22Z",
      "2026-02-29T23:11:22Z",
      "1900-02-29T23:11:22Z",
      "2026-04-31T23:11:22Z",
      "2026-02-05T24:00:00Z",
      "2026-02-05T23:60:22Z",
      "2026-02-05T23:11:61Z",
      "2026-02-05T23:11:22\u221201:00",
      "1770333082",
  };
  for (const std::string_view text : refused) {
    EXPECT_EQ(parse_timestamp(text), std::nullopt) << text;
    EXPECT_EQ(normalized_timestamp(text), std::nullopt) << text;
  }
}

TEST(Timestamp, RefusesYearsOutside1To9999AsWrittenAndInUtc) {
  EXPECT_EQ(parse_timestamp("0000-06-01T00:00:00Z"), std::nullopt);
  EXPECT_EQ(parse_timestamp("10000-01-01T00:00:00Z"), std::nullopt);
  EXPECT_EQ(parse_timestamp("0001-01-01T00:00:00+00:01"), std::nullopt);
  EXPECT_EQ(parse_timestamp("9999-12-31T23:59:59-00:01"), std::nullopt);
  EXPECT_EQ(parse_timestamp("9999-12-31T23:59:60Z"), std::nullopt);
  EXPECT_NE(parse_timestamp("0001-01-01T00:00:00-00:01"), std::nullopt);
}

TEST(Timestamp, ComparesInstantsAndNotTheirText) {
  EXPECT_EQ(parse_timestamp("2026-02-05T23:11:22.5Z"),
            parse_timestamp("2026-02-06T00:11:22.500+01:00"));
  EXPECT_LT(parse_timestamp("2026-02-05T23:11:22.5Z"), parse_timestamp("2026-02-05T23:11:22.51Z"));
  EXPECT_LT(parse_timestamp("2026-02-05T23:11:22+01:00"), parse_timestamp("2026-02-05T23:11:22Z"));
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:01.000000002Z"), (Instant{1, 2}));
}

TEST(Timestamp, IsFormattedWithTheShortestFraction) {
  EXPECT_EQ(format_timestamp({0, 0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_timestamp({1'770'333'082, 0}), "2026-02-05T23:11:22Z");
  EXPECT_EQ(format_timestamp({1'770'333'082, 500'000'000}), "2026-02-05T23:11:22.5Z");
  EXPECT_EQ(format_timestamp({1'770'333'082, 1}), "2026-02-05T23:11:22.000000001Z");
  EXPECT_EQ(format_timestamp({-1, 0}), "1969-12-31T23:59:59Z");
}

TEST(Timestamp, CountsNanosecondsFromTheEpochBothWays) {
  EXPECT_EQ(instant_of_nanoseconds(1'500'000'000), (Instant{1, 500'000'000}));
  EXPECT_EQ(instant_of_nanoseconds(-1), (Instant{-1, 999'999'999}));
  EXPECT_EQ(instant_of_nanoseconds(-2'000'000'000), (Instant{-2, 0}));
  EXPECT_EQ(instant_of_nanoseconds(std::numeric_limits<std::int64_t>::min()),
            (Instant{-9'223'372'037, 145'224'192}));
}

}  // namespace
}  // namespace assay::events
