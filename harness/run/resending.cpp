#include "harness/run/resending.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/encoding.h"
#include "harness/core/operation_shape.h"

namespace assay::run {
namespace {

/// Without Retry-After: doubled each time, so that six tries take a second and a half.
constexpr double first_resend_pause_ms = 50;
constexpr int most_times_sent = 6;
/// With Retry-After the target itself says how long; the case's time is the bound.
constexpr int most_times_sent_when_told = 30;

const std::string* header_of(const core::HttpResponse& response, std::string_view name) {
  for (const core::Header& header : response.headers) {
    if (same_without_case(header.name, name)) return &header.value;
  }
  return nullptr;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_whole ? std::optional(number) : std::nullopt;
}

/// Seconds since 1970 of an IMF-fixdate: "Sun, 06 Nov 1994 08:49:37 GMT".
std::optional<std::int64_t> http_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  const auto month = std::find(months.begin(), months.end(), text.substr(8, 3));
  const auto day = whole_number(text.substr(5, 2));
  const auto year = whole_number(text.substr(12, 4));
  const auto hours = whole_number(text.substr(17, 2));
  const auto minutes = whole_number(text.substr(20, 2));
  const auto seconds = whole_number(text.substr(23, 2));
  if (month == months.end() || !day || !year || !hours || !minutes || !seconds) {
    return std::nullopt;
  }
  const std::chrono::sys_days date =
      std::chrono::year(static_cast<int>(*year)) /
      std::chrono::month(static_cast<unsigned>(month - months.begin()) + 1) /
      std::chrono::day(static_cast<unsigned>(*day));
  const auto days = static_cast<std::int64_t>(date.time_since_epoch().count());
  return ((days * 24 + *hours) * 60 + *minutes) * 60 + *seconds;
}

/// What Retry-After says, in milliseconds; 0 where it is there and says nothing that can be read.
std::optional<double> told_pause_ms(const core::HttpResponse& response) {
  const std::string* told = header_of(response, "retry-after");
  if (told == nullptr) return std::nullopt;
  if (const auto seconds = whole_number(*told)) return static_cast<double>(*seconds) * 1'000;
  const std::string* now = header_of(response, "date");
  const auto until = http_date(*told);
  const auto since = now == nullptr ? std::nullopt : http_date(*now);
  if (!until || !since) return 0;
  return static_cast<double>(std::max<std::int64_t>(*until - *since, 0)) * 1'000;
}

std::optional<double> pause_after(const core::HttpResponse& response, bool is_harmless,
                                  double own_pause_ms, int times_sent) {
  if (!core::is_intermediary_status(response.status)) return std::nullopt;
  const auto told_ms = told_pause_ms(response);
  const bool was_declined =
      response.status == 408 || response.status == 429 || (response.status == 503 && told_ms);
  if (!was_declined && !is_harmless) return std::nullopt;
  if (!told_ms) {
    return times_sent < most_times_sent ? std::optional(own_pause_ms) : std::nullopt;
  }
  if (times_sent >= most_times_sent_when_told) return std::nullopt;
  return std::max(*told_ms, first_resend_pause_ms);
}

}  // namespace

std::optional<double> pause_before_resending(const core::HttpResult& result, bool is_harmless,
                                             int times_sent) {
  const double own_pause_ms =
      first_resend_pause_ms *
      static_cast<double>(1U << static_cast<unsigned>(std::clamp(times_sent - 1, 0, 20)));
  if (result) return pause_after(*result, is_harmless, own_pause_ms, times_sent);
  const auto& error = result.error();
  const bool may_repeat = is_harmless || !error.request_sent;
  if (error.fault != core::TransportFault::closed || !may_repeat) return std::nullopt;
  return times_sent < most_times_sent ? std::optional(own_pause_ms) : std::nullopt;
}

bool is_harmless_twice(const core::Operation& operation, const core::Profile& profile) {
  if (core::only_reads(operation.name)) return true;
  if (operation.name == "events.post" || operation.name == "events.post_batch") {
    return profile.capabilities.contains("events.ids");
  }
  const core::OperationShape* shape = core::operation_shape(operation.name);
  if (shape == nullptr || shape->makes.empty() || shape->subject == shape->makes) return false;
  return operation.parameters.contains(shape->makes);
}

bool is_harmless_twice(std::string_view method) { return method == "GET" || method == "HEAD"; }

}  // namespace assay::run
