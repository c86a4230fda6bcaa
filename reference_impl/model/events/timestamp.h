#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::events {

/// A point in time: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds from 0 to 999999999.
/// A pair, because nanoseconds alone don't span the years 0001 to 9999 in 64 bits.
struct Instant {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};

/// The instant that an RFC 3339 date-time names, or nothing where the text is none (EVT-ENV-TIME).
/// A zone is required; `-00:00` and lower-case t and z are taken; second 60 is the second after 59;
/// digits of the fraction after the ninth are dropped. The year must lie in 0001 to 9999 as
/// written and in UTC.
[[nodiscard]] std::optional<Instant> parse_timestamp(std::string_view text);

/// The same instant in UTC with `Z`, with the fraction's digits (nine at most) kept as written;
/// nothing where the text is no RFC 3339 date-time.
[[nodiscard]] std::optional<std::string> normalized_timestamp(std::string_view text);

/// The instant in UTC with `Z`, its fraction without trailing zeros. The year must lie in 0001 to
/// 9999.
[[nodiscard]] std::string format_timestamp(Instant instant);

/// The instant that a clock's count of nanoseconds since 1970 names.
[[nodiscard]] Instant instant_of_nanoseconds(std::int64_t since_epoch_ns);

}  // namespace assay::events
