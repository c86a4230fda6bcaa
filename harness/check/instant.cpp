#include "harness/check/instant.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace assay::check {
namespace {

/// Takes an RFC 3339 text apart from the left; once something is missing, nothing more succeeds.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<int> digits(std::size_t count) {
    const std::string_view run = digit_run();
    if (run.size() < count) return std::nullopt;
    int number = 0;
    for (const char digit : run.substr(0, count)) number = number * 10 + (digit - '0');
    text_.remove_prefix(count);
    return number;
  }

  /// The length of the text that is left, where it does not matter which digits come.
  std::string_view digit_run() const {
    const auto end = std::find_if(text_.begin(), text_.end(),
                                  [](char byte) { return byte < '0' || byte > '9'; });
    return text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
  }

  bool one_of(std::string_view choices) {
    if (text_.empty() || choices.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }

  void skip(std::size_t count) { text_.remove_prefix(count); }
  [[nodiscard]] char front() const { return text_.empty() ? '\0' : text_.front(); }
  [[nodiscard]] bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

std::optional<std::int64_t> read_date(Reader& reader) {
  const auto year = reader.digits(4);
  if (!year || !reader.one_of("-")) return std::nullopt;
  const auto month = reader.digits(2);
  if (!month || !reader.one_of("-")) return std::nullopt;
  const auto day = reader.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * std::int64_t{86'400};
}

std::optional<std::int64_t> read_clock(Reader& reader) {
  const auto hour = reader.digits(2);
  if (!hour || *hour > 23 || !reader.one_of(":")) return std::nullopt;
  const auto minute = reader.digits(2);
  if (!minute || *minute > 59 || !reader.one_of(":")) return std::nullopt;
  const auto second = reader.digits(2);
  if (!second || *second > 60) return std::nullopt;
  return std::int64_t{*hour} * 3'600 + std::int64_t{*minute} * 60 + *second;
}

/// The offset from UTC in seconds.
std::optional<std::int64_t> read_zone(Reader& reader) {
  if (reader.one_of("Zz")) return 0;
  const bool west = reader.front() == '-';
  if (!reader.one_of("+-")) return std::nullopt;
  const auto hours = reader.digits(2);
  if (!hours || *hours > 23 || !reader.one_of(":")) return std::nullopt;
  const auto minutes = reader.digits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const std::int64_t offset = std::int64_t{*hours} * 3'600 + std::int64_t{*minutes} * 60;
  return west ? -offset : offset;
}

}  // namespace

std::optional<ExactInstant> parse_instant(std::string_view text) {
  Reader reader(text);
  ExactInstant instant;
  const auto date = read_date(reader);
  if (!date || !reader.one_of("Tt")) return std::nullopt;
  const auto clock = read_clock(reader);
  if (!clock) return std::nullopt;
  if (reader.one_of(".")) {
    const std::string_view run = reader.digit_run();
    if (run.empty()) return std::nullopt;
    instant.fraction = run;
    instant.fraction.erase(instant.fraction.find_last_not_of('0') + 1);
    reader.skip(run.size());
  }
  const auto offset = read_zone(reader);
  if (!offset || !reader.at_end()) return std::nullopt;
  instant.seconds = *date + *clock - *offset;
  instant.utc = *offset == 0;
  return instant;
}

}  // namespace assay::check
