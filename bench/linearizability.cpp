// linearizability [HISTORIES]: the time to judge one execution's history of 4 clients and 40 calls,
// over so many random histories of each kind; 1,000 where no number is given.
#include "harness/check/linearizability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measuring.h"
#include "harness/check/sequential_execution.h"

namespace assay::bench {
namespace {

using check::ExecutionCall;
using check::SequentialExecution;
using core::Acceptance;
using core::Verdict;
using History = std::vector<check::ObservedCall<ExecutionCall>>;
using Kind = ExecutionCall::Kind;

constexpr int rounds = 5;
constexpr std::size_t clients = 4;
constexpr std::size_t calls = 40;
/// Calls whose answer is lost, in the histories that have such.
constexpr std::size_t lost_answers = 4;

class Histories {
 public:
  explicit Histories(std::uint64_t seed) : random_(seed) {}

  /// Each client calls as soon as its last call was answered; every call takes effect at a moment
  /// within its interval, and is answered as the specification then says.
  History explained() {
    History history;
    std::vector<std::pair<double, std::size_t>> effects;
    std::array<double, clients> free_ms = {};
    for (std::size_t index = 0; index < calls; ++index) {
      double& client = *std::min_element(free_ms.begin(), free_ms.end());
      const double called_ms = client + 1 + static_cast<double>(below(10));
      const double took_ms = 10 + static_cast<double>(below(90));
      client = called_ms + took_ms;
      history.push_back({asked(), {called_ms, client}});
      effects.emplace_back(called_ms + took_ms * static_cast<double>(below(101)) / 100, index);
    }
    std::sort(effects.begin(), effects.end());
    SequentialExecution::State state = specification_.initial();
    for (const auto& [at_ms, index] : effects) state = answer(state, history[index].call);
    return history;
  }

  /// The same with some answers lost.
  History with_lost_answers() {
    History history = explained();
    for (std::size_t count = 0; count < lost_answers; ++count) {
      auto& lost = history[below(calls)];
      lost.interval.returned_ms.reset();
      lost.call.answer.reset();
    }
    return history;
  }

  /// The same where the answers to posts have no seq: the order of the posts is open.
  static void hide_seq(History& history) {
    for (auto& observed : history) {
      for (check::PostedEvent& event : observed.call.events) event.seq.reset();
    }
  }

  /// Makes the last read before the end show a state that came too early or too late.
  static void corrupt(History& history) {
    for (std::size_t index = calls; index-- > 0;) {
      ExecutionCall& call = history[index].call;
      if (call.kind != Kind::read || !call.answer) continue;
      call.state = call.state == "PENDING" ? "RUNNING" : "PENDING";
      return;
    }
  }

  [[nodiscard]] const SequentialExecution& specification() const { return specification_; }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  /// Half are posts, of which some repeat an event; a cancel is rare.
  ExecutionCall asked() {
    ExecutionCall call;
    const std::size_t kind = below(100);
    if (kind >= 98) call.kind = Kind::cancel;
    if (kind >= 50) return call;
    call.kind = Kind::post;
    check::PostedEvent event;
    event.id_number = below(30);
    event.event_id = fmt::format("event-{}", event.id_number);
    event.event_type = event.id_number == 0   ? "playbook.initialized"
                       : event.id_number == 1 ? "playbook.completed"
                                              : "step.enter";
    call.events = {event};
    return call;
  }

  /// Gives the call the answer that is permitted in that state, and goes on to the next.
  SequentialExecution::State answer(const SequentialExecution::State& state, ExecutionCall& call) {
    for (ExecutionCall& answered : answers(state, call)) {
      const auto next = specification_.step(state, answered);
      if (next.empty()) continue;
      call = std::move(answered);
      return next.front();
    }
    throw std::logic_error("a call has no answer");
  }

  static std::vector<ExecutionCall> answers(const SequentialExecution::State& state,
                                            ExecutionCall call) {
    std::vector<ExecutionCall> all;
    call.answer = Acceptance::accepted;
    if (call.kind == Kind::read) {
      for (const std::string_view word : {"PENDING", "RUNNING", "COMPLETED", "CANCELLED"}) {
        call.state = word;
        call.terminal_event = state.terminal_event;
        all.push_back(call);
      }
    } else if (call.kind == Kind::cancel) {
      for (const bool had_ended : {false, true}) {
        call.already_terminal = had_ended;
        all.push_back(call);
      }
    } else {
      call.events.front().seq = state.newest_seq + 1;
      call.events.front().duplicate = false;
      all.push_back(call);
      call.events.front().seq.reset();
      call.events.front().duplicate = true;
      call.answer = Acceptance::duplicate;
      all.push_back(call);
    }
    return all;
  }

  std::mt19937_64 random_;
  SequentialExecution specification_ = SequentialExecution(true);
};

/// Microseconds of each history, in rising order.
std::vector<double> times_of(const SequentialExecution& specification,
                             const std::vector<History>& histories,
                             std::optional<Verdict> expected) {
  std::vector<double> times;
  for (const History& history : histories) {
    Verdict verdict = Verdict::inconclusive;
    const double seconds = least_of(rounds, [&] {
      return seconds_of(
          [&] { verdict = check::check_linearizability(specification, history).verdict; });
    });
    times.push_back(seconds * 1e6);
    if (verdict == Verdict::inconclusive || (expected && verdict != *expected)) {
      throw std::runtime_error("a history was judged wrongly");
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

void print_times(std::string_view kind, const std::vector<double>& times) {
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  print_figure(fmt::format("microseconds_{}", kind), sum / static_cast<double>(times.size()));
  print_figure(fmt::format("microseconds_{}_at_99_percent", kind), times[times.size() * 99 / 100]);
  print_figure(fmt::format("microseconds_{}_at_most", kind), times.back());
}

std::vector<History> changed(std::vector<History> histories, void (*change)(History&)) {
  for (History& history : histories) change(history);
  return histories;
}

void measure(std::int64_t count) {
  Histories random(1);
  std::vector<History> explained;
  std::vector<History> lost;
  for (std::int64_t index = 0; index < count; ++index) {
    explained.push_back(random.explained());
    lost.push_back(random.with_lost_answers());
  }
  const auto print = [&random](std::string_view kind, const std::vector<History>& histories,
                               std::optional<Verdict> expected) {
    print_times(kind, times_of(random.specification(), histories, expected));
  };
  print("explained", explained, Verdict::pass);
  print("explained_without_seq", changed(explained, Histories::hide_seq), Verdict::pass);
  print("corrupted", changed(explained, Histories::corrupt), std::nullopt);
  print("lost_answers", lost, Verdict::pass);
  print("lost_answers_corrupted", changed(lost, Histories::corrupt), std::nullopt);
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded(
      [&] { assay::bench::measure(assay::bench::number_argument(count, arguments, 1, 1'000)); });
}
