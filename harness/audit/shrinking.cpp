#include <algorithm>
#include <string>
#include <utility>

#include "harness/audit/execution_judge.h"

namespace assay::audit {
namespace {

/// How many events may be judged while one example is made smaller.
constexpr std::size_t limit_judged_events = 400'000;

constexpr std::size_t limit_shown_events = 40;

/// A message whose numbers, which count events, are left out.
std::string without_digits(std::string_view text) {
  std::string plain;
  for (const char letter : text) {
    if (letter < '0' || letter > '9') plain += letter;
  }
  return plain;
}

/// Leaves events out of a log as long as one event of it still breaks the same rule in the same
/// way.
class Shrinking {
 public:
  Shrinking(Example example, check::LogScope scope, check::LogRule rule)
      : example_(std::move(example)), scope_(scope), rule_(rule) {}

  Example shrink() {
    for (const std::size_t at : offsets_of(example_.log)) events_.push_back(at);
    if (events_.size() > 1) leave_out(events_[example_.index]);
    std::string log;
    for (const std::size_t at : events_) {
      if (example_.lines.size() < limit_shown_events) {
        example_.lines.push_back(json_of(unpack(example_.log, at)));
      }
      log.append(text_at(at));
    }
    example_.events = events_.size();
    const auto found = std::find(events_.begin(), events_.end(), shown_);
    example_.index = static_cast<std::size_t>(found - events_.begin());
    if (!what_.empty()) example_.what = what_;
    example_.log = std::move(log);
    return std::move(example_);
  }

 private:
  [[nodiscard]] std::string_view text_at(std::size_t at) const {
    return std::string_view(example_.log).substr(at, head_at(example_.log, at).size);
  }

  /// Halves, quarters, and so on down to single events, as long as anything goes.
  void leave_out(std::size_t shown) {
    shown_ = shown;
    for (std::size_t size = std::max<std::size_t>(1, events_.size() / 2);;) {
      const bool has_shrunk = try_parts(size);
      if (size == 1 && !has_shrunk) return;
      if (judged_ > limit_judged_events) return;
      if (size > 1) size /= 2;
    }
  }

  bool try_parts(std::size_t size) {
    bool has_shrunk = false;
    for (std::size_t begin = 0; begin < events_.size() && judged_ <= limit_judged_events;) {
      std::vector<std::size_t> fewer;
      for (std::size_t index = 0; index < events_.size(); ++index) {
        const bool is_left_out = index >= begin && index < begin + size;
        if (!is_left_out || events_[index] == shown_) fewer.push_back(events_[index]);
      }
      if (fewer.size() < events_.size() && still_shows(fewer)) {
        events_ = std::move(fewer);
        has_shrunk = true;
      } else {
        begin += size;
      }
    }
    return has_shrunk;
  }

  bool still_shows(const std::vector<std::size_t>& events) {
    judged_ += events.size();
    std::string log;
    for (const std::size_t at : events) log.append(text_at(at));
    const auto shown = std::find(events.begin(), events.end(), shown_);
    const auto index = static_cast<std::size_t>(shown - events.begin());
    const check::LogPremises premises = {
        .scope = scope_, .is_known_whole = example_.is_whole, .judges_all = true};
    for (const check::Violation& violation : violations_of(log, premises)) {
      if (violation.rule != rule_ || violation.index != index) continue;
      if (without_digits(violation.what) != without_digits(example_.what)) continue;
      what_ = violation.what;
      return true;
    }
    return false;
  }

  Example example_;
  check::LogScope scope_;
  check::LogRule rule_;
  /// Offsets in the example's log.
  std::vector<std::size_t> events_;
  std::size_t shown_ = 0;
  std::size_t judged_ = 0;
  std::string what_;
};

}  // namespace

Example shrunk(Example example, check::LogScope scope, check::LogRule rule) {
  if (example.log.empty()) return example;
  return Shrinking(std::move(example), scope, rule).shrink();
}

}  // namespace assay::audit
