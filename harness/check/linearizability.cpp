#include "harness/check/linearizability.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace assay::check {
namespace {

/// How many calls of each kind an explanation shows.
constexpr std::size_t shown_calls = 40;

/// Which calls are placed already, one bit each.
class CallSet {
 public:
  explicit CallSet(std::size_t calls) : words_((calls + 63) / 64) {}

  void insert(std::size_t call) { words_[call / 64] |= bit(call); }
  void erase(std::size_t call) { words_[call / 64] &= ~bit(call); }
  [[nodiscard]] bool contains(std::size_t call) const {
    return (words_[call / 64] & bit(call)) != 0;
  }
  /// The words from that of call `first` on, without empty ones at the end. Of sets that hold every
  /// call before `first` and not `first`, equal ones and no others have equal such words.
  [[nodiscard]] std::vector<std::uint64_t> words_from(std::size_t first) const {
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(first / 64);
    auto end = words_.end();
    while (end != begin && *std::prev(end) == 0) --end;
    return {begin, end};
  }

 private:
  static std::uint64_t bit(std::size_t call) { return std::uint64_t{1} << (call % 64); }

  std::vector<std::uint64_t> words_;
};

/// A set of placed calls and the state that they leave behind. A long history needs no more room
/// for each than a short one, unless a lost call stays open.
struct Configuration {
  std::size_t first_open = 0;
  std::vector<std::uint64_t> placed;
  std::size_t state = 0;
  bool operator==(const Configuration&) const = default;
};

struct ConfigurationHash {
  std::size_t operator()(const Configuration& configuration) const {
    std::uint64_t result = configuration.state * 0xc2b2ae3d27d4eb4fU + configuration.first_open;
    for (const std::uint64_t word : configuration.placed) {
      result = (result ^ word) * 0x9e3779b97f4a7c15U;
      result ^= result >> 29U;
    }
    return result;
  }
};

/// A call that may come next, and the state that it leaves behind.
struct Choice {
  std::size_t call = 0;
  std::size_t state = 0;
};

/// A configuration that is being explored: the choice that led to it, and those that lead on.
struct Frame {
  Choice reached_by;
  /// The calls before this one, by the time of their call, are all placed.
  std::size_t first_open = 0;
  std::vector<Choice> choices;
  std::size_t next_choice = 0;
};

/// Within the search a call's number is its place by the time of the call.
class Search {
 public:
  Search(std::span<const CallInterval> history, NumberedSpecification& specification,
         std::size_t budget)
      : specification_(specification),
        budget_(budget),
        positions_(history.size()),
        placed_(history.size()) {
    std::iota(positions_.begin(), positions_.end(), std::size_t{0});
    std::stable_sort(positions_.begin(), positions_.end(),
                     [history](std::size_t left, std::size_t right) {
                       return history[left].called_ms < history[right].called_ms;
                     });
    for (const std::size_t position : positions_) {
      intervals_.push_back(history[position]);
      if (history[position].returned_ms) ++answered_;
    }
  }

  LinearizabilityResult run();

 private:
  [[nodiscard]] bool is_answered(std::size_t call) const {
    return intervals_[call].returned_ms.has_value();
  }
  [[nodiscard]] std::vector<std::size_t> candidates(std::size_t first_open) const;
  [[nodiscard]] std::vector<Choice> choices(std::size_t state, std::size_t first_open);
  void enter(Choice reached_by, std::size_t first_open);
  void leave();
  void remember_if_longest();
  void conclude(LinearizabilityResult& result, core::Verdict verdict);
  void explain(LinearizabilityResult& result, const std::vector<std::size_t>& blocked) const;
  [[nodiscard]] std::string line(std::size_t call) const;

  static constexpr std::size_t no_call = std::numeric_limits<std::size_t>::max();

  NumberedSpecification& specification_;
  std::size_t budget_;
  /// By number: the call's position in the history, and its interval.
  std::vector<std::size_t> positions_;
  std::vector<CallInterval> intervals_;
  std::size_t answered_ = 0;

  CallSet placed_;
  std::size_t answered_placed_ = 0;
  std::vector<Frame> path_;
  std::unordered_set<Configuration, ConfigurationHash> visited_;

