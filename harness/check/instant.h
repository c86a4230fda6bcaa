#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::check {

/// A moment as an RFC 3339 text names it, to any number of fraction digits.
struct ExactInstant {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds uncounted (23:59:60 is the second after :59).
  std::int64_t seconds = 0;
  /// The digits after the point, without trailing zeros.
  std::string fraction;
  /// Whether it was written in UTC: Z, z or an offset of zero.
  bool utc = false;

  /// The same moment, however it was written.
  [[nodiscard]] bool same_moment(const ExactInstant& other) const {
    return seconds == other.seconds && fraction == other.fraction;
  }
};

/// Reads RFC 3339 (section 5.6, with T or t and Z or z, and an offset otherwise); nothing for any
/// other text: no zone, a blank for T, a day that no month has. This reader shares nothing with the
/// reference, so that one cannot hide the other's fault.
[[nodiscard]] std::optional<ExactInstant> parse_instant(std::string_view text);

}  // namespace assay::check
