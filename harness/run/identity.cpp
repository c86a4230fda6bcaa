#include "harness/run/identity.h"

#include <fmt/format.h>

#include <chrono>

namespace assay::run {
namespace {

/// FNV-1a: names must be the same on every machine, which std::hash does not promise.
std::uint32_t digest(std::string_view text) {
  std::uint32_t hash = 2'166'136'261U;
  for (const char byte : text) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 16'777'619U;
  }
  return hash;
}

/// The part of a text that is safe in every path, header and file name.
std::string plain(std::string_view text, std::size_t limit) {
  std::string result;
  for (const char byte : text.substr(0, limit)) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || byte == '_';
    result += is_plain ? byte : '-';
  }
  return result;
}

}  // namespace

Identity::Identity(std::string_view run_prefix, std::string_view case_id)
    : unique_(fmt::format("{}-{}-{:08x}", run_prefix, plain(case_id, 48), digest(case_id))) {}

std::string Identity::subject(std::string_view name) const {
  if (name == plain(name, 48)) return fmt::format("{}-{}", unique_, name);
  return fmt::format("{}-{}-{:08x}", unique_, plain(name, 48), digest(name));
}

std::string Identity::event_id(std::int64_t number) const {
  return fmt::format("{}-e{}", unique_, number);
}

std::string run_id_of_seed(std::uint64_t seed) { return fmt::format("{:x}", seed); }

std::string prefix_of_run(std::string_view run_id) { return fmt::format("assay-{}", run_id); }

std::string prefix_of_retry(std::string_view prefix, std::size_t number) {
  return fmt::format("{}-r{}", prefix, number);
}

std::string event_time(std::int64_t number) {
  using std::chrono::sys_days;
  const std::chrono::sys_seconds time =
      sys_days(std::chrono::year(2026) / 1 / 1) + std::chrono::seconds(number);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace assay::run
