#include "harness/check/linearizability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace assay::check {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A register: a call writes a number, or reads one. A lossy one may also lose what is written.
struct Register {
  struct State {
    int value = 0;
    auto operator<=>(const State&) const = default;
  };
  struct Call {
    bool is_write = false;
    int value = 0;
  };

  bool is_lossy = false;

  [[nodiscard]] State initial() const { return {}; }
  [[nodiscard]] std::vector<State> step(const State& state, const Call& call) const {
    if (call.is_write && is_lossy) return {{call.value}, state};
    if (call.is_write) return {{call.value}};
    if (call.value != state.value) return {};
    return {state};
  }
  [[nodiscard]] bool only_reads(const Call& call) const { return !call.is_write; }
  [[nodiscard]] std::string text(const State& state) const { return std::to_string(state.value); }
  [[nodiscard]] std::string text(const Call& call) const {
    return (call.is_write ? "write " : "read ") + std::to_string(call.value);
  }
};

using History = std::vector<ObservedCall<Register::Call>>;

ObservedCall<Register::Call> write(int value, double called_ms, std::optional<double> returned_ms) {
  return {{true, value}, {called_ms, returned_ms}};
}

ObservedCall<Register::Call> read(int value, double called_ms, double returned_ms) {
  return {{false, value}, {called_ms, returned_ms}};
}

LinearizabilityResult check(const History& history, std::size_t budget = configuration_budget) {
  return check_linearizability(Register{}, history, budget);
}

TEST(Linearizability, ExplainsCallsOneAfterAnother) {
  const auto result = check({write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7)});
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_THAT(result.order, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(result.explanation, IsEmpty());
}

TEST(Linearizability, RefusesAReadOfWhatWasOverwrittenBefore) {
  const auto result = check({write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)});
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(result.order, ElementsAre(0, 1));
  EXPECT_THAT(result.blocked, ElementsAre(2));
}

TEST(Linearizability, LetsOverlappingCallsTakeEffectInEitherOrder) {
  EXPECT_EQ(check({write(1, 0, 10), write(2, 0, 10), read(1, 11, 12)}).verdict, Verdict::pass);
  EXPECT_EQ(check({write(1, 0, 10), write(2, 0, 10), read(2, 11, 12)}).verdict, Verdict::pass);
}

TEST(Linearizability, RefusesReadsThatNeedBothOrders) {
  const auto result = check({write(1, 0, 10), write(2, 0, 10), read(1, 11, 12), read(2, 13, 14)});
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.order.size(), 3U);
}

TEST(Linearizability, RefusesAnOldValueAfterANewOneWasSeenDuringTheWrite) {
  EXPECT_EQ(check({write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)}).verdict, Verdict::fail);
  EXPECT_EQ(check({write(1, 0, 10), read(0, 1, 2), read(1, 3, 4)}).verdict, Verdict::pass);
}

TEST(Linearizability, TakesCallsThatOnlyTouchAsOverlapping) {
  EXPECT_EQ(check({write(1, 0, 5), read(0, 5, 6)}).verdict, Verdict::pass);
  EXPECT_EQ(check({write(1, 0, 4.9), read(0, 5, 6)}).verdict, Verdict::fail);
}

TEST(Linearizability, LetsALostWriteTakeEffectLateOrNever) {
  EXPECT_EQ(check({write(1, 0, std::nullopt), read(0, 5, 6), read(1, 7, 8)}).verdict,
            Verdict::pass);
  EXPECT_EQ(check({write(1, 0, std::nullopt), read(0, 5, 6), read(0, 7, 8)}).verdict,
            Verdict::pass);
}

TEST(Linearizability, LetsALostWriteTakeEffectOnlyOnce) {
  EXPECT_EQ(
      check({write(1, 0, std::nullopt), read(1, 1, 2), write(2, 3, 4), read(1, 5, 6)}).verdict,
      Verdict::fail);
}

TEST(Linearizability, LetsALostWriteNotTakeEffectBeforeItWasSent) {
  EXPECT_EQ(check({read(1, 0, 1), write(1, 2, std::nullopt)}).verdict, Verdict::fail);
}

TEST(Linearizability, FollowsEveryStateThatTheSpecificationPermits) {
  const History history = {write(1, 0, 1), read(0, 2, 3), write(2, 4, 5), read(2, 6, 7)};
  EXPECT_EQ(check_linearizability(Register{.is_lossy = true}, history).verdict, Verdict::pass);
  EXPECT_EQ(check_linearizability(Register{.is_lossy = false}, history).verdict, Verdict::fail);
}

TEST(Linearizability, SaysWhichOrderIsExplainedAndWhatIsNot) {
  const auto result =
      check({write(1, 0, 1), write(2, 2, 3.25), read(1, 4, 5), read(2, 6, 7), read(2, 8, 9)});
  EXPECT_EQ(result.explanation,
            "No order of these 5 calls explains every answer. The longest order that does has 2:\n"
            "  1. [0.00 ms, 1.00 ms] write 1\n"
            "  2. [2.00 ms, 3.25 ms] write 2\n"
            "Then it is: 2. Next in time, and not explained:\n"
            "  - [4.00 ms, 5.00 ms] read 1\n"
            "  (2 later)");
}