  std::vector<Choice> longest_;
  /// Answered calls in it; nothing: no dead end was met yet.
  std::optional<std::size_t> longest_answered_;
};

/// The open calls that no other open call precedes in time. Because they are looked at in the order
/// of their calls, none that comes later can return before one of these was called.
std::vector<std::size_t> Search::candidates(std::size_t first_open) const {
  std::vector<std::size_t> found;
  double earliest_return = std::numeric_limits<double>::infinity();
  for (std::size_t call = first_open; call < intervals_.size(); ++call) {
    if (intervals_[call].called_ms > earliest_return) break;
    if (placed_.contains(call)) continue;
    found.push_back(call);
    if (!is_answered(call)) continue;
    const double returned_ms = std::max(*intervals_[call].returned_ms, intervals_[call].called_ms);
    earliest_return = std::min(earliest_return, returned_ms);
  }
  return found;
}

/// An answered call that only reads is placed as soon as it can be: whatever order explains the
/// rest still does with that call in front of it. A call without an answer that would change
/// nothing is left out: it may as well never have taken effect.
std::vector<Choice> Search::choices(std::size_t state, std::size_t first_open) {
  std::vector<Choice> found;
  for (const std::size_t call : candidates(first_open)) {
    const std::vector<std::size_t>& next_states = specification_.step(state, positions_[call]);
    if (is_answered(call) && !next_states.empty() && specification_.only_reads(positions_[call])) {
      return {{call, state}};
    }
    for (const std::size_t next : next_states) {
      if (is_answered(call) || next != state) found.push_back({call, next});
    }
  }
  return found;
}

/// Goes on to the configuration behind a choice, unless it was explored before.
void Search::enter(Choice reached_by, std::size_t first_open) {
  if (reached_by.call != no_call) {
    placed_.insert(reached_by.call);
    if (is_answered(reached_by.call)) ++answered_placed_;
  }
  while (first_open < intervals_.size() && placed_.contains(first_open)) ++first_open;
  path_.push_back({reached_by, first_open, {}, 0});
  if (answered_placed_ == answered_) return;
  Configuration configuration{first_open, placed_.words_from(first_open), reached_by.state};
  if (!visited_.insert(std::move(configuration)).second) return;
  path_.back().choices = choices(reached_by.state, first_open);
  if (path_.back().choices.empty()) remember_if_longest();
}

void Search::leave() {
  const std::size_t call = path_.back().reached_by.call;
  path_.pop_back();
  if (call == no_call) return;
  placed_.erase(call);
  if (is_answered(call)) --answered_placed_;
}

void Search::remember_if_longest() {
  if (longest_answered_ && *longest_answered_ >= answered_placed_) return;
  longest_answered_ = answered_placed_;
  longest_.clear();
  for (const Frame& frame : path_) {
    if (frame.reached_by.call != no_call) longest_.push_back(frame.reached_by);
  }
}

LinearizabilityResult Search::run() {
  LinearizabilityResult result;
  if (answered_ == 0) {
    result.explanation = "No call was answered: there is nothing to explain.";
    return result;
  }
  enter({no_call, 0}, 0);
  while (!path_.empty()) {
    if (answered_placed_ == answered_) {
      conclude(result, core::Verdict::pass);
      return result;
    }
    if (visited_.size() > budget_) {
      conclude(result, core::Verdict::inconclusive);
      return result;
    }
    Frame& frame = path_.back();
    if (frame.next_choice == frame.choices.size()) {
      leave();
      continue;
    }
    const Choice choice = frame.choices[frame.next_choice++];
    enter(choice, frame.first_open);
  }
  conclude(result, core::Verdict::fail);
  return result;
}

void Search::conclude(LinearizabilityResult& result, core::Verdict verdict) {
  if (verdict != core::Verdict::fail) remember_if_longest();
  result.verdict = verdict;
  result.configurations = visited_.size();
  placed_ = CallSet(intervals_.size());
  for (const Choice& choice : longest_) {
    result.order.push_back(positions_[choice.call]);
    placed_.insert(choice.call);
  }
  if (verdict == core::Verdict::pass) return;
  std::vector<std::size_t> blocked = candidates(0);
  std::erase_if(blocked, [this](std::size_t call) { return !is_answered(call); });
  for (const std::size_t call : blocked) result.blocked.push_back(positions_[call]);
  explain(result, blocked);
}

std::string Search::line(std::size_t call) const {
  const CallInterval& interval = intervals_[call];
  const std::string end =
      interval.returned_ms ? fmt::format("{:.2f} ms", *interval.returned_ms) : "no answer";
  return fmt::format("[{:.2f} ms, {}] {}", interval.called_ms, end,
                     specification_.call_text(positions_[call]));
}

void Search::explain(LinearizabilityResult& result, const std::vector<std::size_t>& blocked) const {
  const std::size_t placed = longest_.size();
  auto out = std::back_inserter(result.explanation);
  if (result.verdict == core::Verdict::fail) {
    fmt::format_to(out, "No order of these {} calls explains every answer.", intervals_.size());
  } else {
    fmt::format_to(out, "Not decided: {} configurations of these {} calls were tried.",
                   result.configurations, intervals_.size());
  }
  fmt::format_to(out, " The longest order {} has {}:\n",
                 result.verdict == core::Verdict::fail ? "that does" : "found", placed);
  const std::size_t left_out = placed > shown_calls ? placed - shown_calls : 0;
  if (left_out > 0) fmt::format_to(out, "  ({} before these)\n", left_out);
  for (std::size_t index = left_out; index < placed; ++index) {
    fmt::format_to(out, "  {}. {}\n", index + 1, line(longest_[index].call));
  }
  const std::size_t state = longest_.empty() ? 0 : longest_.back().state;
  fmt::format_to(out, "Then it is: {}. Next in time, and not explained:\n",
                 specification_.state_text(state));
  const std::size_t shown = std::min(blocked.size(), shown_calls);
  for (std::size_t index = 0; index < shown; ++index) {
    fmt::format_to(out, "  - {}\n", line(blocked[index]));
  }
  const std::size_t later = intervals_.size() - placed - shown;
  if (later > 0) fmt::format_to(out, "  ({} later)\n", later);
  result.explanation.pop_back();
}

}  // namespace

bool have_overlap(std::vector<CallInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const auto& left, const auto& right) { return left.called_ms < right.called_ms; });
  for (std::size_t index = 1; index < intervals.size(); ++index) {
    const auto& returned_ms = intervals[index - 1].returned_ms;
    if (!returned_ms || *returned_ms >= intervals[index].called_ms) return true;
  }
  return false;
}

LinearizabilityResult search_linearization(std::span<const CallInterval> intervals,
                                           NumberedSpecification& specification,
                                           std::size_t budget) {
  return Search(intervals, specification, budget).run();
}

}  // namespace assay::check
