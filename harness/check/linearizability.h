#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/core/verdict.h"

namespace assay::check {

/// What one object does when calls come one after another, and nothing else: a value with
///
///   State                totally ordered: `auto operator<=>(const State&) const = default`
///   Call                 what was asked and, where there was an answer, what it said
///   initial()            the state before the first call
///   step(state, call)    every state that the call may leave behind, given its answer; none where
///                        the answer is not permitted in that state. Of a call without an answer:
///                        every state that it may leave behind, whatever it would have answered.
///   only_reads(call)     whether such a call with this answer changes no state whatsoever; false
///                        where in doubt
///   text(state), text(call)   for people, on one line
template <typename Specification>
concept SequentialSpecification =
    std::totally_ordered<typename Specification::State> &&
    requires(const Specification& specification, const typename Specification::State& state,
             const typename Specification::Call& call) {
      { specification.initial() } -> std::same_as<typename Specification::State>;
      {
        specification.step(state, call)
      } -> std::same_as<std::vector<typename Specification::State>>;
      { specification.only_reads(call) } -> std::same_as<bool>;
      { specification.text(state) } -> std::same_as<std::string>;
      { specification.text(call) } -> std::same_as<std::string>;
    };

/// From when to when a call was under way, both ends included: calls that only touch overlap.
struct CallInterval {
  double called_ms = 0;
  /// Nothing: no answer came. The call may take effect at any time after it was made, or never.
  std::optional<double> returned_ms;
};

/// Whether two of them were under way at the same time.
[[nodiscard]] bool have_overlap(std::vector<CallInterval> intervals);

/// A call of one client as it was seen.
template <typename Call>
struct ObservedCall {
  Call call;
  CallInterval interval;
};

struct LinearizabilityResult {
  /// pass: one order of the calls explains every answer. fail: none does. inconclusive: the budget
  /// ran out, or no call was answered. Never anything else.
  core::Verdict verdict = core::Verdict::inconclusive;
  /// Positions in the history, in the order that explains their answers; where the verdict is no
  /// pass the longest such order that was found.
  std::vector<std::size_t> order;
  /// What could come next in time after that order but is not explained by it.
  std::vector<std::size_t> blocked;
  /// How many different configurations (set of placed calls, state) were looked at.
  std::size_t configurations = 0;
  /// Where the verdict is no pass: the order, the state after it and what is blocked, in lines.
  std::string explanation;
};

/// Configurations that a check may look at. A hundredth of that is common for four clients with
/// lost answers; all of it takes some tens of milliseconds.
inline constexpr std::size_t configuration_budget = 50'000;

/// A specification over one history, with states and calls as numbers: what the search works on.
class NumberedSpecification {
 public:
  virtual ~NumberedSpecification() = default;
  /// The numbers of the states that call number `call` may leave behind; state 0 is the initial
  /// one.
  [[nodiscard]] virtual const std::vector<std::size_t>& step(std::size_t state,
                                                             std::size_t call) = 0;
  [[nodiscard]] virtual bool only_reads(std::size_t call) const = 0;
  [[nodiscard]] virtual std::string state_text(std::size_t state) const = 0;
  [[nodiscard]] virtual std::string call_text(std::size_t call) const = 0;
};

/// Whether some order of the calls that keeps to real time (what returned before another was called
/// comes before it) is permitted: the search of Wing and Gong with Lowe's memory of configurations.
[[nodiscard]] LinearizabilityResult search_linearization(std::span<const CallInterval> intervals,
                                                         NumberedSpecification& specification,
                                                         std::size_t budget);

/// Numbers the states in the order in which they are met, and remembers every step.
template <SequentialSpecification Specification>
class StateNumbers final : public NumberedSpecification {
 public:
  using State = typename Specification::State;
  using History = std::vector<ObservedCall<typename Specification::Call>>;

  /// Keeps references to both.
  StateNumbers(const Specification& specification, const History& history)
      : specification_(specification), history_(history) {
    number_of(specification.initial());
  }

  const std::vector<std::size_t>& step(std::size_t state, std::size_t call) override {
    const auto [entry, is_new] =
        steps_.try_emplace(static_cast<std::uint64_t>(state) * history_.size() + call);
    if (is_new) {
      for (State& next : specification_.step(*states_[state], history_[call].call)) {
        entry->second.push_back(number_of(std::move(next)));
      }
    }
    return entry->second;
  }

  [[nodiscard]] bool only_reads(std::size_t call) const override {
    return specification_.only_reads(history_[call].call);
  }

  [[nodiscard]] std::string state_text(std::size_t state) const override {
    return specification_.text(*states_[state]);
  }

  [[nodiscard]] std::string call_text(std::size_t call) const override {
    return specification_.text(history_[call].call);
  }

 private:
  std::size_t number_of(State state) {
    const auto [entry, is_new] = numbers_.try_emplace(std::move(state), states_.size());
    if (is_new) states_.push_back(&entry->first);
    return entry->second;
  }

  const Specification& specification_;
  const History& history_;
  std::map<State, std::size_t> numbers_;
  std::vector<const State*> states_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> steps_;
};

/// Judges the history of one object; histories of several objects are linearizable exactly when
/// each of them is.
template <SequentialSpecification Specification>
[[nodiscard]] LinearizabilityResult check_linearizability(
    const Specification& specification,
    const std::vector<ObservedCall<typename Specification::Call>>& history,
    std::size_t budget = configuration_budget) {
  std::vector<CallInterval> intervals;
  intervals.reserve(history.size());
  for (const auto& observed : history) intervals.push_back(observed.interval);
  StateNumbers<Specification> numbers(specification, history);
  return search_linearization(intervals, numbers, budget);
}

}  // namespace assay::check
