#include "reference_impl/model/events/timestamp.h"

#include <chrono>

namespace assay::events {

namespace {

constexpr std::int64_t seconds_per_day = 86'400;
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr std::size_t fraction_digits_kept = 9;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

/// Reads a date-time from left to right; the first thing that doesn't fit ends it.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  /// Exactly `count` digits as a number.
  std::optional<int> number(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(rest_[i])) return std::nullopt;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  bool one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    last_ = rest_.front();
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view digits() {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    const std::string_view found = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return found;
  }

  [[nodiscard]] char last() const { return last_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  char last_ = '\0';
};

struct Reading {
  std::int64_t seconds = 0;
  std::string_view fraction;  // digits as written, nine at most
};

std::optional<std::int64_t> scan_date(Scanner& scanner) {
  const auto year = scanner.number(4);
  if (!year || *year == 0 || !scanner.one_of("-")) return std::nullopt;
  const auto month = scanner.number(2);
  if (!month || !scanner.one_of("-")) return std::nullopt;
  const auto day = scanner.number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count() * seconds_per_day;
}

std::optional<std::int64_t> scan_time(Scanner& scanner) {
  const auto hour = scanner.number(2);
  if (!hour || *hour > 23 || !scanner.one_of(":")) return std::nullopt;
  const auto minute = scanner.number(2);
  if (!minute || *minute > 59 || !scanner.one_of(":")) return std::nullopt;
  const auto second = scanner.number(2);
  if (!second || *second > 60) return std::nullopt;
  return (std::int64_t{*hour} * 60 + *minute) * 60 + *second;
}

std::optional<std::int64_t> scan_offset(Scanner& scanner) {
  if (scanner.one_of("Zz")) return 0;
  if (!scanner.one_of("+-")) return std::nullopt;
  const int sign = scanner.last() == '-' ? -1 : 1;
  const auto hours = scanner.number(2);
  if (!hours || *hours > 23 || !scanner.one_of(":")) return std::nullopt;
  const auto minutes = scanner.number(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return std::int64_t{sign} * (std::int64_t{*hours} * 60 + *minutes) * 60;
}

std::int64_t first_second_of_year(int year) {
  const std::chrono::sys_days day{std::chrono::year{year} / std::chrono::January / 1};
  return day.time_since_epoch().count() * seconds_per_day;
}

std::optional<Reading> scan(std::string_view text) {
  Scanner scanner(text);
  const auto date = scan_date(scanner);
  if (!date || !scanner.one_of("Tt")) return std::nullopt;
  const auto time = scan_time(scanner);
  if (!time) return std::nullopt;
  std::string_view fraction;
  if (scanner.one_of(".")) {
    fraction = scanner.digits();
    if (fraction.empty()) return std::nullopt;
  }
  const auto offset = scan_offset(scanner);
  if (!offset || !scanner.at_end()) return std::nullopt;
  const std::int64_t seconds = *date + *time - *offset;
  if (seconds < first_second_of_year(1) || seconds >= first_second_of_year(10'000)) {
    return std::nullopt;
  }
  return Reading{seconds, fraction.substr(0, fraction_digits_kept)};
}

void append_padded(std::string& text, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  text.append(width > digits.size() ? width - digits.size() : 0, '0').append(digits);
}

std::string format_seconds(std::int64_t seconds) {
  const std::chrono::sys_seconds point{std::chrono::seconds{seconds}};
  const auto midnight = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date{midnight};
  const std::int64_t of_day = (point - midnight).count();
  std::string text;
  append_padded(text, int{date.year()}, 4);
  append_padded(text.append("-"), unsigned{date.month()}, 2);
  append_padded(text.append("-"), unsigned{date.day()}, 2);
  append_padded(text.append("T"), of_day / 3600, 2);
  append_padded(text.append(":"), of_day / 60 % 60, 2);
  append_padded(text.append(":"), of_day % 60, 2);
  return text;
}

std::string with_fraction(std::string text, std::string_view fraction) {
  if (!fraction.empty()) text.append(".").append(fraction);
  return text.append("Z");
}

}  // namespace

std::optional<Instant> parse_timestamp(std::string_view text) {
  const auto reading = scan(text);
  if (!reading) return std::nullopt;
  std::int32_t nanoseconds = 0;
  for (std::size_t i = 0; i < fraction_digits_kept; ++i) {
    const int digit = i < reading->fraction.size() ? reading->fraction[i] - '0' : 0;
    nanoseconds = nanoseconds * 10 + digit;
  }
  return Instant{reading->seconds, nanoseconds};
}

std::optional<std::string> normalized_timestamp(std::string_view text) {
  const auto reading = scan(text);
  if (!reading) return std::nullopt;
  return with_fraction(format_seconds(reading->seconds), reading->fraction);
}

std::string format_timestamp(Instant instant) {
  std::string fraction;
  if (instant.nanoseconds != 0) {
    append_padded(fraction, instant.nanoseconds, fraction_digits_kept);
    fraction.erase(fraction.find_last_not_of('0') + 1);
  }
  return with_fraction(format_seconds(instant.seconds), fraction);
}

Instant instant_of_nanoseconds(std::int64_t since_epoch_ns) {
  std::int64_t seconds = since_epoch_ns / nanoseconds_per_second;
  std::int64_t nanoseconds = since_epoch_ns % nanoseconds_per_second;
  if (nanoseconds < 0) {
    nanoseconds += nanoseconds_per_second;
    --seconds;
  }
  return {seconds, static_cast<std::int32_t>(nanoseconds)};
}

}  // namespace assay::events
