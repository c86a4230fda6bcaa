#include "harness/run/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/run/pauses.h"

namespace assay::run {
namespace {

using core::Verdict;

/// How much later than its deadline the last look may be called and still tell something: timers
/// are late on a busy machine, and that is not the target's fault.
double slack_ms(double within_ms) { return std::max(25.0, within_ms / 10); }

bool says_nothing(ReadResult result) {
  return result == ReadResult::undecided || result == ReadResult::fault;
}

Verdict verdict_of_silence(ReadResult result) {
  return result == ReadResult::fault ? Verdict::error : Verdict::inconclusive;
}

}  // namespace

Patience::Patience(const Waiting& waiting, double start_ms)
    : waiting_(waiting), start_ms_(start_ms), pause_ms_(first_pause_ms) {}

std::optional<double> Patience::after_look(ReadResult result, double called_ms,
                                           double returned_ms) {
  ++looks_;
  if (waiting_.never) return while_never(result, called_ms, returned_ms);
  if (is_in_window_) return while_holding(result, called_ms, returned_ms);
  return while_coming(result, called_ms, returned_ms);
}

std::int64_t Patience::looked_ms() const {
  return is_in_window_ ? static_cast<std::int64_t>(window_last_ms_ - window_start_ms_) : 0;
}

std::optional<double> Patience::while_coming(ReadResult result, double called_ms,
                                             double returned_ms) {
  const double deadline = start_ms_ + waiting_.within_ms;
  if (result == ReadResult::matched) {
    const bool is_bounded = waiting_.within_ms > waiting_.lag_ms;
    const bool is_late =
        is_bounded && looks_ > 1 && called_ms > deadline + slack_ms(waiting_.within_ms);
    if (is_late) {
      return decide(Verdict::inconclusive,
                    fmt::format("came true, but was looked at only after {:.0f} ms, too late to "
                                "tell whether it did within {:.0f}",
                                called_ms - start_ms_, waiting_.within_ms));
    }
    if (called_ms < waiting_.settled_ms) {
      if (waiting_.settled_ms > waiting_.latest_ms) return decide_untold();
      return std::max(waiting_.settled_ms - returned_ms, 0.0);
    }
    if (!waiting_.hold) return decide(Verdict::pass, "");
    open_window(called_ms);
    return keep_looking(called_ms, returned_ms);
  }
  if (!waiting_.immediate && called_ms < deadline) return look_again(deadline, returned_ms);
  if (says_nothing(result)) return decide(verdict_of_silence(result), "");
  const bool waited = waiting_.within_ms > 0 && !waiting_.immediate;
  return decide(
      Verdict::fail,
      waited ? fmt::format("not within {:.0f} ms ({} looks)", waiting_.within_ms, looks_) : "");
}

std::optional<double> Patience::while_holding(ReadResult result, double called_ms,
                                              double returned_ms) {
  window_last_ms_ = called_ms;
  ++window_looks_;
  if (result == ReadResult::mismatched || result == ReadResult::missing) {
    return decide(Verdict::fail, fmt::format("held for {} ms of {:.0f}, then broke", looked_ms(),
                                             waiting_.hold_ms));
  }
  if (says_nothing(result)) trouble_ = std::max(trouble_.value_or(result), result);
  return keep_looking(called_ms, returned_ms);
}

std::optional<double> Patience::while_never(ReadResult result, double called_ms,
                                            double returned_ms) {
  if (!is_in_window_) open_window(called_ms);
  window_last_ms_ = called_ms;
  if (looks_ > 1) ++window_looks_;
  if (result == ReadResult::matched) {
    return decide(Verdict::fail, fmt::format("came true {} ms after the first look", looked_ms()));
  }
  // What cannot be read is not seen to be absent: it is no better than silence here.
  if (result != ReadResult::mismatched) trouble_ = std::max(trouble_.value_or(result), result);
  return keep_looking(called_ms, returned_ms);
}

void Patience::open_window(double called_ms) {
  is_in_window_ = true;
  window_start_ms_ = called_ms;
  window_last_ms_ = called_ms;
  window_looks_ = 1;
  pause_ms_ = first_pause_ms;
}

/// Goes on until the whole window has been watched, with two looks at least.
std::optional<double> Patience::keep_looking(double called_ms, double returned_ms) {
  const double end = window_start_ms_ + waiting_.hold_ms;
  const bool is_over = waiting_.immediate || called_ms >= end;
  if (window_looks_ < 2 || !is_over) return look_again(end, returned_ms);
  if (!trouble_) return decide(Verdict::pass, "");
  return decide(
      verdict_of_silence(*trouble_),
      fmt::format("some reads in the {:.0f} ms window gave no usable answer", waiting_.hold_ms));
}

std::optional<double> Patience::look_again(double at_most_until_ms, double now_ms) {
  if (waiting_.immediate) return 0;
  if (now_ms >= waiting_.latest_ms) return decide_untold();
  const double until = std::min(at_most_until_ms, waiting_.latest_ms);
  const double pause = std::clamp(until - now_ms, 0.0, pause_ms_);
  pause_ms_ = std::min(pause_ms_ * 2, longest_pause_ms);
  return pause;
}

std::optional<double> Patience::decide_untold() {
  return decide(Verdict::inconclusive, "the case's time was over before it was decided");
}

std::optional<double> Patience::decide(Verdict verdict, std::string reason) {
  verdict_ = verdict;
  reason_ = std::move(reason);
  return std::nullopt;
}

}  // namespace assay::run