TEST(Linearizability, CutsALongExplanation) {
  History history;
  for (int index = 1; index <= 100; ++index) history.push_back(write(index, index, index + 0.5));
  history.push_back(read(1, 200, 201));
  const auto result = check(history);
  EXPECT_EQ(result.order.size(), 100U);
  EXPECT_THAT(result.explanation, HasSubstr("(60 before these)\n  61. [61.00 ms"));
}

TEST(Linearizability, NeverPassesWhenTheBudgetRunsOut) {
  History history;
  for (int index = 1; index <= 12; ++index) history.push_back(write(index, 0, 10));
  history.push_back(read(99, 11, 12));
  EXPECT_EQ(check(history).verdict, Verdict::fail);
  const auto result = check(history, 50);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_LE(result.configurations, 51U);
  EXPECT_THAT(result.explanation, HasSubstr("Not decided: 51 configurations"));
}

TEST(Linearizability, ProvesNothingWithoutAnAnsweredCall) {
  EXPECT_EQ(check({}).verdict, Verdict::inconclusive);
  EXPECT_EQ(check({write(1, 0, std::nullopt)}).verdict, Verdict::inconclusive);
}

TEST(Linearizability, JudgesLongHistoriesWithoutDeepRecursion) {
  History history;
  for (int index = 1; index <= 20'000; ++index) {
    history.push_back(write(index, index, index + 0.5));
  }
  EXPECT_EQ(check(history).verdict, Verdict::pass);
}

TEST(CallIntervals, OverlapWhereTheyTouchOrHaveNoEnd) {
  EXPECT_FALSE(have_overlap({}));
  EXPECT_FALSE(have_overlap({{4, 5}, {0, 1}, {2, 3}}));
  EXPECT_TRUE(have_overlap({{4, 5}, {0, 4}}));
  EXPECT_TRUE(have_overlap({{0, std::nullopt}, {8, 9}}));
  EXPECT_FALSE(have_overlap({{8, std::nullopt}, {0, 1}}));
}

/// The definition, word for word: some subset of the lost calls with all others has an order that
/// keeps to real time and that the specification permits.
bool has_explanation(const History& history, bool is_lossy) {
  const Register specification{is_lossy};
  std::vector<std::size_t> calls(history.size());
  std::iota(calls.begin(), calls.end(), std::size_t{0});
  const auto keeps_real_time = [&](const std::vector<std::size_t>& order) {
    for (std::size_t later = 0; later < order.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const auto returned = history[order[later]].interval.returned_ms;
        if (returned && *returned < history[order[earlier]].interval.called_ms) return false;
      }
    }
    return true;
  };
  const auto is_permitted = [&](const std::vector<std::size_t>& order) {
    std::vector<Register::State> states = {specification.initial()};
    for (const std::size_t call : order) {
      std::vector<Register::State> next_states;
      for (const Register::State& state : states) {
        for (const auto& next : specification.step(state, history[call].call)) {
          next_states.push_back(next);
        }
      }
      states = next_states;
    }
    return !states.empty();
  };
  for (unsigned subset = 0; subset < 1U << history.size(); ++subset) {
    std::vector<std::size_t> order;
    bool has_all_answered = true;
    for (const std::size_t call : calls) {
      const bool is_in = (subset >> call & 1U) != 0;
      if (is_in) order.push_back(call);
      has_all_answered = has_all_answered && (is_in || !history[call].interval.returned_ms);
    }
    if (!has_all_answered) continue;
    do {
      if (keeps_real_time(order) && is_permitted(order)) return true;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return false;
}

History random_history(std::mt19937& random) {
  const auto below = [&random](int bound) {
    return static_cast<int>(random() % static_cast<unsigned>(bound));
  };
  History history;
  const int calls = 1 + below(6);
  for (int index = 0; index < calls; ++index) {
    const double called_ms = below(8);
    const bool is_write = below(2) == 0;
    std::optional<double> returned_ms = called_ms + below(6);
    if (is_write && below(5) == 0) returned_ms.reset();
    history.push_back({{is_write, below(3)}, {called_ms, returned_ms}});
  }
  return history;
}

TEST(Linearizability, AgreesWithTryingEveryOrderOfRandomHistories) {
  std::mt19937 random(20260301);
  int explained = 0;
  int refused = 0;
  for (int round = 0; round < 3'000; ++round) {
    const History history = random_history(random);
    const bool has_answer = std::any_of(history.begin(), history.end(), [](const auto& call) {
      return call.interval.returned_ms.has_value();
    });
    if (!has_answer) continue;
    const bool is_lossy = round % 2 == 0;
    const auto result = check_linearizability(Register{is_lossy}, history);
    const bool expected = has_explanation(history, is_lossy);
    ASSERT_EQ(result.verdict, expected ? Verdict::pass : Verdict::fail) << "round " << round << "\n"
                                                                        << result.explanation;
    ++(expected ? explained : refused);
  }
  EXPECT_GT(explained, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace assay::check
